import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { METHODS } from '../../src/shared/owner-api/contract.ts';
import { post } from '../support/http.ts';
import { isolatedHome } from '../support/isolated-home.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

const LINK = /(http:\/\/127\.0\.0\.1:[0-9]+)\/ui\/#token=([A-Za-z0-9_-]{43})/;

it('npm run demo shows three devices with a month behind them, and leaves nothing when it is stopped', async () => {
  const folder = temporaryFolder();
  const { PATH = '' } = process.env;
  const demo = spawn(process.execPath, ['scripts/demo.ts'], {
    env: { PATH, ...isolatedHome(folder), TMPDIR: folder, TEMP: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => demo.once('close', resolve));
  try {
    await expect.poll(() => LINK.test(output), { timeout: 120_000 }).toBe(true);
    const [, origin, token] = LINK.exec(output)!;
    expect(readdirSync(folder)).toHaveLength(1);
    const call = async (method: 'overview' | 'device' | 'alerts', input: object) => {
      const reply = await post(`${origin}/ui/api/${method}`, input, { headers: { authorization: `Bearer ${token}` } });
      return METHODS[method].output.parse((reply.json as { value: unknown }).value);
    };
    const overview = METHODS.overview.output.parse(await call('overview', { dayStart: 0 }));
    const [sealing, silent, clockless, ...others] = overview.devices;
    expect(others).toEqual([]);
    expect([sealing!.newest.ph!.value, sealing!.newest.ec!.value]).toEqual([
      expect.objectContaining({ cipher: expect.any(String) }),
      expect.objectContaining({ cipher: expect.any(String) }),
    ]);
    expect(sealing!.newest.humidity!.value).toEqual(expect.any(Number));
    expect(Math.round((overview.now - silent!.lastReceivedAt!) / 60_000)).toBeCloseTo(120, -1);
    expect(overview.devices.map(({ clockNotSet }) => clockNotSet)).toEqual([false, false, true]);
    for (const { id } of [sealing!, silent!, clockless!]) {
      const { span } = METHODS.device.output.parse(await call('device', { id }));
      expect(Math.round((span!.to - span!.from) / 86_400_000)).toBe(30);
    }
    // Its rule fires within two minutes: the pH of the last one drifts.
    const firing = async () => {
      const { alerts } = METHODS.alerts.output.parse(await call('alerts', {}));
      return alerts.filter(({ kind, state }) => kind === 'range' && state === 'firing').map((alert) => alert.device);
    };
    await expect.poll(firing, { timeout: 120_000, interval: 1000 }).toEqual([clockless!.id]);
    demo.kill('SIGINT');
    expect(await ended, output).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    demo.kill('SIGKILL');
    removeFolder(folder);
  }
}, 300_000);

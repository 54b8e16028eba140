import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, postBlocks, register, registeredDevice } from '../support/client.ts';
import { send } from '../support/http.ts';
import {
  ENDPOINTS,
  NodeProcess,
  removeFolder,
  runProcessToEnd,
  startNode,
  startProcess,
  temporaryFolder,
} from '../support/node-process.ts';

const NAME = 'a name that nobody else has';
const OWNER = 'an owner that nobody else is';
const CIPHER = '5ea1ed'.repeat(7);
const NONCE = '0ddba11'.padEnd(24, '0');

/** Sends every kind of payload, sound and unsound; returns the texts that no log may hold. */
async function traffic(node: NodeProcess): Promise<string[]> {
  const secrets = [NAME, OWNER, CIPHER, NONCE, '6.137', '1234567.5'];
  secrets.push(readFileSync(join(node.dataDir, 'identity.mnemonic'), 'utf8').trim());
  for (const endpoint of ENDPOINTS) {
    const url = node.url(endpoint);
    const device = await registeredDevice(url, { name: NAME, ownerName: OWNER });
    const sealed = { cipher: CIPHER, nonce: NONCE };
    const good = handWritten(device, { tail: '|ph=6.137', json: { ph: { plain: 6.137 }, ec: sealed } });
    secrets.push(good.raw, good.signature, device.ownerPubkey, Buffer.from(device.seed).toString('hex'));
    await accept(url, good);
    const stranger = new SimulatedDevice();
    await postBlocks(url, [
      { ...good, signature: good.signature.replace(/^../, '00') },
      { ...good, seq: '5' },
      { ...good, ph: { plain: 1234567.5 } },
      { ...good, ph: { plain: '6.137' } },
      handWritten(stranger, { tail: '|ph=6.137', json: { ph: { plain: 6.137 } } }),
    ]);
    await register(url, { ...device.registration(), name: NAME, mac: OWNER });
    await send(`${url}/v1/devices`, { method: 'POST', body: `{"name":"${NAME}"` });
    await send(`${url}/v1/telemetry`, { method: 'POST', body: `${NAME} {"ph":6.137}` });
  }
  return secrets;
}

describe.each(['info', 'trace'])('at LOG_LEVEL=%s', (level) => {
  test('every line is JSON, the start logs the key and the addresses, and no payload or secret is logged', async () => {
    const node = await startProcess({ env: { LOG_LEVEL: level } });
    try {
      const secrets = await traffic(node);
      const { stdout, stderr } = await node.stop();
      expect(stderr).toBe('');
      const lines = stdout.trimEnd().split('\n');
      for (const line of lines) expect(() => JSON.parse(line) as unknown, line).not.toThrow();
      expect(node.started).toMatchObject({
        publicKey: expect.stringMatching(/^[0-9a-f]{64}$/),
        publicUrl: expect.stringMatching(/^http:\/\/0\.0\.0\.0:\d+$/),
        localUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      });
      for (const secret of secrets) expect(stdout).not.toContain(secret);
    } finally {
      await node.dispose();
    }
  });
});

test('LOG_LEVEL=silent logs nothing', async () => {
  const node = new NodeProcess({ env: { LOG_LEVEL: 'silent', PUBLIC_ENABLED: 'false' } });
  try {
    // Without a line to wait for, the store file shows that the start came this far.
    await expect.poll(() => readable(join(node.dataDir, 'private.db')), { timeout: 60_000 }).toBe(true);
    const exit = await node.stop();
    expect(exit).toMatchObject({ code: 0, stdout: '', stderr: '' });
  } finally {
    await node.dispose();
  }
});

function readable(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}

test('refused blocks are logged in one line per device and cause, with their number', async () => {
  const node = await startNode();
  try {
    const url = node.url('public');
    const [one, other] = [await registeredDevice(url), await registeredDevice(url)];
    const stranger = new SimulatedDevice();
    for (let round = 0; round < 5; round += 1) {
      const blocks = Array.from({ length: 30 }, (_, seq) => [
        handWritten(one, { seq, json: { signature: '00'.repeat(64) } }),
        handWritten(other, { seq, json: { seq: '999' } }),
        handWritten(stranger, { seq }),
      ]).flat();
      expect(await postBlocks(url, blocks)).toMatchObject({ accepted: 0 });
    }
    const { stdout } = await node.stop();
    for (const { id } of [one, other, stranger]) {
      const lines = stdout.split('\n').filter((line) => line.includes(id));
      expect(lines).toHaveLength(1);
      expect(Object.values(JSON.parse(lines[0]!) as object)).toContain(150);
    }
    expect(stdout.split('\n').length).toBeLessThan(15);
  } finally {
    await node.dispose();
  }
});

test('in the journal of systemd every line is text with a priority', async () => {
  const folder = temporaryFolder();
  const journal = join(folder, 'journal');
  writeFileSync(journal, '');
  const { dev, ino } = statSync(journal, { bigint: true });
  const options = { dataDir: join(folder, 'data'), stdoutFile: journal, env: { JOURNAL_STREAM: `${dev}:${ino}` } };
  const node = new NodeProcess(options);
  try {
    await expect.poll(() => readFileSync(journal, 'utf8'), { timeout: 60_000 }).toContain('<6>node started ');
    await node.stop();
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^<[2-7]>[^{]+$/);
    expect(lines.find((line) => line.startsWith('<6>node started'))).toContain(' localUrl=http://127.0.0.1:');
    // stderr is no journal here: the line has no priority.
    expect((await runProcessToEnd({ ...options, env: { ...options.env, LOCAL_PORT: 'x' } })).stderr).toMatch(
      /^wellhouse: LOCAL_PORT/,
    );
  } finally {
    await node.dispose();
    removeFolder(folder);
  }
});

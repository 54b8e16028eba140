import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Input, MethodName } from '../../src/shared/owner-api/contract.ts';
import { pairingLink } from '../../src/shared/pairing-link.ts';
import { DOOR_ENV, DoorClient } from '../support/door.ts';
import { removeFolder, runningNode, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const node = runningNode({ args: ['--ui'], env: DOOR_ENV });
/** Something that listens on the machine itself. */
const inside = createServer((_request, response) => response.end('{}'));
let folder: string;
let phone: DoorClient;
beforeAll(async () => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'full', 'more'), { recursive: true });
  writeFileSync(join(folder, 'there'), 'a secret file');
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  phone = await DoorClient.pair(node.process, 'app', { role: 'owner', mayUnlock: true });
});
afterAll(() => {
  inside.close();
  removeFolder(folder);
});

/** The answer to a paired owner, without the path that was asked about. */
async function answerAbout<M extends MethodName>(method: M, input: Input<M>, path: string): Promise<string> {
  const { status, answer } = await phone.ask(method, input);
  return `${status} ${JSON.stringify(answer)}`.replaceAll(path, 'PATH');
}

describe('a remotely paired owner gets the same answer whether or not something exists', () => {
  const plan = { recipient: null, time: '03:30', keepDaily: 1, keepWeekly: 1, keepMonthly: 1 };
  const span = { format: 'csv', dialect: 'comma', devices: null, from: null, to: null };
  it.each<[MethodName, (path: string) => unknown]>([
    ['backupFile', (path) => ({ path })],
    ['checkBackup', (path) => ({ path, key: { kind: 'passphrase', passphrase: 'x' } })],
    ['restoreBackup', (path) => ({ path, key: { kind: 'passphrase', passphrase: 'x' }, confirm: path })],
    ['planBackups', (path) => ({ ...plan, folder: path })],
    ['listBackups', (path) => ({ folder: path })],
    ['beginExport', (path) => ({ ...span, folder: path })],
    ['useDataDir', (path) => ({ path, startOver: false })],
  ])('%s', async (method, input) => {
    const answers: string[] = [];
    for (const name of ['there', 'not there', 'there/below']) {
      const path = join(folder, name);
      answers.push(await answerAbout(method, input(path) as never, path));
    }
    expect(new Set(answers).size, answers.join('\n')).toBe(1);
  });

  it('for a check without a key, also in later messages about it', async () => {
    const seen: string[] = [];
    for (const name of ['there', 'not there']) {
      const path = join(folder, name);
      await phone.call('checkBackup', { path, key: null });
      const opened = async () => (await phone.call('backups', {})).opened;
      await expect.poll(async () => (await opened())?.path, { timeout: 30_000 }).toBe(path);
      seen.push(JSON.stringify((await opened())!.problem).replaceAll(path, 'PATH'));
    }
    expect(seen[0]).toBe(seen[1]);
    // The machine itself learns the reason.
    expect((await call(node.process, 'backups', {})).opened?.problem?.fault).toBe('no_file');
  });

  it('for the files of a certificate', async () => {
    const seen: string[] = [];
    for (const name of ['there', 'not there', 'full']) {
      const path = join(folder, name);
      await phone.call('setSettings', { change: { doorCert: path, doorKey: path } });
      const problem = async () => (await phone.call('door', {})).certificateProblem;
      await expect
        .poll(async () => (await call(node.process, 'door', {})).certificateProblem, { timeout: 30_000 })
        .toContain(path);
      seen.push(String(await problem()));
    }
    await phone.call('setSettings', { change: { doorCert: null, doorKey: null } });
    expect(new Set(seen).size, seen.join('\n')).toBe(1);
  });
});

describe('a remotely paired owner can’t make this machine send requests to itself', () => {
  const port = () => (inside.address() as AddressInfo).port;
  const fingerprint = 'ab'.repeat(32);
  const link = (host: string) => pairingLink({ origin: `https://${host}:${port()}`, code: '7KM4XWPA', fingerprint });
  const channel = { id: null, name: '', isOn: false, withoutValues: false, maxPerHour: 20 };
  const servers = { external: [], local: [] };
  it.each(['127.0.0.1', 'localhost', '[::1]', '169.254.1.1'])('at %s', async (host) => {
    const asked: [MethodName, unknown][] = [
      ['lookAtNode', { link: link(host) }],
      ['addNode', { link: link(host), name: null, replace: false }],
      [
        'writeAlertChannel',
        { channel: { ...channel, target: { kind: 'webhook', url: `http://${host}:${port()}/` } }, secrets: {} },
      ],
    ];
    if (host !== 'localhost') {
      asked.push(['askDevice', { id: null, address: `${host}:${port()}` }]);
      asked.push(['pointDevice', { id: 'ab'.repeat(32), address: `${host}:1`, before: servers, after: servers }]);
    }
    for (const [method, input] of asked) {
      const { answer } = await phone.ask(method, input);
      expect([method, answer]).toMatchObject([method, { ok: false, error: 'forbidden' }]);
    }
  });

  it('but the machine itself can', async () => {
    const asked = await call(node.process, 'askDevice', { id: null, address: `127.0.0.1:${port()}` });
    expect(asked.state).toBe('not_a_device');
  });
});

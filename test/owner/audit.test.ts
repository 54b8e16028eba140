import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { AUDITED } from '../../src/main/owner/api/audited.ts';
import type { AuditEntry } from '../../src/shared/owner-api/audit.ts';
import { AUDIT_KINDS } from '../../src/shared/owner-api/audit-kinds.ts';
import { METHODS } from '../../src/shared/owner-api/contract.ts';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { registeredDevice } from '../support/client.ts';
import { DOOR_ENV, DoorClient, doorOf, givePairingCode, openPairing } from '../support/door.ts';
import { send } from '../support/http.ts';
import { type RunningNode, removeFolder, startNode, startProcess, temporaryFolder } from '../support/node-process.ts';
import { call, sendCall, uiToken } from '../support/owner-client.ts';
import { answerOf, wellhouse } from '../support/wellhouse.ts';

const nodes: RunningNode[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.dispose();
  for (const folder of folders.splice(0)) removeFolder(folder);
});

async function started(env: Record<string, string> = {}, dataDir?: string): Promise<RunningNode> {
  const node = await startNode({ args: ['--ui'], env: { ...DOOR_ENV, ...env }, ...(dataDir && { dataDir }) });
  nodes.push(node);
  return node;
}

const ALL = { kinds: null, by: null, before: null, limit: 500 };
const entriesOf = async (node: RunningNode): Promise<AuditEntry[]> => (await call(node, 'auditLog', ALL)).entries;
const kindsOf = async (node: RunningNode) => (await entriesOf(node)).map(({ kind }) => kind).toReversed();

test('each method of the contract has an entry in the log, or a reason for none', () => {
  expect(Object.keys(AUDITED).sort()).toEqual(Object.keys(METHODS).sort());
  for (const [name, row] of Object.entries(AUDITED)) {
    if (typeof row === 'string') expect(row.length, name).toBeGreaterThan(10);
    // A viewer’s calls change nothing, except that it can leave.
    else if (name !== 'leave') expect(METHODS[name as keyof typeof METHODS].role, name).toBe('owner');
  }
});

test('each action leaves one entry, with who did it and from where', async () => {
  const node = await started();
  const device = await registeredDevice(node.url('local'));
  const phone = await DoorClient.pair(node, 'app', { name: 'My phone' });
  await phone.ask('setSettings', { change: { publicRateLimit: 77 } });
  await phone.ask('setNotes', { id: device.id, notes: { ...NO_NOTES, isHidden: true } });
  await phone.ask('setNotes', { id: device.id, notes: { ...NO_NOTES, isHidden: true, text: 'moved' } });
  await call(node, 'openJoining', { closesAfterOne: true });
  await call(node, 'closeJoining', {});
  await call(node, 'forgetDevice', { id: device.id, store: 'private', confirm: device.id });
  await call(node, 'tellKeysExported', { what: 'phrase' });
  const [{ id } = { id: '' }] = (await call(node, 'door', {})).pairings;
  await call(node, 'revokePairing', { id });
  // A page proves the token and never sends it.
  await sendCall(node, 'startDemo', '{}', { authorization: 'Bearer wrong' });

  const entries = (await entriesOf(node)).toReversed().slice(1);
  const shown = entries.map(({ kind, who, from }) => [kind, who.by, who.name, from]);
  expect(shown).toEqual([
    ['pairing_opened', 'command', null, '127.0.0.1'],
    ['paired', 'pairing', 'My phone', '127.0.0.1'],
    ['settings_changed', 'pairing', 'My phone', '127.0.0.1'],
    ['device_hidden', 'pairing', 'My phone', '127.0.0.1'],
    ['joining_opened', 'command', null, '127.0.0.1'],
    ['joining_closed', 'command', null, '127.0.0.1'],
    ['device_forgotten', 'command', null, '127.0.0.1'],
    ['keys_exported', 'command', null, '127.0.0.1'],
    ['pairing_revoked', 'command', null, '127.0.0.1'],
  ]);
  expect(entries[2]!.details).toEqual({ names: ['publicRateLimit'] });
  expect(entries.at(-1)!.details).toEqual({ id, name: 'My phone' });
  for (const { kind } of entries) expect(AUDIT_KINDS).toContain(kind);
});

test('doors, gates and the public endpoint have entries of their own', async () => {
  const node = await startNode({ args: ['--ui'], env: { PUBLIC_PORT: '0' } });
  nodes.push(node);
  await call(node, 'setSettings', { change: { gateAddress: '127.0.0.1', gatePort: 0 } });
  await call(node, 'setSettings', { change: { gateAddress: null, localAllowedHosts: ['well.lan'] } });
  expect((await kindsOf(node)).slice(1)).toEqual([
    'gate_opened',
    'settings_changed',
    'gate_closed',
    'settings_changed',
  ]);
});

test('wrong codes are logged at once, then as a sum, and are counted on the security page', async () => {
  const node = await started();
  const door = await doorOf(node);
  await openPairing(node);
  await givePairingCode(door, 'WRONGWRO', 'app', { from: '127.0.0.2' });
  await givePairingCode(door, 'WRONGWRO', 'app', { from: '127.0.0.3' });
  await givePairingCode(door, 'WRONGWRO', 'app', { from: '127.0.0.4' });
  await expect.poll(() => kindsOf(node)).toContain('wrong_codes');
  const { refused } = await call(node, 'security', {});
  expect(refused).toMatchObject([{ cause: 'wrong_code', listener: 'door', count: 3 }]);
  await node.stop();
  const entries = await answerOf<unknown[]>(node.dataDir, ['audit', '--about', 'access']);
  const wrong = (entries as AuditEntry[]).filter(({ kind }) => kind === 'wrong_codes').toReversed();
  expect(wrong.map(({ details }) => details)).toEqual([
    { count: 1, addresses: ['127.0.0.2'] },
    { count: 2, addresses: ['127.0.0.3', '127.0.0.4'] },
  ]);
});

test('a killed node logs that at its next start, and half a line is no alarm', async () => {
  const dataDir = temporaryFolder();
  folders.push(dataDir);
  const first = await startProcess({ args: ['--ui'], dataDir });
  nodes.push(first);
  expect(await kindsOf(first)).toEqual(['node_started']);
  await first.kill();
  writeFileSync(join(dataDir, 'audit.ndjson'), `${readFileSync(join(dataDir, 'audit.ndjson'), 'utf8')}{"n":2,"at`);
  const second = await started({}, dataDir);
  expect(await kindsOf(second)).toEqual(['node_started', 'log_torn', 'node_restarted']);
  expect((await call(second, 'auditLog', ALL)).isWhole).toBe(true);
  await second.stop();
  const third = await started({}, dataDir);
  expect((await kindsOf(third)).slice(3)).toEqual(['node_stopped', 'node_started']);
});

describe('wellhouse audit', () => {
  test('works beside a running node and on a stopped folder, and finds changes', async () => {
    const node = await started();
    await call(node, 'openJoining', { closesAfterOne: true });
    const beside = await answerOf<AuditEntry[]>(node.dataDir, ['audit', '--limit', '1']);
    expect(beside.map(({ kind }) => kind)).toEqual(['joining_opened']);
    expect(await answerOf(node.dataDir, ['audit', '--since', '2000-01-01', '--by', 'command'])).toHaveLength(1);
    expect(await answerOf(node.dataDir, ['audit', '--verify'])).toMatchObject({
      isWhole: true,
      entries: 2,
      breaks: [],
    });
    await node.stop();
    const path = join(node.dataDir, 'audit.ndjson');
    writeFileSync(path, readFileSync(path, 'utf8').replace('joining_opened', 'joining_closed'));
    const { code, stdout } = await wellhouse(node.dataDir, ['audit', '--verify']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      isWhole: false,
      breaks: [{ file: 'audit.ndjson', line: 2, reason: 'edited' }],
    });
    expect(await wellhouse(node.dataDir, ['audit', '--limit', '0'])).toMatchObject({ code: 2 });
  });

  test('a restore keeps the log of the folder and adds to it; an empty folder gets that of the backup', async () => {
    const node = await started();
    await call(node, 'openJoining', { closesAfterOne: true });
    await node.stop();
    const backups = temporaryFolder();
    const empty = temporaryFolder();
    folders.push(backups, empty);
    const { path } = await answerOf<{ path: string }>(node.dataDir, ['backup', '--to', backups, '--plain']);
    await answerOf(node.dataDir, ['restore', path, '--replace']);
    await answerOf(empty, ['restore', path]);
    const kinds = async (dataDir: string) =>
      (await answerOf<AuditEntry[]>(dataDir, ['audit'])).map(({ kind, who }) => `${kind} ${who.by}`).toReversed();
    const before = ['node_started node', 'joining_opened command', 'node_stopped node'];
    expect(await kinds(node.dataDir)).toEqual([...before, 'backup_made command', 'restored command']);
    expect(await kinds(empty)).toEqual([...before, 'restored command']);
    for (const dataDir of [node.dataDir, empty]) {
      expect(await answerOf(dataDir, ['audit', '--verify'])).toMatchObject({ isWhole: true });
    }
  });
});

test('no secret is in the log', async () => {
  const node = await started({ LOCAL_READ_TOKEN: 'a-token-that-nobody-knows-1234567890' });
  const secrets = [
    uiToken(node),
    'a-token-that-nobody-knows-1234567890',
    'a passphrase of mine',
    'https://hooks.example/secret-path',
  ];
  secrets.push(readFileSync(join(node.dataDir, 'identity.mnemonic'), 'utf8').trim());
  const opened = await openPairing(node);
  secrets.push(opened.code, ...opened.links.map(({ link }) => link));
  const reply = await givePairingCode(await doorOf(node), opened.code, 'app');
  secrets.push((JSON.parse(reply.text) as { value: { token: string } }).value.token);
  await call(node, 'writeAlertChannel', {
    channel: {
      ...{ id: null, name: 'Hook', isOn: false, withoutValues: false },
      target: { kind: 'webhook', url: 'https://hooks.example/secret-path' },
    },
    secrets: {},
  });
  await call(node, 'makeBackup', { passphrase: 'a passphrase of mine' });
  await call(node, 'restoreBackup', {
    ...{ path: '/nowhere', confirm: '/nowhere' },
    key: { kind: 'passphrase', passphrase: 'a passphrase of mine' },
  });
  await call(node, 'setSettings', { change: { localAllowedHosts: ['a-host-of-mine.example'] } });
  secrets.push('a-host-of-mine.example');
  await send(`${node.url('local')}/v1/devices`, { headers: { authorization: 'Bearer a-wrong-token' } });
  secrets.push('a-wrong-token');
  await node.stop();
  const text = readFileSync(join(node.dataDir, 'audit.ndjson'), 'utf8');
  expect(text).toContain('alert_channel_written');
  for (const secret of secrets) expect(text).not.toContain(secret);
});

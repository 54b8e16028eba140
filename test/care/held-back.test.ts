import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HeldBack } from '../../src/shared/owner-api/backups.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { answerOf, wellhouse } from '../support/wellhouse.ts';

let root: string;
let node: RunningNode;
const there = () => join(root, 'there');
const here = () => join(root, 'here');
beforeEach(async () => {
  root = temporaryFolder();
  mkdirSync(join(root, 'backups'));
  node = await startNode({
    dataDir: there(),
    args: ['--ui'],
    settings: { doorAddress: '127.0.0.1', doorPort: 0, localAllowedHosts: ['evil.example'] },
  });
  const channel = { id: null, name: '', isOn: true, withoutValues: false, maxPerHour: 20 };
  const target = { kind: 'webhook', url: 'http://127.0.0.1:9/' } as const;
  await call(node, 'writeAlertChannel', { channel: { ...channel, target }, secrets: {} });
  expect((await call(node, 'door', {})).door.state).toBe('listening');
  await node.stop();
});
afterEach(async () => {
  await node.dispose();
  removeFolder(root);
});

async function backUp(): Promise<string> {
  await answerOf(there(), ['backup', '--to', join(root, 'backups'), '--plain']);
  return join(root, 'backups', readdirSync(join(root, 'backups')).find((name) => name.endsWith('.zst'))!);
}

const kindsOf = (list: readonly HeldBack[]) => list.map(({ kind }) => kind);

test('a backup restored on another machine opens no door, allows no host and sends nothing until its owner confirms it', async () => {
  const path = await backUp();
  const checked = await answerOf<{ active: HeldBack[] }>(here(), ['check', path]);
  expect(kindsOf(checked.active)).toEqual(['door', 'hosts', 'channel']);
  const restored = await answerOf<{ heldBack: HeldBack[] }>(here(), ['restore', path]);
  expect(kindsOf(restored.heldBack)).toEqual(['door', 'hosts', 'channel']);
  // The node starts again at the same port.
  node = await startNode({ dataDir: here(), args: ['--ui'], env: { LOCAL_PORT: String(await freePort()) } });
  expect((await call(node, 'door', {})).door).toEqual({ state: 'off' });
  expect((await call(node, 'getSettings', {})).settings.localAllowedHosts.value).toEqual([]);
  expect((await call(node, 'alertChannels', {})).channels.map(({ channel }) => channel.isOn)).toEqual([false]);
  const held = (await call(node, 'backups', {})).heldBack;
  expect(held).toEqual(restored.heldBack);
  expect((await answerOf<{ heldBack: HeldBack[] }>(here(), ['status'])).heldBack).toEqual(held);

  // On the page, where the node starts again, and by a command that uses a running node.
  const ids = (kind: string) => held.filter((each) => each.kind === kind).map(({ id }) => id);
  expect(await call(node, 'confirmHeldBack', { ids: ids('door') })).toEqual({ problem: null });
  const doorState = () => call(node, 'door', {}).then(({ door }) => door.state);
  await expect.poll(() => doorState().catch(() => 'away'), { timeout: 60_000 }).toBe('listening');
  await expect
    .poll(
      () =>
        call(node, 'backups', {}).then(
          ({ work }) => work,
          () => 'away',
        ),
      { timeout: 60_000 },
    )
    .toBeNull();
  expect((await wellhouse(here(), ['confirm', '--drop', ...ids('hosts')])).code).toBe(0);
  expect(kindsOf((await call(node, 'backups', {})).heldBack)).toEqual(['channel']);
  await node.stop();
  await answerOf(here(), ['confirm', '--all']);
  await node.dispose();
  node = await startNode({ dataDir: here(), args: ['--ui'] });
  expect((await call(node, 'alertChannels', {})).channels.map(({ channel }) => channel.isOn)).toEqual([true]);
  expect((await call(node, 'getSettings', {})).settings.localAllowedHosts.value).toEqual([]);
  expect((await answerOf<{ heldBack: HeldBack[] }>(here(), ['confirm'])).heldBack).toEqual([]);
});

test('a node’s own backup restored in place needs no confirmation without changes', async () => {
  const path = await backUp();
  const restored = await answerOf<{ heldBack: HeldBack[] }>(there(), ['restore', '--replace', path]);
  expect(restored.heldBack).toEqual([]);
  await node.dispose();
  node = await startNode({ dataDir: there(), args: ['--ui'] });
  expect((await call(node, 'door', {})).door.state).toBe('listening');
});

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import type { AuditKind } from '../../shared/owner-api/audit-kinds.ts';
import { AUDIT_FILE, AuditLog, BY_COMMAND, BY_NODE, OLDER_FILE } from './audit-log.ts';
import { AuditReader, filtered } from './audit-reader.ts';

let path: string;
beforeEach(() => {
  path = temporaryFolder();
});
afterEach(() => removeFolder(path));

const log = pino({ level: 'silent' });
const audit = (maxBytes?: number) => new AuditLog({ path, log, now: () => 1000, ...(maxBytes && { maxBytes }) });
const read = () => new AuditReader({ path, log }).read();
const kindsIn = async () => (await read()).lines.map(({ entry }) => entry.kind);
const file = () => join(path, AUDIT_FILE);
const say = (to: AuditLog, kind: AuditKind, details = {}) => to.record({ who: BY_NODE, from: null, kind, details });

it('entries of one writer, and of several at once, form a chain', async () => {
  const [one, other] = [audit(), audit()];
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => say(index % 2 === 0 ? one : other, 'gate_opened', { index })),
  );
  const { lines, breaks } = await read();
  expect(breaks).toEqual([]);
  expect(lines.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  if (process.platform !== 'win32') expect(statSync(file()).mode & 0o777).toBe(0o600);
});

it('a full log continues in a new file, and one older file is kept', async () => {
  const small = audit(2000);
  for (let index = 0; index < 30; index += 1) await say(small, 'gate_opened', { index });
  const { lines, breaks } = await read();
  expect(breaks).toEqual([]);
  expect(existsSync(join(path, OLDER_FILE))).toBe(true);
  expect(lines.at(-1)!.n).toBe(30);
  expect(lines[0]!.n).toBeGreaterThan(10);
  expect(statSync(file()).size).toBeLessThan(2500);
  rmSync(join(path, OLDER_FILE));
  expect((await read()).breaks).toMatchObject([{ reason: 'start' }]);
});

it('the next entry records half a line, which is no break', async () => {
  await say(audit(), 'gate_opened');
  appendFileSync(file(), '{"n":2,"at":10');
  expect((await read()).breaks).toEqual([]);
  await say(audit(), 'gate_closed');
  expect(await kindsIn()).toEqual(['gate_opened', 'log_torn', 'gate_closed']);
  expect(await read()).toMatchObject({ breaks: [], torn: 1 });
});

it('missing lines, or a cut in the last one, are recorded and stay visible', async () => {
  for (const cut of [
    (text: string) => `${text.split('\n').slice(0, 2).join('\n')}\n`,
    (text: string) => text.slice(0, -30),
  ]) {
    for (const name of ['gate_opened', 'gate_closed', 'joining_opened'] as const) await say(audit(), name);
    writeFileSync(file(), cut(readFileSync(file(), 'utf8')));
    expect((await read()).breaks.map(({ reason }) => reason)).toContain('end');
    await say(audit(), 'joining_closed');
    const { lines, breaks } = await read();
    expect(lines.slice(-2).map(({ entry }) => entry.kind)).toEqual(['log_broken', 'joining_closed']);
    expect(breaks).not.toEqual([]);
    removeFolder(path);
    mkdirSync(path);
  }
});

it('a missing log whose note exists is recorded', async () => {
  await say(audit(), 'gate_opened');
  rmSync(file());
  await say(audit(), 'gate_closed');
  expect(await kindsIn()).toEqual(['log_broken', 'gate_closed']);
  expect((await read()).breaks).not.toEqual([]);
});

it('an entry that can’t be written causes no failure, and the next entry counts the missing ones', async () => {
  const writer = audit();
  await say(writer, 'gate_opened');
  const kept = readFileSync(file());
  rmSync(file());
  mkdirSync(file());
  await say(writer, 'gate_closed');
  await say(writer, 'joining_opened');
  rmSync(file(), { recursive: true });
  writeFileSync(file(), kept, { mode: 0o600 });
  await say(writer, 'joining_closed');
  const { lines, breaks } = await read();
  expect(breaks).toEqual([]);
  expect(lines.map(({ entry }) => entry.kind)).toEqual(['gate_opened', 'log_gap', 'joining_closed']);
  expect(lines[1]!.entry.details).toEqual({ count: 2, since: 1000 });
});

it('detects a node that did not stop, also after entries of commands', async () => {
  expect(audit().wasCutOff).toBe(false);
  await say(audit(), 'node_started');
  await audit().record({ who: BY_COMMAND, from: null, kind: 'backup_made' });
  expect(audit().wasCutOff).toBe(true);
  await say(audit(), 'node_stopped');
  expect(audit().wasCutOff).toBe(false);
});

it('texts from outside are limited', async () => {
  await say(audit(), 'settings_changed', {
    name: 'x'.repeat(10_000),
    names: Array.from({ length: 500 }, () => 'y'.repeat(999)),
  });
  expect(statSync(file()).size).toBeLessThan(20_000);
  expect((await read()).breaks).toEqual([]);
});

it('pages and filters return each entry once, latest first', async () => {
  const writer = audit();
  for (let index = 0; index < 4; index += 1) {
    await say(writer, 'gate_opened', { index });
    await writer.record({ who: BY_COMMAND, from: null, kind: 'backup_made', details: {} });
  }
  const checked = await read();
  const all = { kinds: null, by: null, before: null, limit: 3 };
  const first = filtered(checked, all);
  expect([first.entries.map(({ n }) => n), first.hasMore]).toEqual([[8, 7, 6], true]);
  expect(filtered(checked, { ...all, before: 3 })).toMatchObject({ entries: [{ n: 2 }, { n: 1 }], hasMore: false });
  expect(filtered(checked, { ...all, by: 'command', limit: 9 }).entries.map(({ n }) => n)).toEqual([8, 6, 4, 2]);
  expect(filtered(checked, { ...all, kinds: ['gate_opened'] }).entries.map(({ n }) => n)).toEqual([7, 5, 3]);
});

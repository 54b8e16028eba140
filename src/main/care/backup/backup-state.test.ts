import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { readBackupState, writeBackupState } from './backup-state.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => removeFolder(dataDir));

const path = () => join(dataDir, 'backups.json');
const folder = (name: string) => ({
  ...{ path: `/media/${name}`, id: crypto.randomUUID(), isUnlisted: false },
  made: [1, 2].map((at) => ({
    ...{ name: `${name}-${at}`, at, bytes: 1, durationMs: 1 },
    encryption: 'none' as const,
    keystore: null,
  })),
});

it('loses only a damaged entry: the guards of other folders stay, and the owner is notified', () => {
  const { node } = writeBackupState(dataDir, { folders: [folder('one'), folder('two')], program: '0.1.0' });
  const json = JSON.parse(readFileSync(path(), 'utf8'));
  json.folders[0].id = 7;
  json.folders[1].made[0].bytes = 'many';
  json.failure = 'broken';
  writeFileSync(path(), JSON.stringify(json));
  const { folders, failure, program, node: after } = readBackupState(dataDir);
  expect(folders.map(({ path: each, made }) => [each, made.map(({ at }) => at)])).toEqual([['/media/two', [2]]]);
  expect([failure, program, after]).toEqual([null, '0.1.0', node]);
  writeBackupState(dataDir, {});
  expect(readFileSync(join(dataDir, 'damaged-files.json'), 'utf8')).toContain('backups.json');
  expect(readdirSync(dataDir).some((name) => name.startsWith('backups.json.damaged-'))).toBe(true);
});

it('makes a new id for the node if the old one is damaged, and keeps every folder', () => {
  const { node } = writeBackupState(dataDir, { folders: [folder('one')] });
  const json = JSON.parse(readFileSync(path(), 'utf8'));
  writeFileSync(path(), JSON.stringify({ ...json, node: 'x' }));
  const { node: after, folders } = writeBackupState(dataDir, {});
  expect(folders.map(({ path: each }) => each)).toEqual(['/media/one']);
  expect(after).not.toBe(node);
  expect(readBackupState(dataDir).node).toBe(after);
});

it('is read from the previous copy if the file is unreadable', () => {
  const { node } = writeBackupState(dataDir, { folders: [folder('one')] });
  writeBackupState(dataDir, { program: '0.2.0' });
  writeFileSync(path(), '{"version":2,');
  expect(readBackupState(dataDir)).toMatchObject({ node, folders: [{ path: '/media/one' }] });
});

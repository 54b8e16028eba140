import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { identityToRecipient } from 'age-encryption';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addReadings, makeDataFolder, OWNER_PHRASE, seqsIn } from '../../../test/support/care.ts';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { backupIdentity } from '../../shared/crypto/backup-key.ts';
import { standardSeed } from '../../shared/crypto/phrase/phrase.ts';
import type { Settings } from '../../shared/settings/table.ts';
import { readSettings } from '../settings/settings.ts';
import { readBackupName } from './backup/backup-names.ts';
import { readBackupState, writeBackupState } from './backup/backup-state.ts';
import { Care } from './care.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The level, time, process and host of a line of the log. */
const COMMON_KEYS = 4;

let root: string;
let dataDir: string;
let folder: string;
let settings: Settings;
let now: number;
let care: Care;
let lines: string[];
let deeds: object[];
/** The stops and starts of the node, and the kinds of what was recorded, in order. */
let steps: string[];
let canStop: boolean;
beforeEach(() => {
  root = temporaryFolder();
  dataDir = join(root, 'data');
  folder = join(root, 'backups');
  mkdirSync(folder);
  makeDataFolder(dataDir);
  now = Date.now();
  [lines, deeds, steps, canStop] = [[], [], [], true];
  // Half a day from now, so that no backup is due in the first hours of the test.
  const backupTime = new Date(now + DAY / 2).toTimeString().slice(0, 5);
  settings = { ...readSettings({}, { dataDir, publicEnabled: false }), backupFolder: folder, backupTime };
  care = new Care({
    dataDir,
    settingsFile: join(dataDir, 'settings.json'),
    get settings() {
      return settings;
    },
    log: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }),
    record: async ({ kind, details }) => {
      steps.push(kind);
      deeds.push({ kind, details });
    },
    changed: () => {},
    whileStopped: async (change) => {
      if (!canStop) throw new Error('a write hangs');
      steps.push('stopped');
      await change();
      steps.push('started');
      return { state: 'healthy', message: null };
    },
    now: () => now,
  });
});
afterEach(async () => {
  await care.close();
  removeFolder(root);
});

const made = () => readdirSync(folder).filter((name) => readBackupName(name) !== null);
const idle = () => expect.poll(() => care.work, { timeout: 60_000 }).toBeNull();
/** Checks, as the timer does every half minute, and waits for the work that this starts. */
async function look(): Promise<number> {
  care.look();
  await idle();
  return made().length;
}

describe('a backup', () => {
  it('is made when it is due, once, and again a day later', async () => {
    expect(await look()).toBe(0);
    expect(care.nextAt).toBeGreaterThan(now);
    expect(care.nextAt).toBeLessThanOrEqual(now + DAY);
    now = care.nextAt!;
    expect(await look()).toBe(1);
    // Backups have the system's time, which the test can't set.
    const [known] = readBackupState(dataDir).folders;
    writeBackupState(dataDir, { folders: [{ ...known!, made: known!.made.map((each) => ({ ...each, at: now })) }] });
    expect(await look()).toBe(1);
    expect(care.nextAt).toBeGreaterThan(now);
  });

  it('is not repeated after the clock was set back, and no backup is deleted', async () => {
    care.backUp('demand');
    await idle();
    const before = made();
    now -= DAY;
    for (let hour = 0; hour < 3; hour += 1) {
      expect(await look()).toBe(1);
      now += HOUR;
    }
    expect(made()).toEqual(before);
    // It is also not delayed until the clock shows that time again.
    now -= 400 * DAY;
    care.look();
    const due = care.nextAt!;
    expect(due).toBeLessThanOrEqual(now + DAY);
    now = due;
    await look();
    // The newest backup of a day is kept.
    expect(made()).toHaveLength(1);
    expect(made()).not.toEqual(before);
  });

  it('that fails is tried again an hour later, and is reported as missing', async () => {
    await look();
    const chosen = now;
    rmSync(folder, { recursive: true });
    now = care.nextAt!;
    care.look();
    await idle();
    const { failure } = readBackupState(dataDir);
    expect(failure).toMatchObject({ fault: 'no_folder' });
    writeBackupState(dataDir, { failure: { ...failure!, at: now } });
    expect(care.nextAt).toBe(now + HOUR);
    now += 3 * DAY;
    expect(care.withoutBackupSince).toBe(chosen);
    mkdirSync(folder);
    expect(await look()).toBe(1);
    settings = { ...settings, backupFolder: null };
    expect([care.nextAt, care.withoutBackupSince]).toEqual([null, null]);
  });

  it('runs one at a time', async () => {
    care.backUp('demand');
    expect(() => care.backUp('demand')).toThrow('under way');
    expect(() => care.check({ backup: '/x', opener: null })).toThrow('under way');
    await idle();
    expect(made()).toHaveLength(1);
  });

  it('and its check leave no key in the log, the audit log and the answers', async () => {
    const identity = backupIdentity(standardSeed(OWNER_PHRASE));
    care.backUp('demand', { kind: 'recipient', recipient: await identityToRecipient(identity) });
    await idle();
    const path = join(folder, made()[0]!);
    expect(deeds).toEqual([{ kind: 'backup_made', details: { path, reason: 'demand', encryption: 'recipient' } }]);
    care.check({ backup: path, opener: { kind: 'identity', identity } });
    await idle();
    expect(care.opened).toMatchObject({ kind: 'check', problem: null, contents: { private: { readings: 20 } } });
    const passphrase = 'kettle orbit mango';
    care.check({ backup: path, opener: { kind: 'passphrase', passphrase } });
    await idle();
    expect(care.opened).toMatchObject({ kind: 'check', problem: { fault: 'needs_key' } });
    const [backup, failure] = lines.map((line) => Object.keys(JSON.parse(line)).slice(COMMON_KEYS));
    expect(backup).toEqual(['path', 'bytes', 'durationMs', 'deleted', 'msg']);
    expect(failure).toEqual(['fault', 'reason', 'msg']);
    const answers = JSON.stringify([lines, deeds, care.opened]);
    for (const secret of [identity, passphrase]) expect(answers).not.toContain(secret);
  });

  it('is made after another version of the program has started', async () => {
    writeBackupState(dataDir, { program: '0.0.1' });
    care.whileRunning.start();
    expect(await look()).toBe(1);
    expect(made()[0]).toContain('-before-upgrade');
    await care.whileRunning.stop();
    expect(await look()).toBe(1);
  });
});

describe('a restore', () => {
  const seqs = () => seqsIn(join(dataDir, 'private.db')).length;

  it('and its undoing are recorded on the data that the node then starts with, and a failed one is not', async () => {
    care.backUp('demand');
    await idle();
    const path = join(folder, made()[0]!);
    addReadings(join(dataDir, 'private.db'), 5, 100);
    steps = [];
    care.restore({ backup: join(root, 'missing'), opener: null });
    await idle();
    expect(care.opened).toMatchObject({ kind: 'restore', problem: { fault: 'no_file' }, health: null });
    canStop = false;
    care.restore({ backup: path, opener: null });
    await idle();
    expect(care.opened).toMatchObject({ kind: 'restore', problem: { fault: 'refused' }, health: null });
    expect([steps, seqs()]).toEqual([[], 25]);

    canStop = true;
    care.restore({ backup: path, opener: null });
    await expect.poll(() => care.opened?.health).toEqual({ state: 'healthy', message: null });
    expect([steps, seqs()]).toEqual([['stopped', 'restored', 'started'], 20]);
    expect(deeds.at(-1)).toEqual({ kind: 'restored', details: { path } });

    care.undoRestore();
    expect(() => care.backUp('demand')).toThrow('under way');
    await expect.poll(() => steps.at(-1)).toBe('started');
    expect([steps.slice(3), seqs()]).toEqual([['stopped', 'restore_undone', 'started'], 25]);
    expect(care.opened).toMatchObject({ kind: 'undo', problem: null });
  });
});

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readArchive } from '../../src/main/care/archive/read-archive.ts';
import { readBackupName } from '../../src/main/care/backup/backup-names.ts';
import { finishCutOff } from '../../src/main/care/restore/restore.ts';
import type { SeededRandom } from '../durability/random.ts';
import { addReadings, makeDataFolder, seqsIn } from '../support/care.ts';
import { answerOf, backUp, startCommand } from '../support/wellhouse.ts';

/** The result of a round, and its problem in words. */
export interface KillReport {
  readonly what: 'backup' | 'restore';
  readonly killedAfterMs: number;
  /** Whether the command had ended before it could be killed. */
  readonly hadEnded: boolean;
  /** The state that was found after a restore. */
  readonly found: 'old' | 'new' | null;
  readonly findings: readonly string[];
}

const OLD = 3000;
const NEW = 2000;

/** Kills the making of a backup at random moments (SIGKILL), and restores in place of other data. */
export class KillRounds {
  readonly #dataDir: string;
  readonly #backups: string;
  readonly #restored: string;
  readonly #random: SeededRandom;
  #backup = '';
  #durations = { backup: 0, restore: 0 };

  constructor(root: string, random: SeededRandom) {
    this.#dataDir = join(root, 'data');
    this.#backups = join(root, 'backups');
    this.#restored = join(root, 'restored');
    this.#random = random;
  }

  /** Makes the data, a backup of it that is restored later, and measures how long both take. */
  async prepare(): Promise<void> {
    mkdirSync(this.#restored);
    makeDataFolder(this.#dataDir, NEW);
    this.#durations.backup = await timed(async () => {
      this.#backup = await backUp(this.#dataDir, ['--to', this.#restored, '--plain']);
    });
    this.#durations.restore = await timed(() => answerOf(this.#dataDir, ['restore', this.#backup, '--replace']));
    this.#makeOld();
  }

  get #toBackups(): string[] {
    return ['--to', this.#backups, '--plain'];
  }

  /** A state that differs from that of the backup in each file that is looked at. */
  #makeOld(): void {
    rmSync(this.#dataDir, { recursive: true, force: true });
    // New data may not write into the backup folder of the data before it.
    rmSync(this.#backups, { recursive: true, force: true });
    mkdirSync(this.#backups);
    makeDataFolder(this.#dataDir, NEW);
    addReadings(join(this.#dataDir, 'private.db'), OLD - NEW, NEW + 1);
    addReadings(join(this.#dataDir, 'public.db'), 4, 4);
    rmSync(join(this.#dataDir, 'alerts.json'));
  }

  async backup(): Promise<KillReport> {
    const before = new Set(readdirSync(this.#backups));
    const { killedAfterMs, hadEnded } = await this.#kill('backup', ['backup', ...this.#toBackups]);
    const findings: string[] = [];
    if (this.#state() !== 'old') findings.push('a backup changed the data');
    for (const name of readdirSync(this.#backups).filter((each) => !before.has(each))) {
      // What is unfinished has no name of a backup.
      if (readBackupName(name) === null) continue;
      await readArchive(join(this.#backups, name), null).catch((error: Error) =>
        findings.push(`${name}: ${error.message}`),
      );
      rmSync(join(this.#backups, name));
    }
    rmSync(await backUp(this.#dataDir, this.#toBackups));
    const left = readdirSync(this.#backups).filter((name) => name.endsWith('.part'));
    if (left.length > 0) findings.push(`left behind: ${left}`);
    return { what: 'backup', killedAfterMs, hadEnded, found: null, findings };
  }

  async restore(): Promise<KillReport> {
    const { killedAfterMs, hadEnded } = await this.#kill('restore', ['restore', this.#backup, '--replace']);
    finishCutOff(this.#dataDir);
    const found = this.#state();
    const findings: string[] = [];
    if (found === null) findings.push(`a mixture: ${readdirSync(this.#dataDir)}`);
    const aside = readdirSync(this.#dataDir).filter((name) => name.startsWith('before-restore'));
    if (found === 'new' && seqsIn(join(this.#dataDir, aside[0] ?? '', 'private.db')).length !== OLD)
      findings.push('the old data was not kept');
    if (found === 'old' && aside.length > 0) findings.push('the old data is there twice');
    this.#makeOld();
    return { what: 'restore', killedAfterMs, hadEnded, found, findings };
  }

  async #kill(what: 'backup' | 'restore', args: readonly string[]) {
    const killedAfterMs = Math.round(this.#random.between(0, Math.round(this.#durations[what] * 1.1)));
    const { child, ended } = startCommand(this.#dataDir, args);
    const timer = setTimeout(() => child.kill('SIGKILL'), killedAfterMs);
    const { signal } = await ended;
    clearTimeout(timer);
    return { killedAfterMs, hadEnded: signal === null };
  }

  /** Which state the data folder has; null: neither, whole. */
  #state(): 'old' | 'new' | null {
    const counts = ['private', 'public'].map((name) => seqsIn(join(this.#dataDir, `${name}.db`)).length);
    const hasAlerts = existsSync(join(this.#dataDir, 'alerts.json'));
    const hasNote = existsSync(join(this.#dataDir, 'restored.json'));
    const hasIdentity = readFileSync(join(this.#dataDir, 'identity.mnemonic'), 'utf8').startsWith('legal winner');
    const seen = JSON.stringify([counts, hasAlerts, hasNote, hasIdentity]);
    if (seen === JSON.stringify([[OLD, 7], false, false, true])) return 'old';
    return seen === JSON.stringify([[NEW, 3], true, true, true]) ? 'new' : null;
  }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

import { existsSync, rmSync } from 'node:fs';
import type { Logger } from 'pino';
import type { RestoreHealth } from '../../shared/care/health.ts';
import type { CareProgress } from '../../shared/care/progress.ts';
import type { AuditDetails } from '../../shared/owner-api/audit.ts';
import type { BackupsView } from '../../shared/owner-api/backups.ts';
import type { Settings } from '../../shared/settings/table.ts';
import { BY_NODE, type Deed } from '../audit/audit-log.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { VERSION } from '../common/version.ts';
import type { Lock } from './archive/encryption.ts';
import type { BackupReason } from './archive/manifest.ts';
import { openBackupState, readBackupState, writeBackupState } from './backup/backup-state.ts';
import { backupBeforeMigration } from './backup/before-migration.ts';
import { confirmBackupFolder } from './backup/folder-guard.ts';
import { nextRun, type Times, timesNotAhead, timesOf, withoutBackupSince } from './backup/schedule.ts';
import { CareError, careError } from './care-error.ts';
import { contentsOf } from './contents.ts';
import type { NodePaths } from './node-files.ts';
import { heldBackIn, releaseHeldBack } from './restore/held-back.ts';
import { notePath, undoRestore } from './restore/restore.ts';
import type { CareJobs } from './thread/care-job.ts';
import { type CareThread, startCare } from './thread/care-thread.ts';

const LOOK_EVERY_MS = 30_000;
/** The delay after a start, when devices send their buffered readings. */
const FIRST_LOOK_MS = 60_000;

/** The program that runs the node. */
export interface CareHost extends NodePaths {
  readonly settings: Settings;
  readonly log: Logger;
  /** Called when the answer of `backups` changed. */
  changed(): void;
  /**
   * Stops the node, runs `change`, which must not reject, and starts the node again. Resolves with its health; calls
   * `onSlow` with it if the start takes long. Rejects, without running `change`, if the node can't be stopped.
   */
  whileStopped(change: () => Promise<void>, onSlow: (health: RestoreHealth) => void): Promise<RestoreHealth>;
  readonly now?: () => number;
  /** Adds to the audit log. Never rejects. */
  readonly record?: (deed: Deed) => Promise<void>;
}

type Work = NonNullable<BackupsView['work']>;
type Opened = NonNullable<BackupsView['opened']>;
type AnyThread = CareThread<'backup'> | CareThread<'check'> | CareThread<'restore'>;

/**
 * Runs backups, checks and restores of one node's data, one at a time: scheduled ones and those that the owner
 * requests.
 */
export class Care {
  /** The part that makes scheduled backups while the node runs. */
  readonly whileRunning = { name: 'backups', start: () => this.#begin(), stop: () => this.#end() };
  readonly #host: CareHost;
  #thread: AnyThread | null = null;
  #work: Work | null = null;
  #opened: Opened | null = null;
  #timers: NodeJS.Timeout[] = [];
  #isUpgrade = false;

  constructor(host: CareHost) {
    this.#host = host;
  }

  get work(): Work | null {
    return this.#work;
  }

  /** The outcome of the latest check or restore. */
  get opened(): Opened | null {
    return this.#opened;
  }

  get nextAt(): number | null {
    const times = this.#times();
    return times === null ? null : nextRun(this.#host.settings.backupTime, times, this.#now());
  }

  /** The time since which a backup is missing; null if no backup is expected. */
  get withoutBackupSince(): number | null {
    const times = this.#times();
    return times === null ? null : withoutBackupSince(times, this.#now());
  }

  /** The time of the newest backup in the folder of the settings, in Unix milliseconds; null if there is none. */
  get newestBackupAt(): number | null {
    return this.#times()?.last?.at ?? null;
  }

  #times(): Times | null {
    const { settings, dataDir } = this.#host;
    return timesOf(readBackupState(dataDir), settings.backupFolder);
  }

  /** Makes a backup of stores of an older version before their migration. Never rejects. */
  async beforeMigration(): Promise<void> {
    const { dataDir, settingsFile, settings, log } = this.#host;
    await backupBeforeMigration({ dataDir, settingsFile, settings, lock: this.lock, log });
  }

  /** The recipient of backups by the settings. */
  get lock(): Lock {
    const { backupRecipient } = this.#host.settings;
    return backupRecipient === null ? null : { kind: 'recipient', recipient: backupRecipient };
  }

  /** Starts a backup to the folder of the settings. Throws CareError if it can't start. */
  backUp(reason: BackupReason, lock = this.lock): void {
    const { dataDir, settingsFile, settings } = this.#host;
    const { backupFolder: folder, backupKeepDaily: daily, backupKeepWeekly: weekly } = settings;
    if (folder === null) throw new CareError('no_folder', 'no folder for backups is chosen');
    const order = {
      dataDir,
      settingsFile,
      folder,
      reason,
      lock,
      keep: { daily, weekly, monthly: settings.backupKeepMonthly },
    };
    void this.#run('backup', order, ({ path, bytes, durationMs, deleted }) => {
      this.#host.log.info({ path, bytes, durationMs, deleted: deleted.length }, 'backup made');
      void this.#record('backup_made', { path, reason, encryption: lock?.kind ?? 'none' });
    });
  }

  /** Starts a check of a backup, without changes. Throws CareError if it can't start. */
  check(order: Omit<CareJobs['check']['order'], 'dataDir'>): void {
    const run = this.#run('check', { ...order, dataDir: this.#host.dataDir }, (result) => {
      this.#opened = openedOf('check', order.backup, { contents: contentsOf(result) });
    });
    void run.then((problem) => this.#failed('check', order.backup, problem));
  }

  /** Starts a restore. The node is stopped only for its last step. Throws CareError if it can't start. */
  restore(order: Pick<CareJobs['restore']['order'], 'backup' | 'opener'>): void {
    const { dataDir, settingsFile, log } = this.#host;
    // The thread asks for the stop before its last step, and the node starts after it.
    const stopNode = () =>
      new Promise<void>((stopped, failed) => {
        const place = () => {
          stopped();
          return ended;
        };
        this.#whileStopped(place).catch(failed);
      });
    const run = this.#run(
      'restore',
      { ...order, dataDir, settingsFile, replace: true },
      (result) => {
        log.info({ backup: order.backup, aside: result.aside }, 'restored');
        this.#opened = openedOf('restore', order.backup, { contents: contentsOf(result), aside: result.aside });
      },
      stopNode,
    );
    const ended = run.then(async (problem) => {
      this.#failed('restore', order.backup, problem);
      // The entry is written before the node starts on the restored data.
      if (problem === null) await this.#record('restored', { path: order.backup });
    });
  }

  /** Starts to undo the latest restore. Throws CareError if it can't start. */
  undoRestore(): void {
    if (this.#work !== null) throw new CareError('busy', `a ${this.#work.kind} is under way`);
    this.#work = { kind: 'restore', phase: 'placing', doneBytes: 0, totalBytes: 0 };
    this.#host.changed();
    void this.#undo();
  }

  /**
   * Starts to apply the held-back items that the owner confirmed; the node restarts with them. Throws CareError if it
   * can't start.
   */
  releaseHeldBack(ids: readonly string[]): void {
    if (!heldBackIn(this.#host.dataDir).some(({ id }) => ids.includes(id))) return;
    if (this.#work !== null) throw new CareError('busy', `a ${this.#work.kind} is under way`);
    this.#work = { kind: 'restore', phase: 'placing', doneBytes: 0, totalBytes: 0 };
    this.#host.changed();
    void this.#release(ids);
  }

  async #release(ids: readonly string[]): Promise<void> {
    const { dataDir, settingsFile, log } = this.#host;
    const failed = (error: unknown) => log.error({ err: error }, 'held-back items of a restore could not be applied');
    await this.#placeWhileStopped(async () => {
      releaseHeldBack({ dataDir, settingsFile }, ids);
      log.info({ confirmed: ids }, 'held-back items of a restore are in force');
    }, failed);
  }

  /** Emits that something in the view of backups changed. */
  changed(): void {
    this.#host.changed();
  }

  async #undo(): Promise<void> {
    const { dataDir, settingsFile, log } = this.#host;
    const failed = (error: unknown) => {
      const failure = careError(error, 'the restore was not undone');
      log.error({ fault: failure.fault, reason: failure.message }, 'undoing a restore failed');
      this.#failed('undo', dataDir, failure);
    };
    await this.#placeWhileStopped(async () => {
      const path = undoRestore({ dataDir, settingsFile }) ?? dataDir;
      log.info({ restored: path }, 'restore undone');
      this.#opened = openedOf('undo', path, {});
      await this.#record('restore_undone');
    }, failed);
  }

  /** Runs the last step of the work in progress while the node is stopped. Calls `onFailure` if it failed. */
  async #placeWhileStopped(place: () => Promise<void>, onFailure: (error: unknown) => void): Promise<void> {
    const end = () => {
      this.#work = null;
    };
    try {
      await this.#whileStopped(() => place().catch(onFailure).finally(end));
    } catch (error) {
      onFailure(error);
      end();
    }
  }

  /** Runs `change` while the node is stopped, then records the health of the started node with the outcome. */
  async #whileStopped(change: () => Promise<void>): Promise<void> {
    const keep = (health: RestoreHealth) => {
      if (this.#opened !== null) this.#opened = { ...this.#opened, health };
      if (health.state !== 'healthy') this.#host.log.error({ ...health }, 'the node did not come up healthy');
      this.#host.changed();
    };
    keep(await this.#host.whileStopped(change, keep));
  }

  cancel(): void {
    this.#thread?.cancel();
  }

  /** Accepts a folder for this node on the owner's word. Rejects with CareError. */
  async confirmFolder(folder: string): Promise<void> {
    await confirmBackupFolder(folder, this.#host.dataDir);
    this.dismissRestored();
  }

  /** Call this when the owner has read the note that the data was restored. */
  dismissRestored(): void {
    rmSync(notePath(this.#host.dataDir), { force: true });
    this.#host.changed();
  }

  /** Ends the running work before the program ends. */
  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #begin(): void {
    const { dataDir, log } = this.#host;
    const { program } = openBackupState({ path: dataDir, log, now: () => this.#now() });
    this.#isUpgrade = program !== null && program !== VERSION;
    if (program !== VERSION) this.#remember({ program: VERSION });
    const first = setTimeout(() => this.look(), FIRST_LOOK_MS).unref();
    this.#timers = [first, setInterval(() => this.look(), LOOK_EVERY_MS).unref()];
    this.#followFolder();
  }

  #end(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    // A restore stops the node itself. The thread is not awaited: the copy of a store can't be interrupted, and the
    // stop can't wait for it.
    if (this.#work?.kind === 'backup') void this.#thread?.terminate();
  }

  /** Makes a backup if one is due. A timer calls it. */
  look(): void {
    const { settings, log } = this.#host;
    this.#followClock();
    this.#followFolder();
    const { nextAt } = this;
    if (nextAt === null || settings.backupFolder === null || this.#work !== null) return;
    const isDue = nextAt <= this.#now();
    if (!isDue && !this.#isUpgrade) return;
    const reason = this.#isUpgrade ? 'upgrade' : 'schedule';
    this.#isUpgrade = false;
    try {
      this.backUp(reason);
    } catch (error) {
      log.error({ err: error }, 'a scheduled backup can’t start');
    }
  }

  #followClock(): void {
    const change = timesNotAhead(readBackupState(this.#host.dataDir), this.#now());
    if (change !== null) this.#remember(change);
  }

  /** Records the folder of the settings and the time since which backups are expected in it. */
  #followFolder(): void {
    const { settings, dataDir } = this.#host;
    const { chosen } = readBackupState(dataDir);
    const path = settings.backupFolder;
    if ((chosen?.path ?? null) === path || !existsSync(dataDir)) return;
    this.#remember({ chosen: path === null ? null : { path, at: this.#now() }, failure: null });
  }

  #remember(change: Parameters<typeof writeBackupState>[1]): void {
    try {
      writeBackupState(this.#host.dataDir, change);
    } catch (error) {
      this.#host.log.warn({ err: error }, 'the state of backups can’t be written');
    }
  }

  /** Resolves with the failure, or null. Throws CareError if other work is running. */
  #run<K extends Work['kind']>(
    kind: K,
    order: CareJobs[K]['order'],
    onDone: (result: CareJobs[K]['result']) => void,
    stopNode?: () => Promise<void>,
  ): Promise<CareError | null> {
    if (this.#work !== null) throw new CareError('busy', `a ${this.#work.kind} is under way`);
    const { log, changed } = { log: this.#host.log, changed: () => this.#host.changed() };
    this.#work = { kind, phase: null, doneBytes: 0, totalBytes: 0 };
    const thread = startCare(kind, order, {
      onProgress: (progress) => {
        this.#work = { kind, ...(progress as CareProgress) };
        changed();
      },
      ...(stopNode === undefined ? {} : { stopNode }),
    });
    this.#thread = thread as unknown as AnyThread;
    changed();
    const settled = (error: CareError | null) => {
      this.#thread = null;
      this.#work = null;
      changed();
      return error;
    };
    return thread.done.then(
      (result) => {
        onDone(result);
        return settled(null);
      },
      (error: unknown) => {
        const failure = careError(error, `the ${kind} failed`);
        log.error({ fault: failure.fault, reason: failure.message }, `a ${kind} failed`);
        return settled(failure);
      },
    );
  }

  #failed(kind: Opened['kind'], path: string, problem: CareError | null): void {
    if (problem === null) return;
    const { fault, message } = problem;
    this.#opened = openedOf(kind, path, { problem: { fault, message } });
    this.#host.changed();
  }

  async #record(kind: Deed['kind'], details: AuditDetails = {}): Promise<void> {
    await this.#host.record?.({ who: BY_NODE, from: null, kind, details });
  }

  #now(): number {
    return this.#host.now?.() ?? SYSTEM_CLOCK.now();
  }
}

function openedOf(kind: Opened['kind'], path: string, rest: Partial<Opened>): Opened {
  return { kind, path, at: SYSTEM_CLOCK.now(), contents: null, problem: null, aside: null, health: null, ...rest };
}

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
/** After a start, devices that waited come first. */
const FIRST_LOOK_MS = 60_000;

/** The program that holds the node. */
export interface CareHost extends NodePaths {
  readonly settings: Settings;
  readonly log: Logger;
  /** Something of `backups` changed. */
  changed(): void;
  /** Stops the node; resolves with what starts it again, and tells how it came up (`onSlow`: that it takes long). */
  stopNode(): Promise<StartNode>;
  readonly now?: () => number;
  /** Adds to the audit log. Never rejects. */
  readonly record?: (deed: Deed) => Promise<void>;
}

/** Resolves with how the node came up. Never rejects. */
export type StartNode = (onSlow: (health: RestoreHealth) => void) => Promise<RestoreHealth>;

type Work = NonNullable<BackupsView['work']>;
type Opened = NonNullable<BackupsView['opened']>;
type AnyThread = CareThread<'backup'> | CareThread<'check'> | CareThread<'restore'>;

/** Looks after the data of one node: makes backups when they are due, and what the owner asks for. One thing at a time. */
export class Care {
  /** Makes backups when they are due, while the node runs. */
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

  /** How the latest check or restore ended. */
  get opened(): Opened | null {
    return this.#opened;
  }

  get nextAt(): number | null {
    const times = this.#times();
    return times === null ? null : nextRun(this.#host.settings.backupTime, times, this.#now());
  }

  /** Since when there is no new backup though there should be; null where none is expected. */
  get withoutBackupSince(): number | null {
    const times = this.#times();
    return times === null ? null : withoutBackupSince(times, this.#now());
  }

  /** When the newest backup in the folder of the settings was made, in Unix milliseconds; null: none was. */
  get newestBackupAt(): number | null {
    return this.#times()?.last?.at ?? null;
  }

  #times(): Times | null {
    const { settings, dataDir } = this.#host;
    return timesOf(readBackupState(dataDir), settings.backupFolder);
  }

  /** Makes a backup of stores that are of an older version, before they are brought up to date. Never rejects. */
  async beforeMigration(): Promise<void> {
    const { dataDir, settingsFile, settings, log } = this.#host;
    await backupBeforeMigration({ dataDir, settingsFile, settings, lock: this.lock, log });
  }

  /** The recipient of backups by the settings. */
  get lock(): Lock {
    const { backupRecipient } = this.#host.settings;
    return backupRecipient === null ? null : { kind: 'recipient', recipient: backupRecipient };
  }

  /** Begins a backup to the folder of the settings. Throws CareError where that can't be. */
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

  /** Begins to open a backup, and changes nothing. Throws CareError where that can't be. */
  check(order: Omit<CareJobs['check']['order'], 'dataDir'>): void {
    const run = this.#run('check', { ...order, dataDir: this.#host.dataDir }, (result) => {
      this.#opened = openedOf('check', order.backup, { contents: contentsOf(result) });
    });
    void run.then((problem) => this.#failed('check', order.backup, problem));
  }

  /** Begins to put a backup in place of the present data; the node is stopped for the last moment of it. */
  restore(order: Pick<CareJobs['restore']['order'], 'backup' | 'opener'>): void {
    const { dataDir, settingsFile, log } = this.#host;
    let start: StartNode | null = null;
    const stopNode = async () => {
      start = await this.#host.stopNode();
    };
    const run = this.#run(
      'restore',
      { ...order, dataDir, settingsFile, replace: true },
      (result) => {
        log.info({ backup: order.backup, aside: result.aside }, 'restored');
        this.#opened = openedOf('restore', order.backup, { contents: contentsOf(result), aside: result.aside });
      },
      stopNode,
    );
    void run.then(async (problem) => {
      this.#failed('restore', order.backup, problem);
      // Before the node starts on what was restored.
      if (problem === null) await this.#record('restored', { path: order.backup });
      await this.#startAgain(start);
    });
  }

  /** Begins to put back the data that the latest restore put aside. Throws CareError where that can't be. */
  undoRestore(): void {
    if (this.#work !== null) throw new CareError('busy', `a ${this.#work.kind} is under way`);
    this.#work = { kind: 'restore', phase: 'placing', doneBytes: 0, totalBytes: 0 };
    this.#host.changed();
    void this.#undo();
  }

  /** Begins to put into force what waits for the owner's word; the node starts again with it. Throws CareError where that can't be. */
  releaseHeldBack(ids: readonly string[]): void {
    if (!heldBackIn(this.#host.dataDir).some(({ id }) => ids.includes(id))) return;
    if (this.#work !== null) throw new CareError('busy', `a ${this.#work.kind} is under way`);
    this.#work = { kind: 'restore', phase: 'placing', doneBytes: 0, totalBytes: 0 };
    this.#host.changed();
    void this.#release(ids);
  }

  async #release(ids: readonly string[]): Promise<void> {
    const { dataDir, settingsFile, log } = this.#host;
    let start: StartNode | null = null;
    try {
      start = await this.#host.stopNode();
      releaseHeldBack({ dataDir, settingsFile }, ids);
      log.info({ confirmed: ids }, 'what was held back after a restore is in force');
    } catch (error) {
      log.error({ err: error }, 'what was held back after a restore stays so');
    }
    this.#work = null;
    await this.#startAgain(start);
  }

  /** Has whoever shows backups told that something of them is another. */
  changed(): void {
    this.#host.changed();
  }

  async #undo(): Promise<void> {
    const { dataDir, settingsFile, log } = this.#host;
    let start: StartNode | null = null;
    try {
      start = await this.#host.stopNode();
      const path = undoRestore({ dataDir, settingsFile }) ?? dataDir;
      log.info({ restored: path }, 'restore undone');
      this.#opened = openedOf('undo', path, {});
      await this.#record('restore_undone');
    } catch (error) {
      const failure = careError(error, 'the restore was not undone');
      log.error({ fault: failure.fault, reason: failure.message }, 'undoing a restore failed');
      this.#failed('undo', dataDir, failure);
    }
    this.#work = null;
    await this.#startAgain(start);
  }

  /** Starts the node that was stopped, and keeps how it came up with what it found. */
  async #startAgain(start: StartNode | null): Promise<void> {
    if (start === null) return;
    const keep = (health: RestoreHealth) => {
      if (this.#opened !== null) this.#opened = { ...this.#opened, health };
      if (health.state !== 'healthy') this.#host.log.error({ ...health }, 'the node did not come up healthy');
      this.#host.changed();
    };
    keep(await start(keep));
  }

  cancel(): void {
    this.#thread?.cancel();
  }

  /** The owner says that a folder is this node's from now on. Rejects with CareError. */
  async confirmFolder(folder: string): Promise<void> {
    await confirmBackupFolder(folder, this.#host.dataDir);
    this.dismissRestored();
  }

  /** The owner has read that the data was restored. */
  dismissRestored(): void {
    rmSync(notePath(this.#host.dataDir), { force: true });
    this.#host.changed();
  }

  /** Ends what is under way, for the end of the program. */
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
    // A restore stops the node itself. Nobody waits: a store that is being copied can't be left, and the node's stop can't wait.
    if (this.#work?.kind === 'backup') void this.#thread?.terminate();
  }

  /** Makes a backup where one is due; it does so by itself. */
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

  /** From when on backups are expected in a folder. */
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

  /** Resolves with why it failed; null: it did not. Throws CareError where something else is under way. */
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

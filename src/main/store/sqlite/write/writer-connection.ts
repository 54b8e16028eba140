import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import type { StoreFault } from '../../../common/node-events.ts';
import type { Durability, StoreBounds } from '../../port.ts';
import { advanceChangeCounter, openForWriting } from '../file/database.ts';
import { codeOf, faultOf, isBusy } from '../file/fault.ts';
import { STORE_VERSION } from '../file/migrations.ts';
import { DeviceNumbers } from './device-numbers.ts';
import { KeptFrom } from './kept-from.ts';
import { LogWriter } from './log-writer.ts';
import { RollupWriter } from './rollup-writer.ts';
import { SyncLevel } from './sync-level.ts';
import type { ChunkJob, WriteFailure, WriteJob, WriteOutcome } from './write-jobs.ts';
import { prepareWrites } from './write-statements.ts';

/** The options for opening a store for writing. */
export interface WriterOptions {
  readonly path: string;
  readonly durability: Durability;
  /** null if the store has no bounds. */
  readonly bounds: StoreBounds | null;
}

const FREE_SPACE_CHECK_MS = 1000;

/** The only writing connection of a store. Runs groups of jobs: each group is one transaction with one sync. */
export class WriterConnection {
  readonly #db: Database.Database;
  readonly #options: WriterOptions;
  readonly #numbers: DeviceNumbers;
  readonly #syncs: SyncLevel;
  readonly #rollups: RollupWriter;
  readonly #keptFrom: KeptFrom;
  readonly #log: LogWriter;
  readonly #run;
  readonly #begin;
  readonly #commit;
  readonly #rollback;
  readonly #pageCount;
  readonly #pageBytes: number;
  #room = { free: 0, total: 0 };
  #diskReadAt = Number.NEGATIVE_INFINITY;

  constructor(options: WriterOptions) {
    this.#options = options;
    const first = openForWriting(options.path, options.durability);
    first.pragma('busy_timeout = 0');
    advanceChangeCounter(first);
    first.close();
    this.#db = openForWriting(options.path, options.durability);
    // The caller waits for a lock without blocking its thread.
    this.#db.pragma('busy_timeout = 0');
    advanceChangeCounter(this.#db);
    this.#numbers = new DeviceNumbers(this.#db);
    this.#syncs = new SyncLevel(this.#db);
    this.#rollups = new RollupWriter(this.#db, this.#syncs);
    this.#keptFrom = new KeptFrom(this.#db);
    this.#log = new LogWriter(this.#db, this.#syncs);
    this.#run = prepareWrites(this.#db, options.bounds, this.#numbers, this.#rollups, this.#keptFrom, this.#log);
    this.#begin = this.#db.prepare('BEGIN IMMEDIATE');
    this.#commit = this.#db.prepare('COMMIT');
    this.#rollback = this.#db.prepare('ROLLBACK');
    this.#pageCount = this.#db.prepare('PRAGMA page_count').pluck();
    this.#pageBytes = this.#db.pragma('page_size', { simple: true }) as number;
  }

  /**
   * Writes the jobs of a group in one transaction. When this returns, the written data is on disk; without `isToSync`,
   * a power cut may undo it. Returns null if another process uses the store: nothing was done, so retry.
   */
  runGroup(jobs: readonly (WriteJob | ChunkJob)[], isToSync = true): WriteOutcome[] | null {
    try {
      const full = jobs.some(takesRoom) ? this.#refusalForSpace() : null;
      if (full !== null) return this.#runBut(full, jobs, isToSync);
      this.#syncs.ensure();
      return isToSync ? this.#inTransaction(jobs) : this.#syncs.relaxed(() => this.#inTransaction(jobs));
    } catch (error) {
      if (isBusy(error)) return null;
      const failure = describe(error);
      // A fault of the storage affects every job. Any other fault may come from one job, so each job is retried alone.
      if (failure.code !== null || jobs.length === 1) return jobs.map(() => failure);
      return jobs.flatMap((job) => this.runGroup([job], isToSync) ?? [busyOutcome]);
    }
  }

  /** Returns why a reading would be refused now, or null. With `isToTry`, it rewrites an existing value to find out. */
  refusal(isToTry: boolean): WriteFailure | null {
    try {
      const full = this.#refusalForSpace();
      if (full === null && isToTry) this.#db.pragma(`user_version = ${STORE_VERSION}`);
      return full;
    } catch (error) {
      return isBusy(error) ? busyOutcome : describe(error);
    }
  }

  /** Returns unused pages to the disk, outside of any transaction. */
  compact(): WriteOutcome {
    try {
      this.#syncs.ensure();
      this.#db.exec('VACUUM');
      this.#db.pragma('wal_checkpoint(TRUNCATE)');
      return { ok: true, result: null };
    } catch (error) {
      return describe(error);
    }
  }

  /** Sets whether each commit is synced from now on. */
  setDurability(durability: Durability): WriteOutcome {
    try {
      this.#syncs.set(durability);
      return { ok: true, result: null };
    } catch (error) {
      return describe(error);
    }
  }

  /**
   * Sums readings up by the hour, and then hashes them, for about `budgetMs` each. Returns whether more work is left.
   */
  sumUp(budgetMs: number): boolean {
    try {
      const hasMore = this.#rollups.work(budgetMs);
      return this.#log.work(budgetMs) || hasMore;
    } catch {
      // The store is busy or full. The marks of unfinished work are on disk, so it is done later.
      return false;
    }
  }

  /** Call this every few minutes. */
  findHoursThatAreOver(): void {
    this.#rollups.findOver();
  }

  close(): void {
    this.#db.close();
  }

  #inTransaction(jobs: readonly (WriteJob | ChunkJob)[]): WriteOutcome[] {
    this.#begin.run();
    try {
      const outcomes = jobs.map((job): WriteOutcome => ({ ok: true, result: this.#run(job) }));
      this.#commit.run();
      this.#rollups.committed();
      this.#log.committed();
      return outcomes;
    } catch (error) {
      // After some errors, such as a full disk, SQLite has already rolled back.
      if (this.#db.inTransaction) this.#rollback.run();
      this.#numbers.rolledBack();
      this.#rollups.rolledBack();
      this.#keptFrom.rolledBack();
      this.#log.rolledBack();
      throw error;
    }
  }

  /** The owner's writes continue while devices are refused, because deleting may make room. */
  #runBut(full: WriteFailure, jobs: readonly (WriteJob | ChunkJob)[], isToSync: boolean): WriteOutcome[] | null {
    const others = jobs.filter((job) => !takesRoom(job));
    const outcomes = others.length === 0 ? [] : this.runGroup(others, isToSync);
    return outcomes && jobs.map((job) => (takesRoom(job) ? full : outcomes.shift()!));
  }

  #refusalForSpace(): WriteFailure | null {
    const bounds = this.#options.bounds;
    if (bounds === null) return null;
    const bytes = (this.#pageCount.get() as number) * this.#pageBytes;
    if (bytes >= bounds.maxBytes) return refused('limit', `the store holds its limit of ${bounds.maxBytes} bytes`);
    const { free, total } = this.#disk();
    // Some file systems, such as network file systems, report no sizes: then nothing is kept free.
    const kept = Math.min(bounds.minFreeBytes, Math.floor(bounds.minFreePart * total));
    if (free < kept) return refused('reserved', `the last ${kept} bytes of the disk are kept free`);
    return null;
  }

  #disk(): { readonly free: number; readonly total: number } {
    const now = performance.now();
    if (now - this.#diskReadAt >= FREE_SPACE_CHECK_MS) {
      const { bavail, blocks, bsize } = statfsSync(dirname(this.#options.path));
      this.#room = { free: bavail * bsize, total: blocks * bsize };
      this.#diskReadAt = now;
    }
    return this.#room;
  }
}

/**
 * Returns whether a job comes from a device, so that it may be refused if there is no room. Counts are small, and count
 * readings that were stored.
 */
export function takesRoom({ kind }: { readonly kind: (WriteJob | ChunkJob)['kind'] }): boolean {
  return kind === 'chunk' || kind === 'append' || kind === 'register';
}

/** Returns whether a store has reached one of its bounds. */
export function isBound(code: StoreFault): boolean {
  return code === 'limit' || code === 'reserved';
}

function refused(code: StoreFault, message: string): WriteFailure {
  return { ok: false, code, message, engineCode: null };
}

/** The outcome of a job that waited too long for another process. */
export const busyOutcome = refused('busy', 'another process uses the store');

function describe(error: unknown): WriteFailure {
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, code: faultOf(error), message, engineCode: codeOf(error) };
}

import type { Logger } from 'pino';
import { parseCheckpoint, parseNote } from '../../shared/proof/note.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { Clock } from '../common/clock.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile } from '../state-files/state-file.ts';
import type { Store } from '../store/port.ts';
import { isStorageFault } from '../store/storage-unavailable.ts';
import type { StoreLog } from '../store/store-log.ts';
import type { LogReader } from '../store/stores-view.ts';
import { continues, type KnownHead } from './check-log.ts';
import { LOG_HEADS_FILE } from './log-heads.ts';
import { LogSigner } from './log-key.ts';

const LOOK_MS = 5000;
/** One step occupies the database for about ten milliseconds. */
const ENTRIES_AT_ONCE = 300;
/** If a node disappears, another one takes over after this time. */
const LEASE_MS = 30_000;
const RENEW_AFTER_MS = 10_000;
const LEASE = 'log';
const SIGN_EVERY_MS = 3_600_000;
/** The delay after a start, so that new entries are in the tree. */
const FIRST_SIGN_MS = 60_000;

export interface SharedLogDependencies {
  readonly dataDir: () => string;
  readonly store: () => Store | null;
  readonly openLog: () => Promise<LogReader>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Maintains the log of a shared store; one of the nodes does this at a time. It adds stored data to the tree within
 * some seconds, and signs a checkpoint once an hour if entries were added and the tree continues the last signed one.
 */
export class SharedLog {
  readonly name = 'log of the shared store';
  readonly #dependencies: SharedLogDependencies;
  readonly #runs = new SerialQueue();
  #heads: StateFile<typeof LOG_HEADS_FILE.schema> | null = null;
  #isStopping = false;
  #leasedAt = Number.NEGATIVE_INFINITY;
  #signAt = Number.POSITIVE_INFINITY;
  #endWait = () => {};

  constructor(dependencies: SharedLogDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    const { dataDir, log, clock } = this.#dependencies;
    this.#heads = openStateFile(LOG_HEADS_FILE, { path: dataDir(), log, now: () => clock.now() });
    this.#signAt = this.#dependencies.clock.steady() + FIRST_SIGN_MS;
    this.#plan();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#endWait();
    await this.#runs.settled();
  }

  /** Adds the waiting entries to the tree, unless another node does this. Resolves with whether this node did it. */
  logWaiting(): Promise<boolean> {
    return this.#runs.run(async () => {
      const shared = this.#dependencies.store()?.shared;
      if (shared === undefined) return false;
      for (;;) {
        if (!(await this.#mayGoOn())) return false;
        if ((await shared.logWaiting(ENTRIES_AT_ONCE)) < ENTRIES_AT_ONCE) return true;
      }
    });
  }

  /** Signs a checkpoint of the current tree. Called by the timer and by tests. */
  sign(): Promise<void> {
    return this.#runs.run(async () => {
      const { dataDir, store: find, openLog, clock, log } = this.#dependencies;
      const shared = find()?.shared;
      if (shared === undefined) return;
      const heads = this.#heads!.read() ?? { version: 1, private: null, public: null };
      const last = heads.public;
      const reader = await openLog();
      let checkpoint: { readonly size: number; readonly note: string } | null;
      try {
        checkpoint = await reader.snapshot(async (view) => {
          const tree = await view.log('public');
          const broken = [last, newestOf(tree)].find((head) => head !== null && !continues(tree, head));
          if (last !== null && (broken !== undefined) !== (last.brokenSince !== null)) {
            const brokenSince = broken === undefined ? null : clock.now();
            await this.#heads!.write(() => ({ ...heads, public: { ...last, brokenSince } }));
          }
          if (broken != null) {
            log.error(
              { size: tree.size, signed: broken.size },
              'the public store does not continue what was signed: it was changed or put back; wellhouse verify --store says more',
            );
            return null;
          }
          if (tree.size === (newestOf(tree)?.size ?? 0)) return null;
          return { size: tree.size, note: new LogSigner(dataDir()).checkpoint('public', tree) };
        });
      } finally {
        await reader.close();
      }
      if (checkpoint === null) return;
      const at = clock.now();
      await shared.addCheckpoint({ ...checkpoint, at });
      const { size, root } = headOf(checkpoint.note)!;
      await this.#heads!.write(() => ({ ...heads, public: { size, root, at, brokenSince: null } }));
    });
  }

  #plan(): void {
    this.#endWait = this.#dependencies.clock.after(LOOK_MS, () => {
      this.#plan();
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    try {
      if (!(await this.logWaiting()) || this.#dependencies.clock.steady() < this.#signAt) return;
      this.#signAt = this.#dependencies.clock.steady() + SIGN_EVERY_MS;
      await this.sign();
    } catch (error) {
      const { log } = this.#dependencies;
      if (isStorageFault(error)) log.debug({ err: error }, 'the log of the public store waits for the database');
      else log.warn({ err: error }, 'the log of the public store can’t go on');
    }
  }

  async #mayGoOn(): Promise<boolean> {
    if (this.#isStopping) return false;
    if (this.#dependencies.clock.steady() - this.#leasedAt < RENEW_AFTER_MS) return true;
    const isMine = await this.#dependencies.store()!.shared!.lease(LEASE, LEASE_MS);
    this.#leasedAt = isMine ? this.#dependencies.clock.steady() : Number.NEGATIVE_INFINITY;
    return isMine;
  }
}

function newestOf(tree: StoreLog): KnownHead | null {
  const newest = tree.checkpoints().at(-1);
  return newest === undefined ? null : headOf(newest.note);
}

/** Returns the tree of a checkpoint; null if the text is not a checkpoint. */
function headOf(text: string): KnownHead | null {
  const note = parseNote(text);
  const said = note === null ? null : parseCheckpoint(note.text);
  return said === null ? null : { size: said.size, root: Buffer.from(said.root).toString('hex') };
}

import type { Logger } from 'pino';
import { parseCheckpoint, parseNote } from '../../shared/proof/note.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { Clock } from '../common/clock.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile } from '../state-files/state-file.ts';
import type { StoreLocations } from '../store/engine.ts';
import { openStoresReader } from '../store/engines.ts';
import type { Store } from '../store/port.ts';
import { continues } from './check-log.ts';
import { LOG_HEADS_FILE } from './log-heads.ts';
import { LogSigner } from './log-key.ts';

const EVERY_MS = 3_600_000;
/** After a start, so that what it brings has been hashed. */
const FIRST_MS = 60_000;
const STORES: readonly StoreName[] = ['private', 'public'];

/** The dependencies of making checkpoints. */
export interface CheckpointsDependencies {
  readonly dataDir: () => string;
  readonly store: (name: StoreName) => Store | null;
  readonly locations: () => StoreLocations;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Signs a checkpoint of each store's log once an hour, where something was added; a part of the node. None is signed of a
 * tree that does not go on from the one that was signed last.
 */
export class Checkpoints {
  readonly name = 'checkpoints';
  readonly #dependencies: CheckpointsDependencies;
  readonly #runs = new SerialQueue();
  #heads: StateFile<typeof LOG_HEADS_FILE.schema> | null = null;
  #endWait = () => {};

  constructor(dependencies: CheckpointsDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    const { dataDir, log, clock } = this.#dependencies;
    this.#heads = openStateFile(LOG_HEADS_FILE, { path: dataDir(), log, now: () => clock.now() });
    this.#plan(FIRST_MS);
  }

  async stop(): Promise<void> {
    this.#endWait();
    await this.#runs.settled();
  }

  /** Signs what is due now; for the plan, and for tests. */
  sign(): Promise<void> {
    return this.#runs.run(async () => {
      for (const name of STORES) {
        try {
          await this.#signFor(name);
        } catch (error) {
          this.#dependencies.log.warn(
            { err: error, store: name },
            'no checkpoint was signed; the next hour tries again',
          );
        }
      }
    });
  }

  #plan(ms: number): void {
    this.#endWait = this.#dependencies.clock.after(ms, () => {
      this.#plan(EVERY_MS);
      void this.sign();
    });
  }

  async #signFor(name: StoreName): Promise<void> {
    const { dataDir, store: find, locations, clock, log } = this.#dependencies;
    const store = find(name);
    if (store?.addCheckpoint === undefined) return;
    const heads = this.#heads!.read() ?? { version: 1, private: null, public: null };
    const last = heads[name];
    const reader = await openStoresReader(locations());
    let checkpoint: { readonly size: number; readonly note: string } | null;
    try {
      checkpoint = await reader.snapshot(async (view) => {
        const tree = await view.log(name);
        if (tree.size === (last?.size ?? 0)) return null;
        if (last !== null && !continues(tree, last)) {
          log.error(
            { store: name, size: tree.size, signed: last.size },
            'the store does not continue what was signed: it was changed or put back; wellhouse verify --store says more',
          );
          return null;
        }
        return { size: tree.size, note: new LogSigner(dataDir()).checkpoint(name, tree) };
      });
    } finally {
      await reader.close();
    }
    if (checkpoint === null) return;
    const at = clock.now();
    await store.addCheckpoint({ ...checkpoint, at });
    const root = Buffer.from(parseCheckpoint(parseNote(checkpoint.note)!.text)!.root).toString('hex');
    await this.#heads!.write(() => ({ ...heads, [name]: { size: checkpoint.size, root, at } }));
  }
}

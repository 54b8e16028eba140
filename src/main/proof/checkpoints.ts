import type { Logger } from 'pino';
import type { CheckpointOutlet, WitnessedStore } from '../../shared/owner-api/witnesses.ts';
import { formatKey, parseCheckpoint, parseNote } from '../../shared/proof/note.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { Clock } from '../common/clock.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile } from '../state-files/state-file.ts';
import type { StoreLocations } from '../store/engine.ts';
import { openStoresReader } from '../store/engines.ts';
import type { Store } from '../store/port.ts';
import type { StoreLog } from '../store/store-log.ts';
import { continues } from './check-log.ts';
import { CheckpointOutlets } from './checkpoint-outlets.ts';
import { findingsOf } from './log-findings.ts';
import { LOG_HEADS_FILE } from './log-heads.ts';
import { LogSigner, sha256 } from './log-key.ts';
import { LogWitnesses, type WitnessNode } from './log-witnesses.ts';
import type { Outlet } from './outlet-kinds.ts';

const EVERY_MS = 3_600_000;
/** The delay after a start, so that new entries are hashed. */
const FIRST_MS = 60_000;
const RETRY_MS = 60_000;
const STORES: readonly StoreName[] = ['private', 'public'];

export interface CheckpointsDependencies {
  readonly dataDir: () => string;
  readonly store: (name: StoreName) => Store | null;
  readonly locations: () => StoreLocations;
  /** Returns the nodes that can be asked to cosign now. */
  readonly witnesses: () => readonly WitnessNode[];
  /** The file and the webhook that get each checkpoint. */
  readonly outlets: readonly Outlet[];
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Signs a checkpoint of each store's log once an hour if entries were added, and has the owner's other nodes cosign it.
 * A part of the node. It never signs a tree that does not continue the last signed one.
 */
export class Checkpoints {
  readonly name = 'checkpoints';
  readonly #dependencies: CheckpointsDependencies;
  readonly #runs = new SerialQueue();
  #heads: StateFile<typeof LOG_HEADS_FILE.schema> | null = null;
  #witnesses: LogWitnesses | null = null;
  #outlets: CheckpointOutlets | null = null;
  /** The number of consecutive failed attempts to send. */
  #failures = 0;
  #isStopped = false;
  #endRetry = () => {};
  #endWait = () => {};

  constructor(dependencies: CheckpointsDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    const { dataDir, log, clock } = this.#dependencies;
    const folder = { path: dataDir(), log, now: () => clock.now() };
    this.#heads = openStateFile(LOG_HEADS_FILE, folder);
    this.#witnesses = new LogWitnesses(folder);
    this.#outlets = new CheckpointOutlets(this.#dependencies.outlets, folder);
    this.#plan(FIRST_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endWait();
    this.#endRetry();
    this.#outlets?.end();
    await this.#runs.settled();
  }

  /** Who has cosigned the stores' logs, and whether the logs continue the signed trees. */
  get view(): WitnessedStore[] {
    const [heads, witnessed] = [this.#heads?.peek() ?? null, this.#witnesses?.all ?? []];
    const findings = findingsOf(this.#dependencies.dataDir());
    return STORES.flatMap((store) => {
      if (this.#dependencies.store(store)?.addCheckpoint === undefined) return [];
      const { size = 0, at = 0, brokenSince: since = null } = heads?.[store] ?? {};
      const found = findings.find((each) => each.store === store);
      const witnesses = witnessed
        .filter((each) => each.store === store)
        .map(({ node, key, since, at, size, refusedAt }) => ({ node, key, since, at, size, refusedAt }));
      const broken = since === null ? null : { size, at, since };
      return [{ store, broken, found: found ? { at: found.at, count: found.count } : null, witnesses }];
    });
  }

  /** The state of the outlets. */
  get outlets(): CheckpointOutlet[] {
    return this.#outlets?.view ?? [];
  }

  /** Signs the checkpoints that are due, has them cosigned and sends them. Called by the timer and by tests. */
  sign(): Promise<void> {
    return this.#runs.run(async () => {
      let isSent = true;
      for (const name of STORES) {
        try {
          await this.#signFor(name);
          await this.#haveCosigned(name);
          isSent = (await this.#sendOut(name)) && isSent;
        } catch (error) {
          this.#dependencies.log.warn(
            { err: error, store: name },
            'no checkpoint was signed; the next hour tries again',
          );
        }
      }
      this.#planRetry(isSent);
    });
  }

  /** Retries before the next hour if something was not sent. */
  #planRetry(isSent: boolean): void {
    this.#endRetry();
    this.#failures = isSent ? 0 : this.#failures + 1;
    if (isSent || this.#isStopped) return;
    const ms = Math.min(RETRY_MS * 2 ** (this.#failures - 1), EVERY_MS);
    this.#endRetry = this.#dependencies.clock.after(ms, () => void this.sign());
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
        const isBroken = last !== null && !continues(tree, last);
        if (last !== null && isBroken !== (last.brokenSince !== null)) {
          const brokenSince = isBroken ? clock.now() : null;
          await this.#heads!.write(() => ({ ...heads, [name]: { ...last, brokenSince } }));
        }
        if (isBroken) {
          log.error(
            { store: name, size: tree.size, signed: last.size },
            'the store does not continue what was signed: it was changed or put back; wellhouse verify --store says more',
          );
          return null;
        }
        if (tree.size === (last?.size ?? 0)) return null;
        return { size: tree.size, note: new LogSigner(dataDir()).checkpoint(name, tree) };
      });
    } finally {
      await reader.close();
    }
    if (checkpoint === null) return;
    const at = clock.now();
    await store.addCheckpoint({ ...checkpoint, at });
    const root = Buffer.from(parseCheckpoint(parseNote(checkpoint.note)!.text)!.root).toString('hex');
    await this.#heads!.write(() => ({ ...heads, [name]: { size: checkpoint.size, root, at, brokenSince: null } }));
  }

  /** Sends the newest checkpoint to the other nodes that have not cosigned it. */
  async #haveCosigned(name: StoreName): Promise<void> {
    const { dataDir, witnesses, log } = this.#dependencies;
    const nodes = witnesses();
    const head = this.#heads!.peek()?.[name] ?? null;
    if (nodes.length === 0 || head === null || head.brokenSince !== null) return;
    const withLog = <T>(look: (tree: StoreLog) => T) => this.#withLog(name, look);
    const note = await withLog((tree) => tree.checkpoints().find(({ size }) => size === head.size)?.note);
    if (note === undefined) return;
    const key = formatKey(sha256, new LogSigner(dataDir()).keyOf(name));
    for (const node of nodes) {
      const outcome = await this.#witnesses!.ask(node, { store: name, log: key, note, size: head.size, withLog });
      if (outcome === 'refused') {
        log.error(
          { store: name, witness: node.id, size: head.size },
          'the log does not continue what a witness cosigned',
        );
      } else if (outcome === 'cosigned') log.info({ store: name, witness: node.id, size: head.size }, 'cosigned');
    }
  }

  /** Sends the checkpoints of a store. Returns false if some are left. */
  async #sendOut(name: StoreName): Promise<boolean> {
    const { dataDir, outlets, store } = this.#dependencies;
    if (outlets.length === 0 || store(name)?.addCheckpoint === undefined) return true;
    const checkpoints = await this.#withLog(name, (tree) => tree.checkpoints());
    const key = formatKey(sha256, new LogSigner(dataDir()).keyOf(name));
    return this.#outlets!.deliver(name, key, checkpoints);
  }

  async #withLog<T>(name: StoreName, look: (log: StoreLog) => T): Promise<T> {
    const reader = await openStoresReader(this.#dependencies.locations());
    try {
      return await reader.snapshot(async (view) => look(await view.log(name)));
    } finally {
      await reader.close();
    }
  }
}

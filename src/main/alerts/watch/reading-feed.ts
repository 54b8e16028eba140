import type { NodeEventMap, NodeEvents, StoredReading } from '../../common/node-events.ts';
import type { StoresView } from '../../store/stores-view.ts';
import type { RuleBook } from '../rule-book.ts';
import { type CatchUpOptions, catchUp, type Left, lookBack } from './catch-up.ts';

/** The most readings that are buffered until a newly registered device is known. Further ones are not evaluated. */
const MAX_HELD = 5000;

export interface ReadingFeedDependencies extends CatchUpOptions {
  readonly rules: RuleBook;
  readonly events: NodeEvents;
  /** Calls `run` with the stores, one call after the other. If they can't be read, `run` is not called or ends early. */
  readonly read: (run: (stores: StoresView) => Promise<void>) => Promise<void>;
  /** Called with the store of each evaluated reading. Returns whether that fired or ended anything. */
  readonly onStored: (store: NodeEventMap['stored']['store']) => boolean;
  /** Called when alerts fired or ended. */
  readonly onNews: () => void;
}

/**
 * Feeds the engine: with the devices that rules may be for, with the readings that it missed, and with each new one.
 * Several devices may register or change while earlier readings are read.
 */
export class ReadingFeed {
  readonly #dependencies: ReadingFeedDependencies;
  #held: StoredReading[] = [];
  #stopHearing: (() => void) | null = null;

  constructor(dependencies: ReadingFeedDependencies) {
    this.#dependencies = dependencies;
  }

  /** Evaluates the readings that were missed since an earlier run. Returns whether there is news. */
  async catchUp(stores: StoresView, left: Left | null): Promise<boolean> {
    return catchUp(this.#dependencies, stores, left);
  }

  /**
   * Starts to listen to readings if a rule is on. While no rule is on, nothing listens, so the events of readings are
   * not even made.
   */
  start(): void {
    if (!this.#hasRules || this.#stopHearing !== null) return;
    this.#stopHearing = this.#dependencies.events.on('stored', (stored) => this.#onStored(stored));
  }

  stop(): void {
    this.#stopHearing?.();
  }

  /** Evaluates with changed rules from now on. */
  async rulesChanged(): Promise<void> {
    const { devices, engine, read } = this.#dependencies;
    if (this.#stopHearing === null && this.#hasRules) {
      await read(async (stores) => void (await this.catchUp(stores, null)));
      this.start();
    }
    const unknown = [...this.named].filter((id) => devices.find(id) === null);
    if (unknown.length > 0) await this.reload(unknown);
    else {
      engine.follow({ looksBack: true });
      await this.#lookBack();
    }
  }

  /** Reads devices again, then evaluates the buffered readings. */
  async reload(ids: readonly string[]): Promise<void> {
    const { devices } = this.#dependencies;
    const held = this.#takeHeld();
    const wanted = new Set([...ids, ...held.map(({ deviceId }) => deviceId)]);
    await this.#evaluate(held, (stores) => devices.reload(stores, wanted, this.named));
  }

  /** Reads all devices and groups again, then evaluates the buffered readings. */
  async reloadAll(): Promise<void> {
    const { devices } = this.#dependencies;
    await this.#evaluate(this.#takeHeld(), (stores) => devices.load(stores, this.named));
  }

  /** The ids of the devices that range rules name. */
  get named(): Set<string> {
    const { ranges } = this.#dependencies.rules;
    return new Set(ranges.flatMap(({ scope }) => (scope.kind === 'device' ? [scope.device] : [])));
  }

  get #hasRules(): boolean {
    return this.#dependencies.rules.all.some(({ isOn }) => isOn);
  }

  #takeHeld(): readonly StoredReading[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }

  /** Evaluates the buffered readings after `load` has read their devices. */
  async #evaluate(held: readonly StoredReading[], load: (stores: StoresView) => Promise<void>): Promise<void> {
    const { read, engine, onNews } = this.#dependencies;
    await read(load);
    const isNews = engine.follow({ looksBack: true });
    const hasFired = await this.#lookBack();
    if (engine.take(held) || isNews || hasFired) onNews();
  }

  /** Evaluates the earlier readings of devices with their new rules. Returns whether there is news. */
  async #lookBack(): Promise<boolean> {
    const { engine, read } = this.#dependencies;
    if (engine.waiting.length === 0) return false;
    let isNews = false;
    await read(async (stores) => {
      isNews = await lookBack(this.#dependencies, stores);
    });
    return isNews;
  }

  #onStored({ store, readings }: NodeEventMap['stored']): void {
    const { engine, onStored, onNews } = this.#dependencies;
    const isNews = engine.take(readings, (reading) => {
      if (store === 'private' && this.#held.length < MAX_HELD) this.#held.push(reading);
    });
    if (onStored(store) || isNews) onNews();
    if (this.#held.length > 0) void this.reload([]);
  }
}

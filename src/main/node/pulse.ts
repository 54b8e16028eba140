import { statfs } from 'node:fs/promises';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { Part } from './part.ts';
import type { Stores } from './stores.ts';

const STORES: readonly StoreName[] = ['private', 'public'];

export interface PulseDependencies {
  readonly dataDir: string;
  readonly stores: Pick<Stores, 'find'>;
  readonly events: NodeEvents;
}

/** The state of the node for a supervisor. */
export class Pulse implements Part {
  readonly name = 'pulse';
  readonly #dependencies: PulseDependencies;
  readonly #refusals = new Map<StoreName, string>();
  #readings = 0;
  /** The time of the latest reading by performance.now(). */
  #lastAt: number | null = null;
  #ends: readonly (() => void)[] = [];

  constructor(dependencies: PulseDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    const { events } = this.#dependencies;
    this.#ends = [
      events.on('stored', ({ readings }) => {
        this.#readings += readings.length;
        this.#lastAt = performance.now();
      }),
      events.on('storeState', ({ store, refusal }) => {
        if (refusal === null) this.#refusals.delete(store);
        else this.#refusals.set(store, refusal.code);
      }),
    ];
  }

  stop(): void {
    for (const end of this.#ends) end();
  }

  /**
   * Returns operations that may hang, by name: a question to the writer thread for each store, and one to the disk.
   * They write nothing.
   */
  vitals(): Record<string, Promise<unknown>> {
    const { dataDir, stores } = this.#dependencies;
    const vitals: Record<string, Promise<unknown>> = { disk: statfs(dataDir) };
    for (const name of STORES) {
      const store = stores.find(name);
      if (store !== null) vitals[`${name} store`] = store.refusal();
    }
    return vitals;
  }

  /** One line about the state, for people. */
  get status(): string {
    const refusing = [...this.#refusals].map(([store, code]) => `the ${store} store refuses writes (${code})`);
    return [this.#received, ...refusing].join('; ');
  }

  get #received(): string {
    if (this.#lastAt === null) return 'no reading yet since the start';
    const seconds = Math.round((performance.now() - this.#lastAt) / 1000);
    return `${this.#readings} readings since the start, the last ${seconds} s ago`;
  }
}

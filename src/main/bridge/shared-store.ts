import type { NodeFacts, PoolFacts, StoreOperator } from '../store/operator.ts';
import { isStorageFault } from '../store/storage-unavailable.ts';
import type { SharedFacts } from './metrics/shared-families.ts';

export interface SharedStoreDependencies {
  readonly open: () => Promise<StoreOperator>;
  readonly connections: () => PoolFacts | null;
  readonly waitingBlocks: () => NodeFacts['waitingBlocks'];
}

const NO_CONNECTIONS: PoolFacts = { open: 0, idle: 0, waiting: 0 };

/** Reads a shared store for metrics and the operator's page. Connects at the first request. */
export class SharedStore {
  readonly #dependencies: SharedStoreDependencies;
  #operator: Promise<StoreOperator> | null = null;

  constructor(dependencies: SharedStoreDependencies) {
    this.#dependencies = dependencies;
  }

  operator(): Promise<StoreOperator> {
    this.#operator ??= this.#dependencies.open();
    return this.#operator;
  }

  async facts(): Promise<SharedFacts> {
    const { connections, waitingBlocks } = this.#dependencies;
    const own = { waitingBlocks: waitingBlocks(), connections: connections() ?? NO_CONNECTIONS };
    try {
      const operator = await this.operator();
      const [database, nodes] = await Promise.all([operator.database(), operator.nodes()]);
      return { ...own, database: { ...database, nodes: nodes.length } };
    } catch (error) {
      if (!isStorageFault(error)) throw error;
      return { ...own, database: null };
    }
  }

  async close(): Promise<void> {
    const operator = await this.#operator?.catch(() => null);
    this.#operator = null;
    await operator?.close();
  }
}

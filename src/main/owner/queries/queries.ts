import type { MethodName } from '../../../shared/owner-api/contract.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { OwnerError } from '../../common/owner-error.ts';
import { demoDeviceIds } from '../../data-folder/node-key.ts';
import type { Counts, UnregisteredDevice } from '../../store/counts.ts';
import type { KnownDevice, StoresView } from '../../store/stores-view.ts';
import type { Sight } from '../sight.ts';
import { ReadingsToday } from './devices/readings-today.ts';
import { Summaries } from './devices/summaries.ts';

/** The methods that only read the stores. */
export type QueryName = Extract<
  MethodName,
  | 'overview'
  | 'device'
  | 'latestReadings'
  | 'readingsPage'
  | 'proofPage'
  | 'history'
  | 'ownerChoices'
  | 'journal'
  | 'photos'
  | 'tasks'
  | 'cycles'
  | 'space'
  | 'retention'
  | 'previewRetention'
  | 'exportSize'
>;

/** The node's state for a query, in addition to the stores. */
export interface QueryContext {
  /** The unregistered devices of the stores with an intake. The lists in the stores are up to a minute old. */
  readonly unregistered: ReadonlyMap<StoreName, readonly UnregisteredDevice[]>;
  /** The counts that are not in the stores yet. */
  readonly pendingCounts: ReadonlyMap<StoreName, Omit<Counts, 'unregistered'>>;
  readonly demo: boolean;
  /**
   * The silence after which the owner's rule fires for any device, in milliseconds; null if each device's usual
   * interval decides.
   */
  readonly silenceRuleMs: number | null;
  /** Unix milliseconds. */
  readonly now: number;
  /** The restriction of the answer for the caller; null for none. */
  readonly sight: Sight | null;
}

/** Changes of the stores, for the memory of queries. */
export interface StoreChanges {
  /** The devices with new readings, and the arrival of the latest one. */
  readonly arrivals: ReadonlyMap<string, number>;
  /** The devices whose readings were deleted or moved in time. */
  readonly forgotten: readonly string[];
}

/** The context of a query if no node runs on the stores. */
export const STORES_ALONE: Omit<QueryContext, 'now'> = {
  unregistered: new Map(),
  pendingCounts: new Map(),
  demo: false,
  silenceRuleMs: null,
  sight: null,
};

/** The memory between queries. */
export class QueryMemory {
  readonly summaries: Summaries;
  readonly today = new ReadingsToday();
  readonly demoDevices: ReadonlySet<string>;
  /**
   * The devices whose charts by arrival are prepared ahead: first the one that someone views, then those of the latest
   * overview.
   */
  toPrepare: readonly string[] = [];

  /** The folder of the identity that signs proofs. */
  readonly dataDir: string;

  /**
   * `nodePublicKey` in lowercase hex: policies may have a rule for it. `dataDir` has the identity that signs proofs.
   */
  constructor(nodePublicKey: string, dataDir: string) {
    this.dataDir = dataDir;
    this.summaries = new Summaries(nodePublicKey);
    this.demoDevices = new Set(demoDeviceIds(nodePublicKey));
  }

  /** Updates the memory with changes of the stores. */
  follow({ arrivals, forgotten }: StoreChanges): void {
    for (const [id, receivedAt] of arrivals) {
      this.summaries.arrived(id, receivedAt);
      this.today.arrived(id);
    }
    for (const id of forgotten) this.summaries.forgotten(id);
  }
}

/** The parameters of a query: the present stores, and the memory of earlier queries. */
export interface QueryScope {
  readonly stores: StoresView;
  readonly memory: QueryMemory;
  readonly context: QueryContext;
}

/** Returns a device by its id. Rejects with OwnerError `not_found`. */
export async function knownDevice(stores: StoresView, id: string): Promise<KnownDevice> {
  const known = await stores.device(id);
  if (known === null) throw new OwnerError('not_found', 'this device is in no store');
  return known;
}

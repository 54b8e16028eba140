import { demoDeviceIds } from '../../../shared/demo-keys.ts';
import type { MethodName } from '../../../shared/owner-api/contract.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { OwnerError } from '../../common/owner-error.ts';
import { LogSigner } from '../../proof/log-key.ts';
import type { Counts, KnownDevice, StoresView, UnregisteredDevice } from '../../store/port.ts';
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

/** The node's state beyond the stores, for a query. */
export interface QueryContext {
  /** The unregistered devices of the stores that are taken in for; the stores' own lists lag a minute behind. */
  readonly unregistered: ReadonlyMap<StoreName, readonly UnregisteredDevice[]>;
  /** Counts that the stores do not have yet. */
  readonly pendingCounts: ReadonlyMap<StoreName, Omit<Counts, 'unregistered'>>;
  readonly demo: boolean;
  /** After how long the owner's rule takes any device for silent, in milliseconds; null: each by its usual interval. */
  readonly silenceRuleMs: number | null;
  /** Unix milliseconds. */
  readonly now: number;
  /** The part of the answer that the caller may see; null for everything. */
  readonly sight: Sight | null;
}

/** Changes of the stores that the memory of queries has to follow. */
export interface StoreChanges {
  /** Devices with new readings, and when the latest one arrived. */
  readonly arrivals: ReadonlyMap<string, number>;
  /** Devices whose readings were deleted or moved in time. */
  readonly forgotten: readonly string[];
}

/** The context of a query where no node runs beside the stores. */
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
  /** Devices whose charts by arrival are worth making ahead: what somebody looks at, then those of the latest overview. */
  toPrepare: readonly string[] = [];

  readonly #dataDir: string;

  /** `nodePublicKey` in lowercase hex: policies may have a rule for it. `dataDir` has the identity that signs proofs. */
  constructor(nodePublicKey: string, dataDir: string) {
    this.#dataDir = dataDir;
    this.summaries = new Summaries(nodePublicKey);
    this.demoDevices = new Set(demoDeviceIds(nodePublicKey));
  }

  /** Signs the checkpoint of a proof. Throws StartError where the identity can't be read. */
  signer(): LogSigner {
    return new LogSigner(this.#dataDir);
  }

  /** Follows changes of the stores. */
  follow({ arrivals, forgotten }: StoreChanges): void {
    for (const [id, receivedAt] of arrivals) {
      this.summaries.arrived(id, receivedAt);
      this.today.arrived(id);
    }
    for (const id of forgotten) this.summaries.forgotten(id);
  }
}

/** The input of a query: the stores as they are now, and the memory of earlier queries. */
export interface QueryScope {
  readonly stores: StoresView;
  readonly memory: QueryMemory;
  readonly context: QueryContext;
}

/** A device by its id. Rejects with OwnerError `not_found`. */
export async function knownDevice(stores: StoresView, id: string): Promise<KnownDevice> {
  const known = await stores.device(id);
  if (known === null) throw new OwnerError('not_found', 'this device is in no store');
  return known;
}

import type { Severity } from '../../shared/alerts/rule.ts';
import type { EventPayload } from '../../shared/owner-api/events.ts';
import type { Role } from '../../shared/owner-api/method.ts';
import type { RefusalCause } from '../../shared/owner-api/security.ts';
import type { EndpointName, ListenerName, StoreName } from '../../shared/protocol/codes.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import type { EventBus } from './event-bus.ts';

/** The events of a node that other parts can listen to. Ids are public keys in lowercase hex. */
export interface NodeEventMap {
  /** Readings of one commit of a store are durably on disk. Duplicates are not included. */
  readonly stored: { readonly store: StoreName; readonly readings: readonly StoredReading[] };
  /** Blocks of one batch were refused, or came from an unregistered device. */
  readonly refused: { readonly store: StoreName; readonly blocks: readonly RefusedBlock[] };
  /** An unregistered device sent a block to the store with a valid signature. */
  readonly knocked: { readonly store: StoreName; readonly deviceId: string; readonly attempts: number };
  readonly registered: { readonly store: StoreName; readonly deviceId: string };
  /** All or some of a store's data about a device was deleted. */
  readonly forgotten: { readonly store: StoreName; readonly deviceId: string };
  /** Readings of a device were deleted; deleting a device takes several such steps. */
  readonly readingsDeleted: { readonly store: StoreName; readonly deviceId: string };
  /** The node's time was corrected. Times between `from` and `to`, by the former time, must be moved by `by` (ms). */
  readonly clockMoved: { readonly by: number; readonly from: number; readonly to: number };
  /** The machine's clock was set, or is known to be right. */
  readonly clockChanged: Readonly<Record<never, never>>;
  /** The times of arrival of some of a device's readings were moved. */
  readonly arrivalsMoved: { readonly store: StoreName; readonly deviceId: string };
  /** All wrong times in a store have been moved, also those of registrations. */
  readonly timesMoved: { readonly store: StoreName };
  /** The owner changed the notes of a device. */
  readonly noted: { readonly deviceId: string };
  /** The owner changed choices for all devices. */
  readonly chosen: { readonly names: readonly string[] };
  /** An entry of the owner's journal was written or deleted. */
  readonly journalChanged: { readonly id: number };
  /** Counts of blocks, or the list of unregistered devices, changed within the last second. */
  readonly countsChanged: { readonly store: StoreName };
  /** A store was opened after the start: the public one, when its listener was turned on. */
  readonly storeOpened: { readonly store: StoreName };
  /**
   * A store refuses writes, or accepts them again. While it refuses writes, this event repeats at most once a minute.
   */
  readonly storeState: { readonly store: StoreName; readonly refusal: StoreRefusal | null };
  /** Alerts, rules or channels changed. */
  readonly alertsChanged: Readonly<Record<never, never>>;
  /** A notification is to be shown on this desktop and in open browsers. */
  readonly noticed: ShownNotice;
  /** Settings, or the facts that the page shows with them, changed. */
  readonly settingsChanged: Readonly<Record<never, never>>;
  /** A backup, a check or a restore made progress or ended. */
  readonly backupsChanged: Readonly<Record<never, never>>;
  /** An export made progress or ended. */
  readonly exportsChanged: Readonly<Record<never, never>>;
  /** The state of the gate or of joining, or the list of devices that tried to join, changed. */
  readonly gateChanged: Readonly<Record<never, never>>;
  /** The state of the door, the pairings, or the open code changed. */
  readonly doorChanged: Readonly<Record<never, never>>;
  /** Whether the gate should listen but can't. Also emitted at its start. */
  readonly gateState: { readonly isLost: boolean };
  /** A device in the owner's network reported its state. The report is not signed. */
  readonly deviceSaid: {
    readonly deviceId: string;
    /** null if it has no battery or does not report one. */
    readonly batteryPercent: number | null;
    readonly failedSensors: readonly string[];
  };
  /** The local endpoint's reachability beyond this machine changed. */
  readonly exposureChanged: Readonly<Record<never, never>>;
  /** A listener answered a request. `ms` is the time since its arrival. */
  readonly answered: { readonly listener: TurnedAway['listener']; readonly status: number; readonly ms: number };
  /** The outcome of a batch of blocks. Its readings are on disk. */
  readonly batch: TakenBatch;
  /** A client was paired at the door, or authenticated with an owner's key. */
  readonly letIn: LetIn;
  /** A listener refused a request. */
  readonly turnedAway: TurnedAway;
  /** The state of the MQTT connection or of the metrics listener changed. */
  readonly connectionsChanged: Readonly<Record<never, never>>;
  /** The list of other nodes, or the state of a connection to one, changed. */
  readonly nodesChanged: Readonly<Record<never, never>>;
  /** An event of another node that is to be shown; it matches the event's schema. */
  readonly nodeSaid: EventPayload<'nodeSaid'>;
  /** The listeners changed; the URL is null if one does not listen. */
  readonly listenersChanged: { readonly urls: Readonly<Record<EndpointName, string | null>> };
}

export interface TakenBatch {
  readonly store: StoreName;
  /** null if it did not come through a listener. */
  readonly listener: ListenerName | null;
  readonly accepted: number;
  /** The blocks that will never be accepted. */
  readonly refused: number;
  /** The deferred blocks, which must be sent again later. */
  readonly putOff: number;
  readonly ms: number;
}

/** A new pairing or session. */
export interface LetIn {
  readonly id: string;
  readonly name: string;
  readonly kind: 'browser' | 'app' | 'key';
  readonly role: Role;
  /** The owner's key that opened the door, in hex; null if a code did. */
  readonly ownerKey: string | null;
  readonly address: string;
}

export interface TurnedAway {
  readonly listener: ListenerName | 'door' | 'metrics';
  readonly cause: RefusalCause;
  readonly address: string;
}

/** A reading that is on disk. */
export interface StoredReading {
  readonly deviceId: string;
  /** Unsigned 64-bit values as decimal text. */
  readonly seq: string;
  /** Unix milliseconds by the device's clock; milliseconds since its start if that is not set. */
  readonly timestamp: string;
  /** Unix milliseconds of this node's clock. */
  readonly receivedAt: number;
  /** The fields that were stored in plain. */
  readonly values: Readonly<Partial<Record<FieldName, number>>>;
  /** The fields that were stored sealed. This node can't read them. */
  readonly sealed: readonly FieldName[];
}

/** A block that was not accepted. */
export interface RefusedBlock {
  /** The id in the block; empty if it is not a public key. Proven only if the cause is `raw_json_mismatch`. */
  readonly deviceId: string;
  readonly cause: 'invalid_block' | 'device_not_found' | 'invalid_signature' | 'raw_json_mismatch';
}

export interface ShownNotice {
  /** The id of the message, which is the same in all places that show it. */
  readonly id: string;
  /** null if it is not about an alert. */
  readonly alert: string | null;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** A fault of a store, for all engines. */
export type StoreFault =
  /** The disk has no space left. */
  | 'full'
  /** It has reached its limit. */
  | 'limit'
  /** The rest of the disk is reserved for the node itself. */
  | 'reserved'
  | 'read_only'
  /** Another program uses it, or it is being compacted. */
  | 'busy'
  /** It does not answer: its thread, its server or its disk. */
  | 'unreachable'
  | 'damaged'
  /** A newer program has written it. */
  | 'newer';

/** The reason why a store refuses writes. The message comes from the engine, for support. */
export interface StoreRefusal {
  readonly code: StoreFault;
  readonly message: string;
}

export type NodeEvents = EventBus<NodeEventMap>;

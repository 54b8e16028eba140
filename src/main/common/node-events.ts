import type { Severity } from '../../shared/alerts/rule.ts';
import type { EventPayload } from '../../shared/owner-api/events.ts';
import type { Role } from '../../shared/owner-api/method.ts';
import type { RefusalCause } from '../../shared/owner-api/security.ts';
import type { EndpointName, ListenerName, StoreName } from '../../shared/protocol/codes.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import type { EventBus } from './event-bus.ts';

/** Everything that happens in a node and that another part may want to hear of. Ids are public keys in lowercase hex. */
export interface NodeEventMap {
  /** Readings are on disk, for good: those of one store's commit. Duplicates are not among them. */
  readonly stored: { readonly store: StoreName; readonly readings: readonly StoredReading[] };
  /** Blocks were refused, or brought by a device that is not registered: those of one batch. */
  readonly refused: { readonly store: StoreName; readonly blocks: readonly RefusedBlock[] };
  /** A device that is not registered in the store brought a block, and proved by its signature that it is that device. */
  readonly knocked: { readonly store: StoreName; readonly deviceId: string; readonly attempts: number };
  readonly registered: { readonly store: StoreName; readonly deviceId: string };
  /** All or some of what a store knows of a device was deleted. */
  readonly forgotten: { readonly store: StoreName; readonly deviceId: string };
  /** Readings of a device were deleted: one of the steps in which it is forgotten. */
  readonly readingsDeleted: { readonly store: StoreName; readonly deviceId: string };
  /** The node's time was moved; what arrived between two times, by the time before, is to be moved by as much (ms). */
  readonly clockMoved: { readonly by: number; readonly from: number; readonly to: number };
  /** The machine's clock was set, or is known to be right. */
  readonly clockChanged: Readonly<Record<never, never>>;
  /** The times of arrival of some of a device's readings were moved. */
  readonly arrivalsMoved: { readonly store: StoreName; readonly deviceId: string };
  /** All times that a clock was wrong in are moved in a store, also those of registrations. */
  readonly timesMoved: { readonly store: StoreName };
  /** The owner noted something on a device. */
  readonly noted: { readonly deviceId: string };
  /** The owner chose something for all devices. */
  readonly chosen: { readonly names: readonly string[] };
  /** An entry of the owner's journal was written or deleted. */
  readonly journalChanged: { readonly id: number };
  /** Counts of blocks, or the list of devices that knocked, changed within the last second. */
  readonly countsChanged: { readonly store: StoreName };
  /** A store was opened later than the others: the public one, when its listener was turned on. */
  readonly storeOpened: { readonly store: StoreName };
  /** A store refuses to write, or takes writes again. Said again once a minute while it refuses and is asked to. */
  readonly storeState: { readonly store: StoreName; readonly refusal: StoreRefusal | null };
  /** Alerts, rules or channels changed. */
  readonly alertsChanged: Readonly<Record<never, never>>;
  /** Something is to be shown as a notification, on this desktop and in open browsers. */
  readonly noticed: ShownNotice;
  /** Settings, or what is shown beside them, changed. */
  readonly settingsChanged: Readonly<Record<never, never>>;
  /** A backup, a check or a restore is under way or has ended. */
  readonly backupsChanged: Readonly<Record<never, never>>;
  /** An export is under way or has ended. */
  readonly exportsChanged: Readonly<Record<never, never>>;
  /** Where the gate listens, whether devices may join, or who tried to, changed. */
  readonly gateChanged: Readonly<Record<never, never>>;
  /** Where the door listens, who is paired, or whether a code is open, changed. */
  readonly doorChanged: Readonly<Record<never, never>>;
  /** Whether the gate should listen and can't. Said at its start too. */
  readonly gateState: { readonly isLost: boolean };
  /** A device of the owner's network said of itself how it is. Nobody has signed that. */
  readonly deviceSaid: {
    readonly deviceId: string;
    /** null if it has no battery, or does not say. */
    readonly batteryPercent: number | null;
    readonly failedSensors: readonly string[];
  };
  /** Where the local endpoint answers beyond this machine changed. */
  readonly exposureChanged: Readonly<Record<never, never>>;
  /** A listener answered a request, and how long after it came. */
  readonly answered: { readonly listener: TurnedAway['listener']; readonly status: number; readonly ms: number };
  /**
   * The outcome of a batch of blocks, and how long the answer took since the batch was handed in: readings are on disk
   * then.
   */
  readonly batch: TakenBatch;
  /** Somebody was paired at the door, or let in by an owner's key. */
  readonly letIn: LetIn;
  /** A listener refused somebody. */
  readonly turnedAway: TurnedAway;
  /** How it is with the MQTT broker or the listener for metrics changed. */
  readonly connectionsChanged: Readonly<Record<never, never>>;
  /** Which other nodes are shown, or how it is with the way to one, changed. */
  readonly nodesChanged: Readonly<Record<never, never>>;
  /** Another node told something that is to be shown; it has passed the event's schema. */
  readonly nodeSaid: EventPayload<'nodeSaid'>;
  /** The listeners changed; null for one that does not listen. */
  readonly listenersChanged: { readonly urls: Readonly<Record<EndpointName, string | null>> };
}

/** A batch of blocks. */
export interface TakenBatch {
  readonly store: StoreName;
  /** null if no listener brought it. */
  readonly listener: ListenerName | null;
  readonly accepted: number;
  /** The blocks that will never be accepted. */
  readonly refused: number;
  /** The blocks to send again: the store takes nothing now. */
  readonly putOff: number;
  readonly ms: number;
}

/** A pairing that was made. */
export interface LetIn {
  readonly id: string;
  readonly name: string;
  readonly kind: 'browser' | 'app' | 'key';
  readonly role: Role;
  /** The owner's key that opened the door, in hex; null: a code did. */
  readonly ownerKey: string | null;
  readonly address: string;
}

/** A refusal. */
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
  /** Unix milliseconds as the device said; since its start where its clock is not set. */
  readonly timestamp: string;
  /** Unix milliseconds of this node's clock. */
  readonly receivedAt: number;
  /** The fields that were kept in plain. */
  readonly values: Readonly<Partial<Record<FieldName, number>>>;
  /** The fields that were kept sealed: this node can't read them. */
  readonly sealed: readonly FieldName[];
}

/** A block that was not taken in. */
export interface RefusedBlock {
  /** As the block said; empty where that is no public key. Proven only where the cause is `raw_json_mismatch`. */
  readonly deviceId: string;
  readonly cause: 'invalid_block' | 'device_not_found' | 'invalid_signature' | 'raw_json_mismatch';
}

/** A notification. */
export interface ShownNotice {
  /** The id of the message: the same where it is shown in several places. */
  readonly id: string;
  /** null if it is about no alert. */
  readonly alert: string | null;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** A fault of a store, whichever engine keeps it. */
export type StoreFault =
  /** The disk has no room. */
  | 'full'
  /** It holds all that its bounds allow. */
  | 'limit'
  /** The last of the disk is kept for the node itself. */
  | 'reserved'
  | 'read_only'
  /** Another program uses it, or it is being compacted. */
  | 'busy'
  /** It does not answer: its thread, its server or its disk. */
  | 'unreachable'
  | 'damaged'
  /** A newer program has written it. */
  | 'newer';

/** Why a store refuses to write. The message is the engine's own, for whoever helps. */
export interface StoreRefusal {
  readonly code: StoreFault;
  readonly message: string;
}

/** The events of one node. */
export type NodeEvents = EventBus<NodeEventMap>;

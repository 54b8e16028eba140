import type { FastifyInstance } from 'fastify';
import type { EndpointName, StoreName } from '../../../shared/protocol/codes.ts';
import type { Clock } from '../../common/clock.ts';
import type { StoreRefusal } from '../../common/node-events.ts';
import type { Intake } from '../../intake/intake.ts';
import type { Settings } from '../../settings/settings.ts';
import type { SharedLimits } from '../../store/port.ts';
import type { ListenAddress } from '../listening.ts';
import type { StoreReads } from '../store-reads.ts';

/** One store and the intake to it: nothing in here can reach the other store. */
export interface ServedStore {
  readonly reads: StoreReads;
  readonly intake: Intake;
  /** Why it would refuse a reading now; null: it would not. */
  readonly refusal: () => Promise<StoreRefusal | null>;
  readonly clock: Clock;
  /** The facts that nodes with one shared store keep together; null if one node alone uses it. */
  readonly sharedLimits: SharedLimits | null;
  /** Call this with a device that was not registered, as the store may have no more of them. */
  readonly onDeviceLimit: (deviceId: string) => void;
}

/**
 * One of the node's listeners: where it listens, what guards it and what it answers. It outlives the servers that it
 * makes, so that another port keeps what clients have used up of their limits.
 */
export interface ListenerKind {
  readonly name: EndpointName;
  /** The store that it is a face of; it is given no other. */
  readonly storeName: StoreName;
  /** Where it listens by the settings; null: it does not. */
  address(settings: Settings): ListenAddress | null;
  /** Makes a server, which does not listen yet. */
  createServer(served: ServedStore): FastifyInstance;
  /** Takes over what may change under a server that stays. */
  applySettings(settings: Settings): void;
}

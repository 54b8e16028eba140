import type { FastifyInstance } from 'fastify';
import type { EndpointName, StoreName } from '../../../shared/protocol/codes.ts';
import type { Clock } from '../../common/clock.ts';
import type { StoreRefusal } from '../../common/node-events.ts';
import type { Intake } from '../../intake/intake.ts';
import type { Settings } from '../../settings/settings.ts';
import type { SharedLimits } from '../../store/port.ts';
import type { ListenAddress } from '../listening.ts';
import type { StoreReads } from '../store-reads.ts';

/** One store and its intake. Nothing in this object can reach the other store. */
export interface ServedStore {
  readonly reads: StoreReads;
  readonly intake: Intake;
  /** Returns the reason why the store refuses readings now; null if it accepts them. */
  readonly refusal: () => Promise<StoreRefusal | null>;
  readonly clock: Clock;
  /** The limits that nodes with one shared store keep together; null if only one node uses it. */
  readonly sharedLimits: SharedLimits | null;
  /** Call this with a device that was refused because the store has reached its limit of devices. */
  readonly onDeviceLimit: (deviceId: string) => void;
}

/**
 * One of the node's listeners: its address, guard and routes. It outlives its servers, so that a change of port does
 * not reset the limits.
 */
export interface ListenerKind {
  readonly name: EndpointName;
  /** The only store that it serves. */
  readonly storeName: StoreName;
  /** Returns the address from the settings; null if the listener is off. */
  address(settings: Settings): ListenAddress | null;
  /** Creates a server, which does not listen yet. */
  createServer(served: ServedStore): FastifyInstance;
  /** Applies the settings that can change without a new server. */
  applySettings(settings: Settings): void;
}

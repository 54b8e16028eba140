import type { DeviceRegistration } from '../../shared/protocol/device.ts';
import { clientKey } from '../common/client-key.ts';
import type { Clock } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';

/** How long one opening lasts. */
const JOINING_MS = 10 * 60_000;
/** How many devices may join in one opening. */
const MAX_JOINED = 200;
const MAX_ATTEMPTS = 50;
/** Ids are easily invented: one address pushes out its own attempts, not everybody's. */
const MAX_ATTEMPTS_OF_ADDRESS = 8;

/** A device that tried to register while joining was closed. Nothing of what it said is proven. */
export interface JoinAttempt {
  readonly registration: DeviceRegistration;
  /** The address that it came from. */
  readonly address: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Whether devices may join. */
export interface JoiningState {
  /** Milliseconds until it closes by itself; null: it is closed. */
  readonly leftMs: number | null;
  /** Whether it closes once a device has joined. */
  readonly closesAfterOne: boolean;
  /** Devices that joined in the latest opening. */
  readonly joined: readonly string[];
}

/**
 * Whether devices may register through the gate: not unless the owner opens it, for ten minutes. Devices that try
 * meanwhile are remembered, so that the owner learns of them.
 */
export class Joining {
  readonly #events: NodeEvents;
  /** By device, in the order of their last attempt. */
  readonly #attempts = new Map<string, JoinAttempt>();
  /** By performance.now(): how long joining is open does not depend on the time of day. */
  #closesAt: number | null = null;
  #closesAfterOne = false;
  #joined: string[] = [];
  /** Registrations that were let in and have not ended. */
  #underWay = 0;
  #timer: NodeJS.Timeout | null = null;

  readonly #clock: Clock;

  constructor(events: NodeEvents, clock: Clock) {
    this.#clock = clock;
    this.#events = events;
  }

  get state(): JoiningState {
    const left = this.#closesAt === null ? 0 : this.#closesAt - performance.now();
    return {
      leftMs: left > 0 ? Math.ceil(left) : null,
      closesAfterOne: this.#closesAfterOne,
      joined: [...this.#joined],
    };
  }

  /** Those that tried and were not let in, the latest last. */
  get attempts(): JoinAttempt[] {
    return [...this.#attempts.values()];
  }

  /** Lets devices join from now on, for ten minutes. */
  open(closesAfterOne: boolean): void {
    this.#closesAt = performance.now() + JOINING_MS;
    this.#closesAfterOne = closesAfterOne;
    this.#joined = [];
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), JOINING_MS).unref();
    this.#changed();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#closesAt === null) return;
    this.#closesAt = null;
    this.#changed();
  }

  /** Whether this device may register now. `ended` has to be called for each that may. */
  letIn(registration: DeviceRegistration, address: string): boolean {
    const most = this.#closesAfterOne ? 1 : MAX_JOINED;
    if (this.state.leftMs !== null && this.#joined.length + this.#underWay < most) {
      this.#underWay += 1;
      return true;
    }
    this.#remember(registration, address);
    return false;
  }

  /** To be called when a registration that was let in is on disk, with the device, or with null where it failed. */
  ended(id: string | null): void {
    this.#underWay -= 1;
    if (id === null) return;
    this.#join(id);
    this.registered(id);
    if (this.#closesAfterOne) this.close();
    else this.#changed();
  }

  /** To be called when the owner has registered a device that tried: it counts among those that joined. */
  adopted(id: string): void {
    this.#join(id);
    this.#changed();
  }

  /** To be called when the owner has forgotten a device: it has not joined any more. */
  forgotten(id: string): void {
    if (!this.#joined.includes(id)) return;
    this.#joined = this.#joined.filter((joined) => joined !== id);
    this.#changed();
  }

  /** To be called when a device has been registered in another way. */
  registered(id: string): void {
    if (this.#attempts.delete(id)) this.#changed();
  }

  #join(id: string): void {
    if (!this.#joined.includes(id)) this.#joined.push(id);
  }

  #remember(registration: DeviceRegistration, address: string): void {
    const { id } = registration;
    const now = this.#clock.now();
    const known = this.#attempts.get(id);
    this.#attempts.delete(id);
    const firstAt = known?.firstAt ?? now;
    this.#attempts.set(id, { registration, address, count: (known?.count ?? 0) + 1, firstAt, lastAt: now });
    const host = clientKey(address);
    const ofAddress = this.attempts.filter((attempt) => clientKey(attempt.address) === host);
    const dropped = ofAddress.length > MAX_ATTEMPTS_OF_ADDRESS ? ofAddress[0] : this.attempts.at(-MAX_ATTEMPTS - 1);
    if (dropped !== undefined) this.#attempts.delete(dropped.registration.id);
    this.#changed();
  }

  #changed(): void {
    this.#events.emit('gateChanged', () => ({}));
  }
}

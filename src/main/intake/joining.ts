import { createHash } from 'node:crypto';
import type { DeviceRegistration } from '../../shared/protocol/device.ts';
import { stringifyJson64 } from '../../shared/protocol/json64.ts';
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
/** Registrations under one id with other contents: the first stays, and these are shown beside it. */
const MAX_ATTEMPTS_OF_ID = 4;

/** A registration that came while joining was closed. Nothing of what it says is proven. */
export interface JoinAttempt {
  /** Names its contents: another registration under the same id has another. */
  readonly digest: string;
  /** Whether a block with a valid signature came under its id, so that there is such a device. */
  readonly isSigned: boolean;
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
  /** By id and contents, in the order of their last attempt. */
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
    const before = this.#attempts.size;
    for (const [key, { registration }] of this.#attempts) if (registration.id === id) this.#attempts.delete(key);
    if (this.#attempts.size < before) this.#changed();
  }

  /** To be called when a block with a valid signature came under an id. */
  signed(id: string): void {
    const unsigned = [...this.#attempts].filter(([, each]) => each.registration.id === id && !each.isSigned);
    for (const [key, attempt] of unsigned) this.#attempts.set(key, { ...attempt, isSigned: true });
    if (unsigned.length > 0) this.#changed();
  }

  #join(id: string): void {
    if (!this.#joined.includes(id)) this.#joined.push(id);
  }

  #remember(registration: DeviceRegistration, address: string): void {
    const { id } = registration;
    const digest = createHash('sha256').update(stringifyJson64(registration)).digest('hex').slice(0, 16);
    const key = `${id} ${digest}`;
    const now = this.#clock.now();
    const known = this.#attempts.get(key);
    const ofId = this.attempts.filter((attempt) => attempt.registration.id === id);
    // Whoever came first is not pushed out by others under the same id.
    if (known === undefined && ofId.length >= MAX_ATTEMPTS_OF_ID) return;
    this.#attempts.delete(key);
    this.#attempts.set(key, {
      ...{ registration, digest, address, isSigned: ofId.some(({ isSigned }) => isSigned) },
      ...{ count: (known?.count ?? 0) + 1, firstAt: known?.firstAt ?? now, lastAt: now },
    });
    const host = clientKey(address);
    const ofAddress = this.attempts.filter((attempt) => clientKey(attempt.address) === host);
    const tooMany = ofAddress.length > MAX_ATTEMPTS_OF_ADDRESS ? ofAddress : this.attempts;
    const most = tooMany === ofAddress ? MAX_ATTEMPTS_OF_ADDRESS : MAX_ATTEMPTS;
    // Ids are easily invented: those that no signed block came under go first.
    const dropped = tooMany.length > most ? (tooMany.find(({ isSigned }) => !isSigned) ?? tooMany[0]!) : null;
    if (dropped !== null) this.#attempts.delete(`${dropped.registration.id} ${dropped.digest}`);
    this.#changed();
  }

  #changed(): void {
    this.#events.emit('gateChanged', () => ({}));
  }
}

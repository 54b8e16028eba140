import { createHash } from 'node:crypto';
import { PublishTo } from '../../../shared/protocol/codes.ts';
import type { DeviceRegistration } from '../../../shared/protocol/device.ts';
import { clientKey } from '../../common/client-key.ts';
import type { NodeEventMap } from '../../common/node-events.ts';
import { type JoinAttempt, MAX_OF_ID } from './attempts.ts';
import { firstToGo } from './crowd.ts';
import { type PendingDocument, readSent, writeSent } from './pending-file.ts';

/** The time that a registration waits for its first signed reading. */
export const PENDING_MS = 24 * 3_600_000;
export const MAX_PENDING = 200;
/**
 * The limit of the file's size: the whole file is written for each registration. A usual registration has 600 bytes.
 */
const MAX_BYTES = 4 * 1024 ** 2;
const MAX_HOSTS = 8;
const MAX_DISMISSED = 200;

/** The event that a pending registration waits for: a signed block, or the owner. */
export type WaitsFor = 'reading' | 'choice' | 'keeping' | 'owner';

/** A registration that was accepted, and the event that it waits for. None of its claims are proven. */
export interface PendingRegistration extends JoinAttempt {
  readonly waitsFor: WaitsFor;
  readonly endsAt: number;
}

interface Registration extends Omit<JoinAttempt, 'isSigned'> {
  /** The addresses that sent it, grouped as for rate limits, latest last. */
  readonly hosts: readonly string[];
  readonly bytes: number;
}

/** An id under which registrations wait. */
export interface PendingDevice {
  readonly id: string;
  /** The time when it was accepted. */
  readonly since: number;
  /** The address that sent the first registration. */
  readonly address: string;
  readonly isSigned: boolean;
  /** Whether only the owner can register it, even if it sends signed blocks. */
  readonly isHeld: boolean;
  /** The id of the opening if that was for one device; else null. */
  readonly onlyOneOf: string | null;
  /** The registrations with different contents, in order of arrival. */
  readonly registrations: readonly Registration[];
}

/** Returns the digest that identifies the contents of a registration. */
export function digestOf(registration: DeviceRegistration): string {
  return createHash('sha256').update(writeSent(registration)).digest('hex').slice(0, 16);
}

/** Returns the event that a device waits for. */
export function waitsFor({ registrations, isHeld }: PendingDevice): WaitsFor {
  if (registrations.length > 1) return 'choice';
  if (registrations[0]!.registration.publishTo === PublishTo.PUBLIC) return 'keeping';
  return isHeld ? 'owner' : 'reading';
}

/**
 * The registrations that wait for a block with a valid signature, or for the owner. The class has no clock: each call
 * passes the time.
 */
export class PendingDevices {
  /** By id, in order of arrival. */
  readonly #devices = new Map<string, PendingDevice>();
  /** Times of dismissal, by digest. */
  readonly #dismissed = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#devices.size === 0;
  }

  get all(): PendingDevice[] {
    return [...this.#devices.values()];
  }

  /** All registrations, in order of the arrival of their ids. */
  get registrations(): PendingRegistration[] {
    return this.all.flatMap((device) =>
      device.registrations.map(({ hosts: _, bytes: __, ...registration }) => ({
        ...{ ...registration, isSigned: device.isSigned, waitsFor: waitsFor(device) },
        endsAt: endOf(device),
      })),
    );
  }

  find(id: string): PendingDevice | undefined {
    return this.#devices.get(id);
  }

  /** Returns whether this registration waits under an id. */
  has(id: string, digest: string): boolean {
    return this.#devices.get(id)?.registrations.some((each) => each.digest === digest) === true;
  }

  isDismissed(digest: string): boolean {
    return this.#dismissed.has(digest);
  }

  /** Adds a device with its registration. If `attempts` has others under its id, the owner must choose. */
  add(
    registration: DeviceRegistration,
    digest: string,
    from: { readonly address: string; readonly now: number; readonly onlyOneOf: string | null },
    attempts: readonly JoinAttempt[],
  ): void {
    const { address, now, onlyOneOf } = from;
    const others = attempts.filter((attempt) => attempt.digest !== digest).slice(0, MAX_OF_ID - 1);
    const registrations = [
      ...others.map(({ isSigned: _, ...attempt }) => ({
        ...attempt,
        ...origin(attempt.registration, attempt.address),
      })),
      { registration, digest, address, count: 1, firstAt: now, lastAt: now, ...origin(registration, address) },
    ];
    const isSigned = attempts.some((attempt) => attempt.isSigned);
    const bytes = registrations.reduce((sum, each) => sum + each.bytes, 0);
    while (this.#devices.size >= MAX_PENDING || (this.#devices.size > 0 && this.#bytes + bytes > MAX_BYTES)) {
      this.#devices.delete(firstToGo(this.all)!.id);
    }
    const { id } = registration;
    this.#devices.set(id, { id, since: now, address, isSigned, isHeld: false, onlyOneOf, registrations });
  }

  /**
   * Adds a registration to a pending id. Returns `known` if the same one is there, `beside` if it is kept with the
   * others, and `full` if there is no room for it.
   */
  addTo(
    device: PendingDevice,
    registration: DeviceRegistration,
    digest: string,
    { address, now }: { readonly address: string; readonly now: number },
  ): 'known' | 'beside' | 'full' {
    const known = device.registrations.find((each) => each.digest === digest);
    if (known !== undefined) {
      const host = clientKey(address);
      const hosts = [...known.hosts.filter((each) => each !== host), host].slice(-MAX_HOSTS);
      const again = { ...known, hosts, count: known.count + 1, lastAt: now };
      this.#change(device, { registrations: device.registrations.map((each) => (each === known ? again : each)) });
      return 'known';
    }
    const added = {
      ...{ registration, digest, address, count: 1, firstAt: now, lastAt: now },
      ...origin(registration, address),
    };
    if (device.registrations.length >= MAX_OF_ID || this.#bytes + added.bytes > MAX_BYTES) return 'full';
    this.#change(device, { registrations: [...device.registrations, added] });
    return 'beside';
  }

  /**
   * Returns the registration that a signed block from this address confirms, or null. It must be the only one under its
   * id and must come from the same address: a block of a device that did not register itself must not confirm the
   * claims of others.
   */
  confirmable(id: string, address: string): DeviceRegistration | null {
    const device = this.#devices.get(id);
    if (device === undefined || waitsFor(device) !== 'reading') return null;
    const { hosts, registration } = device.registrations[0]!;
    return hosts.includes(clientKey(address)) ? registration : null;
  }

  /** Records that a block with a valid signature came under an id; returns whether that is news. */
  signed(id: string): boolean {
    const device = this.#devices.get(id);
    if (device === undefined || device.isSigned) return false;
    this.#change(device, { isSigned: true });
    return true;
  }

  /** Removes an id, or only its registration with this digest. */
  remove(id: string, digest: string | null = null): void {
    const device = this.#devices.get(id);
    if (device === undefined) return;
    const rest = device.registrations.filter((each) => digest !== null && each.digest !== digest);
    if (rest.length === 0) this.#devices.delete(id);
    else this.#change(device, { registrations: rest });
  }

  /** Removes a registration, and keeps it from coming back. */
  dismiss(id: string, digest: string, now: number): void {
    this.remove(id, digest);
    this.#dismissed.set(digest, now);
    const [oldest] = this.#dismissed.keys();
    if (this.#dismissed.size > MAX_DISMISSED) this.#dismissed.delete(oldest!);
  }

  /** Allows dismissed registrations again. */
  forgetDismissed(): void {
    this.#dismissed.clear();
  }

  /** Holds the devices of an opening for the owner: the one device that it was for has joined. */
  hold(onlyOneOf: string): void {
    for (const device of this.all) if (device.onlyOneOf === onlyOneOf) this.#change(device, { isHeld: true });
  }

  /** Removes registrations that have waited too long; returns whether there were any. */
  expire(now: number): boolean {
    const ended = this.all.filter((device) => endOf(device) <= now);
    for (const { id } of ended) this.#devices.delete(id);
    for (const [digest, at] of this.#dismissed) if (at + PENDING_MS <= now) this.#dismissed.delete(digest);
    return ended.length > 0;
  }

  /** Moves the times between `from` and `to` by `by` milliseconds. */
  move({ by, from, to }: NodeEventMap['clockMoved']): void {
    const moved = (at: number) => (at >= from && at <= to ? Math.max(0, at + by) : at);
    for (const device of this.all) {
      const registrations = device.registrations.map((each) => {
        return { ...each, firstAt: moved(each.firstAt), lastAt: moved(each.lastAt) };
      });
      this.#change(device, { since: moved(device.since), registrations });
    }
    for (const [digest, at] of this.#dismissed) this.#dismissed.set(digest, moved(at));
  }

  /**
   * Loads the contents of a file. A damaged file may have lost a registration that the owner had to choose from, so
   * then the owner decides.
   */
  load({ devices, dismissed }: PendingDocument, wasDamaged: boolean): void {
    for (const { registrations: kept, ...device } of devices) {
      const registrations = kept.map(({ sent, hosts, ...each }) => {
        const registration = readSent(sent)!;
        return { ...each, hosts, registration, digest: digestOf(registration), bytes: sent.length };
      });
      const isHeld = device.isHeld || wasDamaged;
      this.#devices.set(device.id, { ...device, isHeld, address: registrations[0]!.address, registrations });
    }
    for (const { digest, at } of dismissed) this.#dismissed.set(digest, at);
  }

  get document(): PendingDocument {
    const devices = this.all.map(({ id, since, isSigned, isHeld, onlyOneOf, registrations }) => ({
      ...{ id, since, isSigned, isHeld, onlyOneOf },
      registrations: registrations.map(({ registration, address, hosts, count, firstAt, lastAt }) => {
        return { sent: writeSent(registration), address, hosts: [...hosts], count, firstAt, lastAt };
      }),
    }));
    return { version: 1, devices, dismissed: [...this.#dismissed].map(([digest, at]) => ({ digest, at })) };
  }

  get #bytes(): number {
    return this.all.reduce((sum, device) => sum + device.registrations.reduce((all, { bytes }) => all + bytes, 0), 0);
  }

  #change(device: PendingDevice, change: Partial<PendingDevice>): void {
    this.#devices.set(device.id, { ...device, ...change });
  }
}

function origin(registration: DeviceRegistration, address: string): Pick<Registration, 'hosts' | 'bytes'> {
  return { hosts: [clientKey(address)], bytes: writeSent(registration).length };
}

function endOf({ since }: PendingDevice): number {
  return since + PENDING_MS;
}

import { randomUUID } from 'node:crypto';
import type { DeviceRegistration } from '../../../shared/protocol/device.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { Clock } from '../../common/clock.ts';
import type { NodeEventMap, NodeEvents } from '../../common/node-events.ts';
import type { StateFolder } from '../../state-files/aside.ts';
import type { Intake } from '../intake.ts';
import { deviceIdsOf } from '../sent-blocks.ts';
import { Attempts, type JoinAttempt } from './attempts.ts';
import { countOf, firstToGo } from './crowd.ts';
import { digestOf, PendingDevices, type PendingRegistration } from './pending-devices.ts';
import { PendingFile } from './pending-file.ts';

/** The duration of one opening. */
const JOINING_MS = 10 * 60_000;
/** The number of devices that may register in one opening. */
const MAX_LET_IN = 200;

/** Whether devices may join. */
export interface JoiningState {
  /** Milliseconds until joining closes by itself; null if it is closed. */
  readonly leftMs: number | null;
  /** Whether it closes once a device has joined. */
  readonly closesAfterOne: boolean;
  /** The devices that joined in the latest opening. */
  readonly joined: readonly string[];
}

/**
 * The outcome of a registration. `new`: it is on disk and waits. `beside`: the same, and others wait under its id.
 * `known`: the same registration was already there. `closed`: it was refused. `registered`: the device is registered
 * already.
 */
export type Registering = 'new' | 'beside' | 'known' | 'closed' | 'registered';

/**
 * Decides whether devices may register through the gate. The owner opens it for ten minutes. A registration carries no
 * signature, so it waits for a signed block; with that block the device has joined. Devices that try while the gate is
 * closed are remembered and shown to the owner.
 */
export class Joining {
  readonly #events: NodeEvents;
  readonly #clock: Clock;
  readonly #attempts = new Attempts();
  readonly #pending = new PendingDevices();
  /** Confirms one device at a time, so that an opening for one device lets in only one. */
  readonly #confirms = new SerialQueue();
  #file: PendingFile | null = null;
  /** In time of `performance.now()`: the opening does not depend on the time of day. */
  #closesAt: number | null = null;
  /** The id of the opening if it is for one device, else null. */
  #onlyOneOf: string | null = null;
  #closesAfterOne = false;
  #joined: string[] = [];
  /** The ids whose registrations this opening accepted. */
  readonly #letIn = new Set<string>();
  /** The devices that were registered since the start. A caller that looked up a device before that may not know it. */
  readonly #registered = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #stopExpiry: (() => void) | null = null;

  constructor(events: NodeEvents, clock: Clock) {
    this.#clock = clock;
    this.#events = events;
  }

  /**
   * Reads the registrations that waited when the node stopped, except those of devices that are registered by now.
   * Throws StartError if the file may not be read.
   */
  async start(folder: StateFolder, isRegistered: (id: string) => Promise<boolean>): Promise<void> {
    this.#file = new PendingFile(folder, () => this.#pending.document);
    const { document, wasDamaged } = this.#file.read();
    if (document !== null) this.#pending.load(document, wasDamaged);
    for (const { id } of this.#pending.all) if (await isRegistered(id)) this.#pending.remove(id);
    this.#expire();
  }

  async stop(): Promise<void> {
    this.close();
    this.#stopExpiry?.();
    await this.#confirms.settled();
    await this.#file?.settled();
  }

  get state(): JoiningState {
    const left = this.#closesAt === null ? 0 : this.#closesAt - performance.now();
    return {
      leftMs: left > 0 ? Math.ceil(left) : null,
      closesAfterOne: this.#closesAfterOne,
      joined: [...this.#joined],
    };
  }

  /** The devices that were refused, latest last. */
  get attempts(): JoinAttempt[] {
    return this.#attempts.all;
  }

  /** The registrations that wait for a signed block or for the owner, latest last. */
  get pending(): PendingRegistration[] {
    this.#pending.expire(this.#clock.now());
    return this.#pending.registrations;
  }

  /** Opens joining for ten minutes. */
  open(closesAfterOne: boolean): void {
    this.#closesAt = performance.now() + JOINING_MS;
    this.#closesAfterOne = closesAfterOne;
    this.#onlyOneOf = closesAfterOne ? randomUUID() : null;
    this.#joined = [];
    this.#letIn.clear();
    // The owner may have changed their mind about dismissed devices.
    this.#pending.forgetDismissed();
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

  /**
   * Accepts a registration of a device that is not registered; resolves when it is on disk. It takes effect with a
   * signed block, or, if there are different registrations under its id, with the owner's choice. Rejects with
   * StorageUnavailable.
   */
  async register(registration: DeviceRegistration, address: string): Promise<Registering> {
    const digest = digestOf(registration);
    const became = this.#take(registration, digest, address);
    this.#changed();
    try {
      if (became === 'new' || became === 'beside') await this.#file!.save();
      // The device takes this answer as success, too, so the registration must be on disk.
      else if (became === 'known') await this.#file!.saved();
    } catch (error) {
      if (became === 'new') this.#pending.remove(registration.id);
      if (became === 'beside') this.#pending.remove(registration.id, digest);
      throw error;
    }
    // A block may be about to register the device with an earlier registration.
    await this.#confirms.settled();
    if (became !== 'known' && became !== 'beside') return became;
    if (this.#registered.has(registration.id)) return became === 'beside' ? 'registered' : became;
    // If the first registration under its id could not be written, this one was removed with it.
    return this.#pending.has(registration.id, digest) ? became : this.register(registration, address);
  }

  /**
   * Call this with the blocks of a request before intake. A block with a valid signature proves that its device exists,
   * and registers it if a registration waits for that. Rejects with StorageUnavailable.
   */
  async meet(blocks: readonly unknown[], address: string, intake: Pick<Intake, 'signers' | 'register'>): Promise<void> {
    const ids = this.#unproven(blocks, address);
    if (ids.size === 0) return;
    const signers = await intake.signers(blocks, ids);
    for (const id of signers) this.signed(id);
    await Promise.all(Array.from(signers, (id) => this.#confirms.run(() => this.#confirm(id, address, intake))));
  }

  /** Dismisses a registration that the owner does not want, also if it is sent again; returns whether it existed. */
  async dismiss(id: string, digest: string): Promise<boolean> {
    const isListed = [...this.pending, ...this.attempts].some((each) => {
      return each.registration.id === id && each.digest === digest;
    });
    if (!isListed) return false;
    this.#attempts.take(id, digest);
    this.#pending.dismiss(id, digest, this.#clock.now());
    this.#changed();
    await this.#file!.save();
    return true;
  }

  /** Call this when the owner has registered a device from the list: it counts as joined. */
  adopted(id: string): void {
    this.#join(id);
  }

  /** Call this when the owner has deleted a device: it no longer counts as joined. */
  forgotten(id: string): void {
    this.#registered.delete(id);
    if (!this.#joined.includes(id)) return;
    this.#joined = this.#joined.filter((joined) => joined !== id);
    this.#changed();
  }

  /** Call this when a device has been registered in any way. */
  registered(id: string): void {
    this.#registered.add(id);
    const tried = this.#attempts.take(id);
    const device = this.#pending.find(id);
    if (device !== undefined) {
      this.#pending.remove(id);
      if (device.onlyOneOf !== null) this.#pending.hold(device.onlyOneOf);
      this.#file?.saveLater();
    }
    if (tried.length > 0 || device !== undefined) this.#changed();
  }

  /** Call this when a block with a valid signature came under an id. */
  signed(id: string): void {
    const isNews = [this.#attempts.signed(id), this.#pending.signed(id)].includes(true);
    if (isNews) this.#changed();
  }

  /** Call this when the node's time was moved. */
  moved(move: NodeEventMap['clockMoved']): void {
    this.#pending.move(move);
    this.#file?.saveLater();
  }

  #take(registration: DeviceRegistration, digest: string, address: string): Registering {
    const { id } = registration;
    if (this.#registered.has(id)) return 'registered';
    const now = this.#clock.now();
    this.#expire();
    if (this.#pending.isDismissed(digest)) return 'closed';
    const device = this.#pending.find(id);
    const became = device === undefined ? null : this.#pending.addTo(device, registration, digest, { address, now });
    if (became === 'known' || became === 'beside') return became;
    if (became === 'full' || !this.#hasPlace(address)) {
      this.#attempts.note(registration, digest, address, now);
      return 'closed';
    }
    this.#pending.add(registration, digest, { address, now, onlyOneOf: this.#onlyOneOf }, this.#attempts.take(id));
    this.#letIn.add(id);
    this.#watchExpiry();
    return 'new';
  }

  /**
   * Returns whether one more device may register. If the opening is full, it may replace one from an address with more
   * registrations.
   */
  #hasPlace(address: string): boolean {
    if (this.state.leftMs === null) return false;
    if (this.#letIn.size < MAX_LET_IN) return true;
    const unsigned = this.#pending.all.filter(({ id, isSigned }) => this.#letIn.has(id) && !isSigned);
    const first = firstToGo(unsigned);
    if (first === undefined || countOf(unsigned, first.address) <= countOf(unsigned, address)) return false;
    this.#pending.remove(first.id);
    this.#letIn.delete(first.id);
    return true;
  }

  /** Returns the ids in the blocks for which a signed block would change something. */
  #unproven(blocks: readonly unknown[], address: string): Set<string> {
    if (this.#pending.isEmpty && this.#attempts.isEmpty) return new Set();
    this.#expire();
    const isUnproven = (id: string) =>
      this.#pending.confirmable(id, address) !== null ||
      [...this.#attempts.of(id), this.#pending.find(id)].some((each) => each?.isSigned === false);
    return new Set([...deviceIdsOf(blocks)].filter(isUnproven));
  }

  async #confirm(id: string, address: string, intake: Pick<Intake, 'register'>): Promise<void> {
    const registration = this.#pending.confirmable(id, address);
    if (registration === null) return;
    await intake.register(registration, { way: 'gate', by: null, received: registration });
    // The device may have been registered in another way meanwhile.
    this.registered(id);
    this.#join(id);
  }

  #join(id: string): void {
    if (!this.#joined.includes(id)) this.#joined.push(id);
    if (this.#closesAfterOne && this.#closesAt !== null) {
      if (this.#onlyOneOf !== null) this.#pending.hold(this.#onlyOneOf);
      this.#file?.saveLater();
      this.close();
    } else this.#changed();
  }

  #expire(): void {
    if (this.#pending.expire(this.#clock.now())) {
      this.#file?.saveLater();
      this.#changed();
    }
    this.#watchExpiry();
  }

  /** Removes expired registrations in time, so that the page does not show them. */
  #watchExpiry(): void {
    const [oldest] = this.#pending.registrations;
    if (oldest === undefined || this.#stopExpiry !== null) return;
    this.#stopExpiry = this.#clock.after(Math.max(1, oldest.endsAt - this.#clock.now()), () => {
      this.#stopExpiry = null;
      this.#expire();
    });
  }

  #changed(): void {
    this.#events.emit('gateChanged', () => ({}));
  }
}

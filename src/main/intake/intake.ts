import type { Logger } from 'pino';
import type { Block } from '../../shared/protocol/block.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { DeviceRegistration } from '../../shared/protocol/device.ts';
import { deviceNotFound } from '../../shared/protocol/errors.ts';
import type { ArrivalClock } from '../common/clock.ts';
import type { NodeEvents, RefusedBlock, StoredReading } from '../common/node-events.ts';
import type { RawBinding } from '../settings/settings.ts';
import { type BlockReading, Fate, type PackedBlocks } from '../store/lane/packed-blocks.ts';
import type { StoreWithLane } from '../store/lane/store-lane.ts';
import type { Counts, Reading, Registered, UnregisteredDevice } from '../store/port.ts';
import { StorageUnavailable } from '../store/storage-unavailable.ts';
import { Batch, type Candidate, type IntakeResult, type OnStored, type Refused } from './batch.ts';
import { Counters } from './counters.ts';
import type { Device, DeviceDirectory } from './device-directory.ts';
import { Lane } from './lane.ts';
import type { Load } from './load.ts';
import type { RefusedDevice } from './refused-devices.ts';
import {
  applyDisposition,
  badSignature,
  bindToRaw,
  checkShape,
  hasSignatureLength,
  isStoredIn,
  lookUpDevice,
  type Refusal,
} from './rules.ts';
import type { StoreBudget } from './store-budget.ts';
import { storedReading } from './stored-reading.ts';
import { UnregisteredDevices } from './unregistered-devices.ts';
import type { Verifiers } from './verifiers.ts';

/** What an intake is made of. */
export interface IntakeParts {
  /** The store that is taken in for, and no other. */
  readonly store: StoreWithLane;
  /** Its devices. */
  readonly devices: DeviceDirectory;
  /** The devices that knocked before, as the store remembers them. */
  readonly unregistered: readonly UnregisteredDevice[];
  /** Called for each reading that is on disk, before its sender is. */
  readonly onStored: (deviceId: string, read: () => Reading) => void;
  /** What single devices may take of the store. */
  readonly budget: StoreBudget;
  readonly verifiers: Verifiers;
  /** Shared by all intakes. */
  readonly load: Load;
  readonly rawBinding: RawBinding;
  readonly clock: ArrivalClock;
  readonly events: NodeEvents;
  readonly log: Logger;
}

type Arrival = ReturnType<ArrivalClock['arrival']>;

/**
 * What becomes of the blocks and registrations for one store, whoever brings them. Several listeners may share it; it
 * outlives them, so that another port loses nothing of what is under way or counted.
 */
export class Intake {
  readonly storeName: StoreName;
  /** The devices that knocked. */
  readonly unregistered: UnregisteredDevices;
  readonly #parts: IntakeParts;
  readonly #counters: Counters;
  readonly #lane: Lane;
  readonly #endMoves: () => void;
  #storedCount = 0;
  /** Readings that are on disk since `stored` was told the last time, where somebody listens. */
  #stored: StoredReading[] = [];

  constructor(parts: IntakeParts) {
    const { store, verifiers, load, events, log } = parts;
    this.#parts = parts;
    this.storeName = store.name;
    this.#lane = new Lane({ store: store.lane, verifiers, load, onSettled: () => this.#tellStored() });
    this.unregistered = new UnregisteredDevices(
      { lane: this.#lane, clock: parts.clock, onKnock: (device) => this.#onKnock(device) },
      parts.unregistered,
    );
    this.#counters = new Counters({
      storeName: store.name,
      store,
      clock: parts.clock,
      unregistered: this.unregistered,
      events,
      log: log.child({ store: store.name }),
    });
    this.#endMoves = events.on('clockMoved', (moved) => {
      if (this.unregistered.move(moved)) this.#counters.unregisteredChanged();
      this.#counters.timesMoved();
    });
  }

  /** For those who would rather wait with more. */
  get load(): Load {
    return this.#parts.load;
  }

  /** The devices that the store's budget refused within a day, the latest last. */
  get refusedDevices(): readonly RefusedDevice[] {
    return this.#parts.budget.refused;
  }

  /** Counts that the store does not have yet. */
  get pendingCounts(): Omit<Counts, 'unregistered'> {
    return this.#counters.pending;
  }

  /** Registers a device; resolves when it is on disk. Rejects with StorageUnavailable. */
  async register(registration: DeviceRegistration): Promise<Registered> {
    const { id } = registration;
    const { budget } = this.#parts;
    if (budget.isOver(id)) {
      budget.note(id);
      throw new StorageUnavailable('limit', 'no more devices are registered for now');
    }
    const result = await this.#parts.store.register(registration, this.#parts.clock.now());
    if (result === 'created') {
      budget.registered();
      this.unregistered.registered(id);
      this.#parts.events.emit('registered', () => ({ store: this.storeName, deviceId: id }));
    }
    return result;
  }

  /**
   * Applies the rules to each block and stores what is to be stored; resolves when that is on disk.
   * Rejects with StorageUnavailable: then nothing of the batch is confirmed. `onStored` hears of each reading on disk.
   */
  async takeIn(blocks: readonly unknown[], onStored: OnStored | null = null): Promise<IntakeResult> {
    const unread = this.#unreadDevices(blocks);
    if (unread.size > 0) await Promise.all(Array.from(unread, (id) => this.#parts.devices.find(id)));
    const batch = this.#handIn(blocks, onStored);
    for (const id of batch.devicesPutOff) this.#parts.budget.note(id);
    const refused = await batch.whole();
    if (refused.length > 0) this.#tellRefused(refused);
    return batch.resultOf(refused);
  }

  /** Writes the counts that are not written yet; to be called once nobody brings anything any more. */
  async close(): Promise<void> {
    this.#endMoves();
    this.#parts.budget.close();
    await this.#counters.close();
  }

  /** The ids of devices that blocks name and that have to be read, if they are registered. */
  #unreadDevices(blocks: readonly unknown[]): Set<string> {
    const unread = new Set<string>();
    for (const sent of blocks) {
      const id = member(sent, 'deviceId');
      if (typeof id === 'string' && this.#parts.devices.known(id) === undefined) unread.add(id.toLowerCase());
    }
    return unread;
  }

  /**
   * Applies every rule that can be applied at once and puts the blocks into the lane. What is kept for the time after is
   * small: parsed bodies that wait for threads and disk would be most of what the garbage collector has to move about.
   */
  #handIn(blocks: readonly unknown[], onStored: OnStored | null): Batch {
    const { budget } = this.#parts;
    const arrival = this.#parts.clock.arrival();
    const batch = new Batch(blocks.length, this.#onFate, onStored);
    for (let index = 0; index < blocks.length; index += 1) {
      const sent = blocks[index];
      const sound = checkShape(sent);
      if (isRefusal(sound)) {
        batch.refuse(index, { ...sound, seq: echoedSeq(sent), deviceId: echoedDeviceId(sent) });
        continue;
      }
      const device = lookUpDevice(this.#parts.devices, sound);
      if (isRefusal(device)) {
        batch.refuse(index, { ...device, seq: sound.seq, deviceId: sound.deviceId.toLowerCase() });
        this.unregistered.note(sound, device.cause);
      } else if (budget.isOver(device.id)) {
        batch.putOff(index, sound.seq, device.id);
      } else if (!hasSignatureLength(sound)) {
        batch.refuse(index, { ...badSignature(device), seq: sound.seq, deviceId: device.id });
      } else {
        this.#add(batch, index, sound, device, arrival);
      }
    }
    return batch;
  }

  #add(batch: Batch, index: number, sound: Block, device: Device, arrival: Arrival): void {
    const { seq, timestamp, keyVersion = 0, signature, raw } = sound;
    let outcome: Candidate['outcome'] = null;
    let reading: BlockReading | null = null;
    const signed = bindToRaw(sound, device, this.#parts.rawBinding);
    if (isRefusal(signed)) outcome = signed;
    else if (isStoredIn(this.storeName, device.publishTo)) {
      const { fields, withheld } = applyDisposition(sound, device, signed);
      outcome = withheld;
      reading = { seq, timestamp, ...arrival, keyVersion, fields };
    }
    const position = batch.add({ index, seq, device, outcome });
    this.#lane.add({ publicKey: device.publicKey, signature, message: raw }, reading, batch, position);
  }

  readonly #onFate = (
    batch: Batch,
    { index, seq, device, outcome }: Candidate,
    fate: Fate,
    blocks: PackedBlocks,
    at: number,
  ): void => {
    const refusal = refusalOf(fate, device) ?? (isRefusal(outcome) ? outcome : null);
    if (refusal !== null) batch.refuse(index, { ...refusal, seq, deviceId: device.id });
    // Nothing is kept of it by which it could be known again: sent twice, it counts twice.
    else if (outcome === null) this.#counters.countWithheld(device.id, 'publish_to', null);
    else if (fate === Fate.STORED) {
      this.#storedCount += 1;
      for (const { cause, field } of outcome as Exclude<typeof outcome, Refusal>) {
        this.#counters.countWithheld(device.id, cause, field);
      }
      batch.onStored?.(device.id);
      this.#parts.budget.stored(device.id);
      this.#parts.onStored(device.id, () => blocks.readingOf(at));
      if (this.#parts.events.isHeard('stored')) this.#stored.push(storedReading(device.id, blocks.readingOf(at)));
    }
  };

  #tellStored(): void {
    if (this.#storedCount > 0) this.#counters.countStored(this.#storedCount);
    this.#storedCount = 0;
    if (this.#stored.length === 0) return;
    const readings = this.#stored;
    this.#stored = [];
    this.#parts.events.emit('stored', () => ({ store: this.storeName, readings }));
  }

  #tellRefused(refused: readonly Refused[]): void {
    for (const { deviceId, cause } of refused) this.#counters.countRefused(deviceId, cause);
    this.#parts.events.emit('refused', () => {
      const blocks = refused.map(({ deviceId, cause }): RefusedBlock => ({ deviceId, cause }));
      return { store: this.storeName, blocks };
    });
  }

  #onKnock({ id, attempts }: UnregisteredDevice): void {
    this.#counters.unregisteredChanged();
    this.#parts.events.emit('knocked', () => ({ store: this.storeName, deviceId: id, attempts }));
  }
}

function refusalOf(fate: Fate, device: Device): Refusal | null {
  if (fate === Fate.BAD_SIGNATURE) return badSignature(device);
  // Forgotten while the block was on its way.
  if (fate === Fate.UNKNOWN_DEVICE) return { error: deviceNotFound(device.id), cause: 'device_not_found' };
  return null;
}

function isRefusal(value: object | null): value is Refusal {
  return value !== null && 'cause' in value;
}

function member(sent: unknown, name: string): unknown {
  return typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>)[name] : undefined;
}

/** The block's seq as sent, where that was a string. */
function echoedSeq(sent: unknown): string {
  const seq = member(sent, 'seq');
  return typeof seq === 'string' ? seq : '';
}

function echoedDeviceId(sent: unknown): string {
  const id = member(sent, 'deviceId');
  return typeof id === 'string' && /^[0-9a-fA-F]{64}$/.test(id) ? id.toLowerCase() : '';
}

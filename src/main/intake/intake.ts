import type { Logger } from 'pino';
import type { ListenerName, StoreName } from '../../shared/protocol/codes.ts';
import type { DeviceRegistration } from '../../shared/protocol/device.ts';
import type { ArrivalClock } from '../common/clock.ts';
import type { NodeEvents, RefusedBlock } from '../common/node-events.ts';
import type { RawBinding } from '../settings/settings.ts';
import type { Counts, UnregisteredDevice } from '../store/counts.ts';
import type { Registered, RegistrationOrigin, Store } from '../store/port.ts';
import type { BlockOutcome, BlockReading } from '../store/reading.ts';
import { StorageUnavailable } from '../store/storage-unavailable.ts';
import type { Batch, IntakeResult, Refused } from './batch.ts';
import { Counters } from './counters.ts';
import type { DeviceDirectory, Devices } from './device-directory.ts';
import { Judge, refusalOf } from './judge.ts';
import type { Load } from './load.ts';
import type { RefusedDevice } from './refused-devices.ts';
import type { Refusal } from './rules.ts';
import { deviceIdsOf } from './sent-blocks.ts';
import type { StoreBudget } from './store-budget.ts';
import { type ReadingOnDisk, StoredReadings } from './stored-reading.ts';
import { UnregisteredDevices } from './unregistered-devices.ts';

export interface IntakeDependencies {
  /** The only store that this intake writes to. */
  readonly store: Store;
  /** The devices of `store`. */
  readonly devices: DeviceDirectory;
  /** The unregistered devices that the store remembers from before. */
  readonly unregistered: readonly UnregisteredDevice[];
  /** Called for each reading that is on disk, before its sender gets an answer. */
  readonly onStored: (deviceId: string, reading: ReadingOnDisk) => void;
  /** The limits of single devices in the store. */
  readonly budget: StoreBudget;
  /** The load, which all intakes share. */
  readonly load: Load;
  readonly rawBinding: RawBinding;
  readonly clock: ArrivalClock;
  readonly events: NodeEvents;
  readonly log: Logger;
}

/** The result of a batch, with the number of its refused blocks. */
type Taken = IntakeResult & { readonly refused: number };

/** Called with the device of a reading that is on disk. */
type OnStored = (deviceId: string) => void;

/** The optional parameters of a batch. */
interface BatchWishes {
  /** The listener that received the batch; null if it did not come over the network. */
  readonly listener: ListenerName | null;
  readonly onStored: OnStored | null;
  /** Whether a device is over the limits of this listener now. */
  readonly isOver: (deviceId: string) => boolean;
}

const NO_WISHES: BatchWishes = { listener: null, onStored: null, isOver: () => false };

/**
 * Handles the blocks and registrations for one store. Several listeners may share an intake. It outlives them, so a
 * change of port loses no block or count.
 */
export class Intake {
  readonly storeName: StoreName;
  /** The unregistered devices that sent blocks. */
  readonly unregistered: UnregisteredDevices;
  readonly #dependencies: IntakeDependencies;
  readonly #counters: Counters;
  readonly #judge: Judge;
  readonly #stored: StoredReadings;
  readonly #endMoves: () => void;

  constructor(dependencies: IntakeDependencies) {
    const { store, events, log } = dependencies;
    this.#dependencies = dependencies;
    this.storeName = store.name;
    this.unregistered = new UnregisteredDevices(
      {
        isGood: async (check) => {
          const outcomes = await this.#ingest({ takeBlocks: () => [{ check, reading: null }] });
          return outcomes[0]?.kind === 'signed';
        },
        clock: dependencies.clock,
        onKnock: (device) => this.#onKnock(device),
      },
      dependencies.unregistered,
    );
    this.#counters = new Counters({
      storeName: store.name,
      store,
      clock: dependencies.clock,
      unregistered: this.unregistered,
      events,
      log: log.child({ store: store.name }),
    });
    const { rawBinding, clock, budget } = dependencies;
    this.#judge = new Judge({ storeName: store.name, rawBinding, clock, budget, unregistered: this.unregistered });
    this.#stored = new StoredReadings(store.name, events, (count) => this.#counters.countStored(count));
    this.#endMoves = events.on('clockMoved', (moved) => {
      if (this.unregistered.move(moved)) this.#counters.unregisteredChanged();
      this.#counters.timesMoved();
    });
  }

  /** The number of blocks in progress; callers may wait until it falls. */
  get load(): Load {
    return this.#dependencies.load;
  }

  /** The devices that the store's budget refused within the last day, latest last. */
  get refusedDevices(): readonly RefusedDevice[] {
    return this.#dependencies.budget.refused;
  }

  /** Counts that the store does not have yet. */
  get pendingCounts(): Omit<Counts, 'unregistered'> {
    return this.#counters.pending;
  }

  /** Registers a device; resolves when the registration is on disk. Rejects with StorageUnavailable. */
  async register(registration: DeviceRegistration, origin: RegistrationOrigin): Promise<Registered> {
    const { id } = registration;
    const { budget } = this.#dependencies;
    if (budget.isOver(id)) {
      budget.note(id);
      throw new StorageUnavailable('limit', 'no more devices are registered for now');
    }
    const result = await this.#dependencies.store.register(registration, this.#dependencies.clock.now(), origin);
    if (result === 'created') {
      budget.registered();
      this.unregistered.registered(id);
      this.#dependencies.events.emit('registered', () => ({ store: this.storeName, deviceId: id }));
    }
    return result;
  }

  /**
   * Applies the rules to each block and stores the readings; resolves when they are on disk. Rejects with
   * StorageUnavailable: then no block of the batch is confirmed. Nothing here holds the blocks while it waits: they are
   * large, and the garbage collector would copy them.
   */
  takeIn(blocks: readonly unknown[], wishes = NO_WISHES): Promise<IntakeResult> {
    const since = performance.now();
    return this.#reported(this.#takeIn(blocks, wishes), blocks.length, wishes.listener, since);
  }

  /** Emits the event of a batch of `count` blocks when its outcome is known. */
  async #reported(
    taking: Promise<Taken>,
    count: number,
    listener: ListenerName | null,
    since: number,
  ): Promise<IntakeResult> {
    let [accepted, refused] = [0, 0];
    try {
      const result = await taking;
      accepted = result.accepted;
      refused = result.refused;
      return result;
    } finally {
      this.#dependencies.events.emit('batch', () => {
        const putOff = count - accepted - refused;
        return { store: this.storeName, listener, accepted, refused, putOff, ms: performance.now() - since };
      });
    }
  }

  #takeIn(blocks: readonly unknown[], wishes: BatchWishes): Promise<Taken> {
    const { devices } = this.#dependencies;
    const ids = deviceIdsOf(blocks);
    const remembered = devices.remembered(ids);
    if (remembered !== null) {
      const batch = this.#judge.judge(blocks, remembered, wishes.isOver);
      if (batch.isAllReadings) return this.#finish(batch, wishes, blocks);
    }
    const known = this.#known(ids);
    if (known instanceof Promise) {
      return known.then((found) => this.#finish(this.#judge.judge(blocks, found, wishes.isOver), wishes));
    }
    return this.#finish(this.#judge.judge(blocks, known, wishes.isOver), wishes);
  }

  /** Stores the readings of a judged batch. `byMemory`: its blocks, if they were judged by remembered registrations. */
  async #finish(batch: Batch, wishes: BatchWishes, byMemory: readonly unknown[] | null = null): Promise<Taken> {
    for (const id of batch.devicesOverShare) this.#dependencies.budget.note(id);
    if (batch.isPutOff) throw new StorageUnavailable('limit', OVER_BUDGET);
    if (batch.candidates.length > 0) {
      const outcomes = await this.#ingest(batch);
      let fault: Error | null = null;
      const doubtful: number[] = [];
      for (let at = 0; at < outcomes.length; at += 1) {
        const outcome = outcomes[at]!;
        // Readings of a batch that fails may be on disk nevertheless.
        if (outcome.kind === 'refused') fault ??= outcome.error;
        else if (byMemory !== null && !isOfRegistered(outcome)) doubtful.push(at);
        else this.#settle(batch, at, outcome, wishes.onStored);
      }
      if (fault !== null) throw fault;
      if (doubtful.length > 0) await this.#judgeAgain(batch, byMemory!, doubtful, outcomes, wishes);
    }
    const { refused } = batch;
    if (refused.length > 0) this.#tellRefused(refused);
    return { ...batch.resultOf(refused), refused: refused.length };
  }

  /**
   * Settles the blocks that the store did not take with remembered registrations, by the registrations of now. `doubtful`
   * are places in the batch's candidates.
   */
  async #judgeAgain(
    batch: Batch,
    blocks: readonly unknown[],
    doubtful: readonly number[],
    outcomes: readonly BlockOutcome[],
    { onStored, isOver }: BatchWishes,
  ): Promise<void> {
    const { devices } = this.#dependencies;
    const found = await devices.read(new Set(doubtful.map((at) => batch.candidates[at]!.device.id)));
    const again = new Set<number>();
    for (const at of doubtful) {
      const { index, device } = batch.candidates[at]!;
      const outcome = outcomes[at]!;
      if (outcome.kind === 'unknown_device') devices.forget(device.id);
      // The key is the id, so a bad signature is bad under each registration.
      if (outcome.kind === 'bad_signature' && found.known(device.id)) this.#settle(batch, at, outcome, onStored);
      else again.add(index);
    }
    if (again.size === 0) return;
    const rest = this.#judge.judge(blocks, found, isOver, again);
    const settled = rest.candidates.length === 0 ? [] : await this.#ingest(rest);
    for (let at = 0; at < settled.length; at += 1) {
      const outcome = settled[at]!;
      if (outcome.kind === 'refused') throw outcome.error;
      this.#settle(rest, at, outcome, onStored);
    }
    batch.join(rest);
  }

  /** Returns those of `ids` that sent a block with a valid signature. Rejects with StorageUnavailable. */
  async signers(blocks: readonly unknown[], ids: ReadonlySet<string>): Promise<Set<string>> {
    const checks = this.#judge.checksOf(blocks, ids);
    if (checks.length === 0) return new Set();
    const outcomes = await this.#ingest({ takeBlocks: () => checks.map(({ check }) => ({ check, reading: null })) });
    for (const outcome of outcomes) if (outcome.kind === 'refused') throw outcome.error;
    return new Set(checks.filter((_, at) => outcomes[at]?.kind === 'signed').map(({ id }) => id));
  }

  /** Writes the remaining counts. Call this once no blocks arrive any more. */
  async close(): Promise<void> {
    this.#endMoves();
    this.#dependencies.budget.close();
    await this.#counters.close();
  }

  /** Returns the devices with these ids, and reads those that are not cached. */
  #known(ids: ReadonlySet<string>): Devices | Promise<Devices> {
    const { devices } = this.#dependencies;
    const unread = new Set(ids);
    for (const id of ids) if (devices.known(id) !== undefined) unread.delete(id);
    return unread.size > 0 ? devices.read(unread) : devices;
  }

  /** Passes the blocks to the store. It is not async: an async function would hold the large blocks while it waits. */
  #ingest(batch: Pick<Batch, 'takeBlocks'>): Promise<readonly BlockOutcome[]> {
    const { store, load } = this.#dependencies;
    const blocks = batch.takeBlocks();
    const count = blocks.length;
    load.began(count);
    return store.ingest(blocks).then((outcomes) => {
      load.ended(count);
      return outcomes;
    });
  }

  #settle(batch: Batch, at: number, outcome: BlockOutcome, onStored: OnStored | null): void {
    const candidate = batch.candidates[at]!;
    const { index, seq, device, verdict, reading } = candidate;
    const refusal = refusalOf(outcome, candidate);
    if (isOfRegistered(outcome)) this.#dependencies.devices.remember(device);
    if (refusal !== null) batch.refuse(index, { ...refusal, seq, deviceId: device.id });
    // Nothing is kept that would identify the block, so a block that is sent twice counts twice.
    else if (verdict === null) this.#counters.countWithheld(device.id, 'publish_to', null);
    else if (outcome.kind === 'stored') {
      for (const { cause, field } of verdict as Exclude<typeof verdict, Refusal>) {
        this.#counters.countWithheld(device.id, cause, field);
      }
      onStored?.(device.id);
      this.#dependencies.budget.stored(device.id);
      const onDisk = receivedAt(reading!, outcome.receivedAt);
      this.#dependencies.onStored(device.id, onDisk);
      this.#stored.add(device.id, onDisk);
    }
  }

  #tellRefused(refused: readonly Refused[]): void {
    for (const { deviceId, cause } of refused) this.#counters.countRefused(deviceId, cause);
    this.#dependencies.events.emit('refused', () => {
      const blocks = refused.map(({ deviceId, cause }): RefusedBlock => ({ deviceId, cause }));
      return { store: this.storeName, blocks };
    });
  }

  #onKnock({ id, attempts }: UnregisteredDevice): void {
    this.#counters.unregisteredChanged();
    this.#dependencies.events.emit('knocked', () => ({ store: this.storeName, deviceId: id, attempts }));
  }
}

/** Returns the reading with the reception time that the store gave it. */
function receivedAt(reading: BlockReading, time: number): BlockReading {
  return reading.receivedAt === time ? reading : { ...reading, receivedAt: time };
}

const OVER_BUDGET = 'the devices of this batch are over their share of the store';

/** Returns whether the outcome shows that the reading's registration is in the store. */
function isOfRegistered({ kind }: BlockOutcome): boolean {
  return kind === 'stored' || kind === 'duplicate';
}

import type { Logger } from 'pino';
import { deviceName, displayText, namesakes } from '../../../shared/display-text.ts';
import type { GeneralUnits } from '../../../shared/measures/field-scale.ts';
import { CHOICES } from '../../../shared/owner-data/choices.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { Clock } from '../../common/clock.ts';
import type { NodeEvents, StoredReading } from '../../common/node-events.ts';
import type { StoreLocations } from '../../store/engine.ts';
import { readStores } from '../../store/engines.ts';
import type { KnownDevice, StoresView } from '../../store/stores-view.ts';
import { isMine } from '../../store/whose.ts';
import { BridgedDevice, type DeviceFacts } from './bridged-device.ts';
import { readPast } from './past-readings.ts';

/** Readings that arrive while the stores are read are held back, up to this number; further ones are dropped. */
const MAX_HELD = 5000;
/**
 * Changes of devices are gathered for `GATHER_MS`, or for `GATHER_TIMES` the duration of the last read if that is
 * longer.
 */
const GATHER_MS = 200;
const GATHER_TIMES = 4;

export interface DeviceBoardDependencies {
  readonly locations: () => StoreLocations;
  readonly events: NodeEvents;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Called for each change of a board. */
export interface BoardListener {
  /** Called when a device has a newer reading. */
  onReading(device: BridgedDevice): void;
  /** Called when any device, or a choice of the owner for all devices, may have changed. */
  onDevices(): void;
}

/**
 * The owner's devices that are not hidden, as other programs see them, each with its newest plain values. The board is
 * filled from the stores at its start, and follows the node's events.
 */
export class DeviceBoard {
  readonly #dependencies: DeviceBoardDependencies;
  #devices: ReadonlyMap<string, BridgedDevice> = new Map();
  readonly #reads = new SerialQueue();
  readonly #listeners = new Set<BoardListener>();
  #leftOut: ReadonlySet<string> = new Set();
  #general: GeneralUnits = {};
  #held: StoredReading[] | null = null;
  #isReading = false;
  #isLoaded = false;
  /** The devices that must be read again; null means all. */
  #stale: Set<string> | null = new Set();
  #endWait: (() => void) | null = null;
  #tookMs = 0;
  #ends: (() => void)[] = [];

  constructor(dependencies: DeviceBoardDependencies) {
    this.#dependencies = dependencies;
  }

  /** All devices in order of registration. */
  get all(): readonly BridgedDevice[] {
    return [...this.#devices.values()];
  }

  /** The ids of devices that the owner excludes from the broker. */
  get leftOut(): ReadonlySet<string> {
    return this.#leftOut;
  }

  /** Whether the stores have been read. Until then the list is incomplete. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  get isOn(): boolean {
    return this.#ends.length > 0;
  }

  listen(listener: BoardListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Starts to follow the node's events. The stores are read in the background, so that a bridge does not delay the
   * node's start.
   */
  start(): void {
    if (this.isOn) return;
    const { events } = this.#dependencies;
    this.#ends = [
      events.on('stored', ({ readings }) => this.#onStored(readings)),
      events.on('registered', ({ deviceId }) => this.#reload([deviceId])),
      events.on('forgotten', ({ deviceId }) => this.#reload([deviceId])),
      events.on('noted', ({ deviceId }) => this.#reload([deviceId])),
      // A calibration corrects the values.
      events.on('journalChanged', () => this.#reload(null)),
      events.on('chosen', ({ names }) => {
        if (FOLLOWED.some((name) => names.includes(name))) this.#reload([]);
      }),
      events.on('storeOpened', () => this.#reload(null)),
      events.on('deviceSaid', ({ deviceId, batteryPercent }) => {
        const device = this.#devices.get(deviceId);
        if (device === undefined || device.batteryPercent === batteryPercent) return;
        device.batteryPercent = batteryPercent;
        this.#tellDevices();
      }),
      events.on('clockMoved', (moved) => {
        for (const device of this.#devices.values()) device.move(moved);
        this.#tellDevices();
      }),
    ];
    this.#reload(null);
    void this.settled();
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    this.#endWait?.();
    this.#endWait = null;
    await this.#reads.settled();
    this.#devices = new Map();
    this.#isLoaded = false;
  }

  /** Resolves once all pending reads are done. */
  async settled(): Promise<void> {
    if (this.#endWait !== null) this.#readNow();
    await this.#reads.settled();
  }

  #onStored(readings: readonly StoredReading[]): void {
    for (const reading of readings) {
      const device = this.#devices.get(reading.deviceId);
      if (this.#isReading) this.#hold(reading);
      if (device?.take(reading) === true) for (const listener of this.#listeners) listener.onReading(device);
    }
  }

  /** Holds a reading back: values from the read in progress may be older. */
  #hold(reading: StoredReading): void {
    this.#held ??= [];
    if (this.#held.length < MAX_HELD) this.#held.push(reading);
  }

  /** Schedules a read of some devices, or of all (null), and of the owner's choices. */
  #reload(ids: readonly string[] | null): void {
    if (ids === null) this.#stale = null;
    else for (const id of ids) this.#stale?.add(id);
    const waitMs = Math.max(GATHER_MS, GATHER_TIMES * this.#tookMs);
    this.#endWait ??= this.#dependencies.clock.after(waitMs, () => this.#readNow());
  }

  #readNow(): void {
    this.#endWait?.();
    this.#endWait = null;
    void this.#reads.run(async () => {
      const ids = this.#stale;
      this.#stale = new Set();
      this.#isReading = true;
      const startedAt = performance.now();
      try {
        await readStores(this.#dependencies.locations(), (stores) => this.#read(stores, ids));
      } catch (error) {
        this.#dependencies.log.error({ err: error }, 'the bridge can’t read the stores');
      }
      this.#tookMs = performance.now() - startedAt;
      this.#isReading = false;
      const held = this.#held ?? [];
      this.#held = null;
      for (const reading of held) this.#devices.get(reading.deviceId)?.take(reading);
      if (this.isOn && this.#isLoaded) this.#tellDevices();
    });
  }

  async #read(stores: StoresView, ids: ReadonlySet<string> | null): Promise<void> {
    const choices = await stores.choices();
    this.#general = CHOICES.units.safeParse(choices.get('units') ?? {}).data ?? {};
    this.#leftOut = new Set(CHOICES.bridge.safeParse(choices.get('bridge')).data?.leftOut ?? []);
    const climate = CHOICES.climate.safeParse(choices.get('climate') ?? {}).data ?? {};
    const known = (await stores.devices()).filter((device) => isMine(device) && !device.notes.isHidden);
    const same = namesakes(known.map(named));
    const before = this.#devices;
    const next = new Map<string, BridgedDevice>();
    for (const each of known) {
      const leafOffset = climate[each.id]?.leafOffset ?? null;
      const facts = { ...factsOf(each, same.has(each.id)), leafOffset };
      const kept = ids === null || ids.has(each.id) ? undefined : before.get(each.id);
      const device = kept ?? (await this.#make(stores, facts, before.get(each.id)));
      device.facts = facts;
      device.general = this.#general;
      next.set(each.id, device);
    }
    this.#devices = next;
    this.#isLoaded = true;
  }

  async #make(stores: StoresView, facts: DeviceFacts, before: BridgedDevice | undefined): Promise<BridgedDevice> {
    const device = new BridgedDevice(facts, this.#general);
    device.batteryPercent = before?.batteryPercent ?? null;
    for (const reading of await readPast(stores, facts.id)) device.take(reading);
    return device;
  }

  #tellDevices(): void {
    for (const listener of this.#listeners) listener.onDevices();
  }
}

/** The owner's choices that what is handed on depends on. */
const FOLLOWED = ['units', 'bridge', 'climate'] as const;

function named({ id, entries, notes }: KnownDevice) {
  return { id, notes, name: entries[0]!.device.name };
}

function factsOf(known: KnownDevice, hasNamesake: boolean): Omit<DeviceFacts, 'leafOffset'> {
  const { hardware } = known.entries[0]!.device;
  const shown = (text: string | undefined) => displayText(text ?? '') || null;
  return {
    id: known.id,
    name: deviceName({ ...named(known), hasNamesake }),
    model: shown(hardware.model),
    firmware: shown(hardware.firmware_version),
    notes: known.notes,
    corrections: known.corrections,
  };
}

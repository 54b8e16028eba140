import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { ArrivalClock } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { roomAt } from '../common/room.ts';
import type { ServedStore } from '../http/listeners/listener-kind.ts';
import { StoreReads } from '../http/store-reads.ts';
import { DeviceDirectory } from '../intake/device-directory.ts';
import { DiskBudget } from '../intake/disk-budget.ts';
import { Intake } from '../intake/intake.ts';
import { Load } from '../intake/load.ts';
import { PublicShare } from '../intake/public-share.ts';
import { type RefusedDevice, RefusedDevices } from '../intake/refused-devices.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/port.ts';
import type { NodeFolder } from './node-folder.ts';
import type { Part } from './part.ts';
import type { Stores } from './stores.ts';

export interface IntakesDependencies {
  readonly folder: NodeFolder;
  readonly stores: Stores;
  readonly settings: Settings;
  readonly log: Logger;
  readonly events: NodeEvents;
  readonly clock: ArrivalClock;
}

/** The intakes of the stores that listeners serve, and the load that they share. */
export class Intakes implements Part {
  readonly name = 'intakes';
  readonly #dependencies: IntakesDependencies;
  readonly #open = new Map<StoreName, ServedStore>();
  readonly #load = new Load();
  readonly #disk: DiskBudget;
  readonly #beyondLimit: RefusedDevices;
  #share: PublicShare | null = null;
  #claimed: ReadonlySet<string> = new Set();

  constructor(dependencies: IntakesDependencies) {
    this.#dependencies = dependencies;
    const { folder, clock } = dependencies;
    this.#beyondLimit = new RefusedDevices(() => clock.now(), this.#onRefused);
    this.#disk = new DiskBudget({
      room: () => roomAt(folder.path),
      now: () => clock.now(),
      onRefused: this.#onRefused,
    });
  }

  /** The devices that exceeded their share of a store within the last day, latest last. */
  get refused(): Readonly<Record<'disk' | 'share' | 'list', readonly RefusedDevice[]>> {
    return { disk: this.#disk.refused, share: this.#share?.refused ?? [], list: this.#beyondLimit.list };
  }

  /** Reserves a part of the public store for these devices. */
  claim(deviceIds: ReadonlySet<string>): void {
    this.#claimed = deviceIds;
    this.#share?.claim(deviceIds);
  }

  /** All open intakes. */
  get all(): Intake[] {
    return [...this.#open.values()].map(({ intake }) => intake);
  }

  /** Returns the intake of a store that listeners serve. Throws if there is none. */
  find(storeName: StoreName): Intake {
    return this.#open.get(storeName)!.intake;
  }

  /**
   * Resolves with a store and its intake, opened if necessary. Rejects with StartError if the store can't be opened.
   */
  async open(storeName: StoreName): Promise<ServedStore> {
    const open = this.#open.get(storeName);
    if (open !== undefined) return open;
    const { folder, stores, settings, events, log, clock } = this.#dependencies;
    const store = await stores.open(storeName);
    // Each node of a shared store counts only its own requests; the store adds them up.
    const unregistered = store.shared === undefined ? await store.unregistered() : [];
    const devices = new DeviceDirectory({ store, nodePublicKey: folder.identity.publicKey, events });
    const reads = new StoreReads(store, devices, events, storeName === 'public' ? settings.publicMaxDevices : 0);
    const onStored: StoreReads['stored'] = (deviceId, reading) => reads.stored(deviceId, reading);
    const { rawBinding } = settings;
    const share = storeName === 'public' ? this.#openShare(store) : null;
    const budget = share ?? this.#disk;
    const dependencies = {
      store,
      devices,
      unregistered,
      onStored,
      budget,
      load: this.#load,
      rawBinding,
      clock,
      events,
      log,
    };
    const served: ServedStore = {
      reads,
      intake: new Intake(dependencies),
      refusal: async () => (await store.refusal()) ?? share?.refusal ?? null,
      onDeviceLimit: (id) => this.#beyondLimit.note(id),
      clock,
      sharedLimits: store.shared ?? null,
    };
    this.#open.set(storeName, served);
    return served;
  }

  #openShare(store: Store): PublicShare {
    const { settings, clock, events } = this.#dependencies;
    const share = new PublicShare({
      bytes: () => store.bytes(),
      maxBytes: settings.publicMaxBytes,
      // A shared store has no owner with reserved space.
      ...(store.shared !== undefined && { keptPart: 0 }),
      now: () => clock.now(),
      onRefused: this.#onRefused,
      onState: (refusal) => events.emit('storeState', () => ({ store: 'public', refusal })),
    });
    share.claim(this.#claimed);
    void share.look();
    this.#share = share;
    return share;
  }

  readonly #onRefused = (): void => this.#dependencies.events.emit('gateChanged', () => ({}));

  start(): void {}

  async stop(): Promise<void> {
    await Promise.all(this.all.map((intake) => intake.close()));
    this.#open.clear();
  }
}

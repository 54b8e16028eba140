import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { ArrivalClock } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { ServedStore } from '../http/listeners/listener-kind.ts';
import { StoreReads } from '../http/store-reads.ts';
import { DeviceDirectory } from '../intake/device-directory.ts';
import { Intake } from '../intake/intake.ts';
import { Load } from '../intake/load.ts';
import { Verifiers } from '../intake/verifiers.ts';
import type { Settings } from '../settings/settings.ts';
import type { Reading } from '../store/port.ts';
import type { NodeFolder } from './node-folder.ts';
import type { Part } from './part.ts';
import type { Stores } from './stores.ts';

/** What the intakes are made of. */
export interface IntakesParts {
  readonly folder: NodeFolder;
  readonly stores: Stores;
  readonly settings: Settings;
  readonly log: Logger;
  readonly events: NodeEvents;
  readonly clock: ArrivalClock;
}

/** An intake for each store that listeners take in for, and the threads that they share. */
export class Intakes implements Part {
  readonly name = 'intakes';
  readonly #parts: IntakesParts;
  readonly #open = new Map<StoreName, ServedStore>();
  readonly #load = new Load();
  #verifiers: Verifiers | null = null;

  constructor(parts: IntakesParts) {
    this.#parts = parts;
  }

  /** The intakes that there are. */
  get all(): Intake[] {
    return [...this.#open.values()].map(({ intake }) => intake);
  }

  /** The intake for a store that listeners take in for. Throws where there is none. */
  find(storeName: StoreName): Intake {
    return this.#open.get(storeName)!.intake;
  }

  /** The intake for a store, with the store: opened where need be. Throws StartError where that can't be. */
  async open(storeName: StoreName): Promise<ServedStore> {
    const open = this.#open.get(storeName);
    if (open !== undefined) return open;
    const { folder, stores, settings, events, log, clock } = this.#parts;
    const store = await stores.open(storeName);
    const unregistered = await store.unregistered();
    const devices = new DeviceDirectory({ store, nodePublicKey: folder.identity.publicKey, events });
    const reads = new StoreReads(store, devices, events);
    const onStored = (deviceId: string, read: () => Reading) => reads.stored(deviceId, read);
    const { rawBinding } = settings;
    const threads = { verifiers: this.#verifiers!, load: this.#load };
    const parts = { store, devices, unregistered, onStored, ...threads, rawBinding, clock, events, log };
    const served: ServedStore = { reads, intake: new Intake(parts), refusal: () => store.refusal(), clock };
    this.#open.set(storeName, served);
    return served;
  }

  start(): void {
    this.#verifiers = new Verifiers(this.#parts.log);
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((intake) => intake.close()));
    this.#open.clear();
    await this.#verifiers?.close();
    this.#verifiers = null;
  }
}

import type { Disposition, PublishTo, StoreName } from '../../shared/protocol/codes.ts';
import { dispositionFor } from '../../shared/protocol/device.ts';
import { type FieldName, SENSOR_FIELDS } from '../../shared/protocol/fields.ts';
import { isPublicKeyHex } from '../../shared/protocol/primitives.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { RegisteredDevice, Store } from '../store/port.ts';

/** The values that intake derives from the registration of a device. */
export interface JudgedDevice {
  /** Its public key, lowercase hex. */
  readonly id: string;
  readonly publicKey: Buffer;
  readonly publishTo: PublishTo;
  /** The form in which this node may keep each field. */
  readonly dispositions: Readonly<Record<FieldName, Disposition>>;
  /** See RegisteredDevice. */
  readonly registration?: number | undefined;
}

/** A registered device, with the values that intake derives from its registration. */
export interface Device extends JudgedDevice {
  readonly registered: RegisteredDevice;
}

/** Devices by their ids (hex in any case); undefined if there is none with that id. */
export interface Devices {
  known(id: string): JudgedDevice | undefined;
}

/** A device of a shared store that is remembered: without what can be made again or is the same for many devices. */
type Remembered = Omit<JudgedDevice, 'publicKey'>;

/** About 200 bytes each. */
const MOST_REMEMBERED = 50_000;
const MOST_DISPOSITIONS = 100;

export interface DeviceDirectoryDependencies {
  readonly store: Pick<Store, 'name' | 'device' | 'shared'>;
  /** This node's key in lowercase hex: policies may have a rule for it. */
  readonly nodePublicKey: string;
  readonly events: NodeEvents;
}

/**
 * The registered devices of one store. A device never changes after its registration, so a device that was read once
 * stays in this cache until some of its readings are deleted. Of a shared store another node may delete a device and
 * register it again, so its devices are only remembered for readings that the store takes with their registration.
 */
export class DeviceDirectory {
  readonly storeName: StoreName;
  readonly #dependencies: DeviceDirectoryDependencies;
  readonly #kept = new Map<string, Device>();
  readonly #remembered = new Map<string, Remembered>();
  /** The dispositions of remembered devices, each once. */
  readonly #dispositions = new Map<string, JudgedDevice['dispositions']>();
  /** Counts deletions: a device that was read before a deletion must not be cached after it. */
  #deletions = 0;

  constructor(dependencies: DeviceDirectoryDependencies) {
    this.storeName = dependencies.store.name;
    this.#dependencies = dependencies;
    dependencies.events.on('readingsDeleted', ({ store, deviceId }) => {
      if (store !== this.storeName) return;
      this.#deletions += 1;
      this.#kept.delete(deviceId);
    });
    dependencies.events.on('timesMoved', ({ store }) => {
      if (store !== this.storeName) return;
      this.#deletions += 1;
      this.#kept.clear();
    });
    // Another server may be in its place afterwards, without the last registrations.
    dependencies.events.on('storeState', ({ store }) => {
      if (store === this.storeName) this.#remembered.clear();
    });
  }

  /** Returns the cached device with this id (hex in any case). undefined only means that it is not cached. */
  known(id: string): Device | undefined {
    return this.#kept.get(id) ?? this.#kept.get(id.toLowerCase());
  }

  /** Returns the device with this id (hex in any case), or undefined if it is not registered or the id is not a key. */
  async find(id: string): Promise<Device | undefined> {
    const known = this.known(id);
    if (known !== undefined) return known;
    if (!isPublicKeyHex(id)) return undefined;
    const deletions = this.#deletions;
    const { store } = this.#dependencies;
    const registered = await store.device(id.toLowerCase());
    if (registered === null) return undefined;
    const device = toDevice(registered, this.#dependencies.nodePublicKey);
    if (deletions === this.#deletions && store.shared === undefined) this.#kept.set(device.id, device);
    return device;
  }

  /** Reads the devices with these ids (hex in any case) that are not cached. */
  async read(ids: ReadonlySet<string>): Promise<Devices> {
    const found = await Promise.all(Array.from(ids, (id) => this.find(id)));
    if (this.#dependencies.store.shared === undefined) return this;
    const devices = new Map(found.flatMap((device) => (device === undefined ? [] : [[device.id, device]])));
    return { known: (id) => devices.get(id) ?? devices.get(id.toLowerCase()) };
  }

  /**
   * Returns the devices with these ids (lowercase hex) as they were when the store last took a reading of each; null if
   * it took none of one of them. Nothing may follow from them but that the store takes readings with their registrations.
   */
  remembered(ids: ReadonlySet<string>): Devices | null {
    for (const id of ids) if (!this.#remembered.has(id)) return null;
    return {
      known: (id) => {
        const device = this.#remembered.get(id.toLowerCase());
        return device && { ...device, publicKey: Buffer.from(device.id, 'hex') };
      },
    };
  }

  /** Call this when the store has taken a reading with the registration of this device. */
  remember({ id, publishTo, dispositions, registration }: JudgedDevice): void {
    if (registration === undefined || this.#remembered.get(id)?.registration === registration) return;
    if (this.#remembered.size === MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(id, { id, publishTo, dispositions: this.#shared(dispositions), registration });
  }

  /** Call this when the store did not take a reading with the registration of a device. */
  forget(id: string): void {
    this.#remembered.delete(id);
  }

  #shared(dispositions: JudgedDevice['dispositions']): JudgedDevice['dispositions'] {
    const key = Object.values(dispositions).join(' ');
    if (this.#dispositions.size === MOST_DISPOSITIONS) this.#dispositions.clear();
    const same = this.#dispositions.get(key) ?? dispositions;
    this.#dispositions.set(key, same);
    return same;
  }
}

function toDevice(registered: RegisteredDevice, nodePublicKey: string): Device {
  const { id, publishTo, privacyPolicy } = registered;
  const dispositions = {} as Record<FieldName, Disposition>;
  for (const { name, policyName } of SENSOR_FIELDS) {
    dispositions[name] = dispositionFor(privacyPolicy, policyName, nodePublicKey);
  }
  const { registration } = registered;
  return { id, publicKey: Buffer.from(id, 'hex'), publishTo, dispositions, registration, registered };
}

import type { Disposition, PublishTo, StoreName } from '../../shared/protocol/codes.ts';
import { dispositionFor } from '../../shared/protocol/device.ts';
import { type FieldName, SENSOR_FIELDS } from '../../shared/protocol/fields.ts';
import { isPublicKeyHex } from '../../shared/protocol/primitives.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { RegisteredDevice, Store } from '../store/port.ts';

/** A registered device, with the values that intake derives from its registration. */
export interface Device {
  /** Its public key, lowercase hex. */
  readonly id: string;
  readonly publicKey: Buffer;
  readonly publishTo: PublishTo;
  /** The form in which this node may keep each field. */
  readonly dispositions: Readonly<Record<FieldName, Disposition>>;
  readonly registered: RegisteredDevice;
}

export interface DeviceDirectoryDependencies {
  readonly store: Pick<Store, 'name' | 'device' | 'shared'>;
  /** This node's key in lowercase hex: policies may have a rule for it. */
  readonly nodePublicKey: string;
  readonly events: NodeEvents;
}

/**
 * The registered devices of one store. A device never changes after its registration, so a device that was read once
 * stays in this cache until some of its readings are deleted. Devices of a shared store are not cached: another node
 * may delete a device and register it again.
 */
export class DeviceDirectory {
  readonly storeName: StoreName;
  readonly #dependencies: DeviceDirectoryDependencies;
  readonly #kept = new Map<string, Device>();
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
  async read(ids: ReadonlySet<string>): Promise<Pick<DeviceDirectory, 'known'>> {
    const found = await Promise.all(Array.from(ids, (id) => this.find(id)));
    if (this.#dependencies.store.shared === undefined) return this;
    const devices = new Map(found.flatMap((device) => (device === undefined ? [] : [[device.id, device]])));
    return { known: (id) => devices.get(id) ?? devices.get(id.toLowerCase()) };
  }
}

function toDevice(registered: RegisteredDevice, nodePublicKey: string): Device {
  const { id, publishTo, privacyPolicy } = registered;
  const dispositions = {} as Record<FieldName, Disposition>;
  for (const { name, policyName } of SENSOR_FIELDS) {
    dispositions[name] = dispositionFor(privacyPolicy, policyName, nodePublicKey);
  }
  return { id, publicKey: Buffer.from(id, 'hex'), publishTo, dispositions, registered };
}

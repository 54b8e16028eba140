import type { DeviceRegistration } from '../../shared/protocol/device.ts';
import { MAX_READINGS_RETURNED } from '../../shared/protocol/limits.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { Device, DeviceDirectory } from '../intake/device-directory.ts';
import type { ReadingOnDisk } from '../intake/stored-reading.ts';
import type { SharedLimits, Store } from '../store/port.ts';
import { deviceJson } from './device-json.ts';
import { DeviceList, LARGEST_LIST, type ListBody } from './device-list.ts';
import { LatestBodies } from './latest-bodies.ts';
import { renderReading } from './reading-json.ts';

/** The bytes of the list that each device may take: 16 MiB for 10,000 devices, and more if more are allowed. */
const LIST_BYTES_EACH = 1677;

const NO_READINGS = Buffer.from('{"readings":[]}');

/**
 * Rendered and cached answers from one store, for all listeners that read it. For a shared store only the list of
 * devices is cached, while the store reports the same version of it.
 */
export class StoreReads {
  readonly #store: Pick<Store, 'devices' | 'latest' | 'shared'>;
  readonly #devices: DeviceDirectory;
  readonly #list: DeviceList;
  readonly #latest: LatestBodies;
  /** The version of the rendered list. */
  #version: string | null = null;

  /** `maxDevices` is the store's limit of devices; 0 if it is not known. */
  constructor(
    store: Pick<Store, 'name' | 'devices' | 'latest' | 'shared'>,
    devices: DeviceDirectory,
    events: NodeEvents,
    maxDevices = 0,
  ) {
    this.#devices = devices;
    this.#store = store;
    this.#list = new DeviceList((page) => store.devices(page), Math.max(LARGEST_LIST, maxDevices * LIST_BYTES_EACH));
    this.#latest = new LatestBodies(async (id) => (await store.latest(id, MAX_READINGS_RETURNED)).map(renderReading));
    events.on('registered', ({ store: name }) => {
      if (name === store.name) this.#list.changed();
    });
    events.on('readingsDeleted', ({ store: name, deviceId }) => {
      if (name !== store.name) return;
      this.#list.shrank();
      this.#latest.forget(deviceId);
    });
    events.on('arrivalsMoved', ({ store: name, deviceId }) => {
      if (name === store.name) this.#latest.forget(deviceId);
    });
    events.on('timesMoved', ({ store: name }) => {
      if (name === store.name) this.#list.changed();
    });
  }

  /** Returns the device with this id (hex in any case); undefined if it is not registered. */
  async device(id: string): Promise<Device | undefined> {
    return this.#devices.find(id);
  }

  /** Returns the body of the response with all devices in order of registration, or as many as one answer may have. */
  listBody(): ListBody | Promise<ListBody> {
    const { shared } = this.#store;
    return shared === undefined ? (this.#list.kept ?? this.#list.body()) : this.#sharedListBody(shared);
  }

  async #sharedListBody(shared: SharedLimits): Promise<ListBody> {
    const { version } = await shared.list();
    if (version !== this.#version) this.#list.changed();
    this.#version = version;
    return this.#list.body();
  }

  /** Returns the body of the response with a page of the devices; null if the store has no device `after`. */
  async listPage(limit: number, after: string | null): Promise<string | null> {
    const last = after === null ? null : await this.#devices.find(after);
    if (last === undefined) return null;
    const devices = await this.#store.devices({ limit, after: last?.id ?? null });
    return `{"devices":[${devices.map(deviceJson).join(',')}]}`;
  }

  /** Reserves room for a device that is about to be registered, as `DeviceList.takeRoom` does. */
  async takeRoom(registration: DeviceRegistration): Promise<(() => void) | null> {
    const shared = await this.#store.shared?.list();
    return this.#list.takeRoom(bytesOf(registration), shared?.count);
  }

  /** Returns the body of the response with the latest readings of a device. `id` is hex in any case. */
  latestBody(id: string): Buffer | Promise<string | Buffer> {
    if (this.#store.shared !== undefined) return this.readingsPage(id, MAX_READINGS_RETURNED, null);
    const known = this.#devices.known(id);
    const kept = known === undefined ? undefined : this.#latest.kept(known.id);
    return kept ?? this.#readLatest(id);
  }

  /** Returns the body of the response with a page of readings, in the order of `Store.latest`. */
  async readingsPage(id: string, limit: number, before: bigint | null): Promise<string | Buffer> {
    const device = await this.#devices.find(id);
    if (device === undefined) return NO_READINGS;
    const readings = await this.#store.latest(device.id, limit, before);
    return `{"readings":[${readings.map((reading) => renderReading(reading).json).join(',')}]}`;
  }

  /** Call this for each reading that is on disk, before its sender gets an answer. */
  stored(deviceId: string, reading: ReadingOnDisk): void {
    if (this.#latest.keeps(deviceId)) this.#latest.add(deviceId, renderReading(reading));
  }

  async #readLatest(id: string): Promise<Buffer> {
    const device = await this.#devices.find(id);
    return device === undefined ? NO_READINGS : this.#latest.body(device.id);
  }
}

/** Returns the length that a device adds to the list, with its comma. */
function bytesOf(registration: DeviceRegistration): number {
  const { ownerName = '', location = null, privacyPolicy = {}, hardware = {} } = registration;
  const device = { ...registration, ownerName, location, privacyPolicy, hardware };
  return Buffer.byteLength(deviceJson({ ...device, createdAt: Number.MAX_SAFE_INTEGER })) + 1;
}

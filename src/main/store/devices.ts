import type { Database } from 'better-sqlite3';
import type { Disposition, PublishTo } from '../../shared/protocol/codes.ts';
import { type DeviceResponse, dispositionFor, type PrivacyPolicy } from '../../shared/protocol/device.ts';
import { SENSOR_FIELDS } from '../../shared/protocol/fields.ts';
import { stringifyJson64 } from '../../shared/protocol/json64.ts';
import { isPublicKeyHex } from '../../shared/protocol/primitives.ts';

/** What ingestion and the device routes need of a registered device. */
export interface Device {
  /** Its small number in this store. */
  readonly device: number;
  /** Its public key, lowercase hex. */
  readonly id: string;
  readonly publicKey: Buffer;
  readonly publishTo: PublishTo;
  /** What this node may keep of each field, in the order of SENSOR_FIELDS. */
  readonly dispositions: readonly Disposition[];
  /** The device as JSON text, as it stands in responses. */
  readonly json: string;
}

interface DeviceRow {
  device: bigint;
  id: Buffer;
  mac: Buffer;
  owner_pubkey: Buffer;
  name: string;
  type: bigint;
  location: bigint | null;
  publish_to: bigint;
  privacy_policy: string;
  hardware: string;
  created_at: bigint;
}

const COLUMNS = 'device, id, mac, owner_pubkey, name, type, location, publish_to, privacy_policy, hardware, created_at';
/** 10,000 devices take about 4 MB. A longer list is kept only while it is being sent to someone. */
const LARGEST_LIST_KEPT = 16 * 1024 ** 2;

/** The registered devices of one store. A row never changes after registration, so what was read once is kept. */
export class DeviceDirectory {
  readonly #byId;
  readonly #all;
  readonly #nodePublicKey: string;
  readonly #cache = new Map<string, Device>();
  #list: Buffer | WeakRef<Buffer> | null = null;

  /** `nodePublicKey` is this node's key in lowercase hex: policies may have a rule for it. */
  constructor(db: Database, nodePublicKey: string) {
    this.#byId = db.prepare<[Buffer], DeviceRow>(`SELECT ${COLUMNS} FROM devices WHERE id = ?`).safeIntegers();
    this.#all = db.prepare<[], DeviceRow>(`SELECT ${COLUMNS} FROM devices ORDER BY device`).safeIntegers();
    this.#nodePublicKey = nodePublicKey;
  }

  /** The device of an id given in hex of any case; undefined where none is registered or the id is no key. */
  find(id: string): Device | undefined {
    const known = this.#cache.get(id);
    if (known !== undefined) return known;
    if (!isPublicKeyHex(id)) return undefined;
    const key = id.toLowerCase();
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const row = this.#byId.get(Buffer.from(key, 'hex'));
    if (row === undefined) return undefined;
    const device = this.#toDevice(row);
    this.#cache.set(key, device);
    return device;
  }

  /** The body of the response with all devices, in the order of registration. */
  listBody(): Buffer {
    const kept = this.#list instanceof WeakRef ? this.#list.deref() : this.#list;
    if (kept != null) return kept;
    const items: string[] = [];
    for (const row of this.#all.iterate()) items.push(deviceJson(row));
    const list = Buffer.from(`{"devices":[${items.join(',')}]}`);
    this.#list = list.length <= LARGEST_LIST_KEPT ? list : new WeakRef(list);
    return list;
  }

  /** To be called when a device was registered or forgotten. */
  changed(id: string): void {
    this.#cache.delete(id);
    this.#list = null;
  }

  #toDevice(row: DeviceRow): Device {
    const policy = JSON.parse(row.privacy_policy) as PrivacyPolicy;
    return {
      device: Number(row.device),
      id: row.id.toString('hex'),
      publicKey: row.id,
      publishTo: Number(row.publish_to) as PublishTo,
      dispositions: SENSOR_FIELDS.map(({ policyName }) => dispositionFor(policy, policyName, this.#nodePublicKey)),
      json: deviceJson(row),
    };
  }
}

function deviceJson(row: DeviceRow): string {
  return stringifyJson64({
    id: row.id.toString('hex'),
    mac: row.mac.toString('hex'),
    ownerPubkey: row.owner_pubkey.toString('hex'),
    name: row.name,
    type: Number(row.type),
    location: row.location === null ? null : BigInt.asUintN(64, row.location),
    // Always ACTIVE: the owner's marks are notes of the app.
    status: 0,
    hardware: JSON.parse(row.hardware),
    createdAt: Number(row.created_at),
  } satisfies DeviceResponse);
}

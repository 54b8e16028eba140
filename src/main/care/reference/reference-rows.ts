import { type DeviceRegistration, deviceRegistration } from '../../../shared/protocol/device.ts';
import { type FieldName, SENSOR_FIELDS } from '../../../shared/protocol/fields.ts';
import { parseJson64 } from '../../../shared/protocol/json64.ts';
import {
  MAX_CIPHER_BYTES,
  MAX_KEY_VERSION,
  MAX_NAME_LENGTH,
  MIN_CIPHER_BYTES,
  NONCE_BYTES,
  PUBLIC_KEY_BYTES,
} from '../../../shared/protocol/limits.ts';
import type { NewReading, StoredField } from '../../store/reading.ts';

/** A row of `devices`. SQLite may hold values of any type. */
export type DeviceRow = Readonly<Record<string, unknown>>;
/** A row of `telemetry`. */
export type TelemetryRow = Readonly<Record<string, unknown>>;

/** The outcome for a row: the imported part and the omitted parts, or the reason why it is skipped. */
export type Taken<T> = { readonly value: T; readonly leftOut: readonly string[] } | { readonly reason: string };

/** A device to be registered, and its time of registration. */
export interface TakenDevice {
  readonly registration: DeviceRegistration;
  readonly createdAt: number;
}

/** Returns the key of a row in lowercase hex; null if it is not a key. */
export function keyOf(value: unknown): string | null {
  return value instanceof Uint8Array && value.byteLength === PUBLIC_KEY_BYTES ? hex(value) : null;
}

/** Returns a row of `devices` as a registration. The same rules apply as for one from a device. */
export function deviceOf(row: DeviceRow): Taken<TakenDevice> {
  const leftOut: string[] = [];
  const createdAt = timeOf(row.created_at);
  if (createdAt === null) return { reason: 'its time of registration is not a time' };
  const policy = policyOf(row.privacy_policy, leftOut);
  if (policy === null) return { reason: 'its privacy policy is not JSON' };
  const hardware = jsonOf(row.hardware) as { model?: unknown; firmware_version?: unknown } | undefined;
  const hasHardware = typeof hardware?.model === 'string' && typeof hardware.firmware_version === 'string';
  if (!hasHardware && row.hardware !== '{}') leftOut.push('its hardware information');
  if (row.encryption_key_version !== 0n) leftOut.push('its encryption_key_version, which no protocol message sets');
  const checked = deviceRegistration.safeParse({
    id: keyOf(row.pubkey) ?? undefined,
    mac: row.mac instanceof Uint8Array ? hex(row.mac) : undefined,
    ownerPubkey: keyOf(row.owner_pubkey) ?? undefined,
    ownerName: typeof row.owner_name === 'string' ? shorten(row.owner_name) : undefined,
    name: typeof row.name === 'string' ? shorten(row.name) : undefined,
    type: Number(row.type),
    publishTo: Number(row.publish_to),
    location: typeof row.location === 'bigint' ? BigInt.asUintN(64, row.location) : undefined,
    networks: listOf(row.networks, 'its networks', leftOut),
    localServers: listOf(row.local_servers, 'its local servers', leftOut),
    privacyPolicy: policy,
    hardware: hasHardware ? { model: hardware.model, firmware_version: hardware.firmware_version } : undefined,
  });
  if (checked.success) return { value: { registration: checked.data, createdAt }, leftOut };
  const { path, message } = checked.error.issues[0]!;
  return { reason: `its ${path.join('.')} ${message}` };
}

/** Returns a row of `telemetry` as a reading of a device. An invalid value is omitted alone. */
export function readingOf(row: TelemetryRow, deviceId: string): Taken<NewReading> {
  const receivedAt = timeOf(row.received_at);
  if (typeof row.seq !== 'bigint' || typeof row.timestamp !== 'bigint' || receivedAt === null) {
    return { reason: 'its seq or one of its times is not an integer' };
  }
  const keyVersion = row.key_version === null ? 0 : Number(row.key_version);
  if (!Number.isInteger(keyVersion) || keyVersion < 0 || keyVersion > MAX_KEY_VERSION) {
    return { reason: 'its key version is not valid' };
  }
  const fields = {} as Record<FieldName, StoredField>;
  const leftOut: string[] = [];
  for (const { name, policyName } of SENSOR_FIELDS) {
    const field = fieldOf(row[`${policyName}_plain`], row[`${policyName}_cipher`], row[`${policyName}_nonce`]);
    if (field === undefined) leftOut.push(`a ${name} that is neither a number nor sealed`);
    fields[name] = field ?? null;
  }
  const [seq, timestamp] = [BigInt.asUintN(64, row.seq), BigInt.asUintN(64, row.timestamp)];
  return { value: { deviceId, seq, timestamp, receivedAt, keyVersion, fields }, leftOut };
}

/**
 * Returns a field, or undefined if it is invalid. If it has both forms, the plain one is used, since it needs no key.
 */
function fieldOf(plain: unknown, cipher: unknown, nonce: unknown): StoredField | undefined {
  // Adding 0 turns -0 into 0.
  if (typeof plain === 'number' && Number.isFinite(plain)) return plain + 0;
  if (plain === null && cipher === null && nonce === null) return null;
  const isSealed =
    plain === null &&
    nonce instanceof Uint8Array &&
    nonce.byteLength === NONCE_BYTES &&
    cipher instanceof Uint8Array &&
    cipher.byteLength >= MIN_CIPHER_BYTES &&
    cipher.byteLength <= MAX_CIPHER_BYTES;
  return isSealed ? Buffer.concat([nonce, cipher]) : undefined;
}

function timeOf(value: unknown): number | null {
  const time = typeof value === 'bigint' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(time) && time >= 0 ? time : null;
}

function jsonOf(text: unknown): unknown {
  try {
    return typeof text === 'string' ? parseJson64(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the rules for the protocol's fields; other rules applied to no value. null if it is not a policy. */
function policyOf(text: unknown, leftOut: string[]): Record<string, unknown> | null {
  const sent = jsonOf(text);
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return null;
  const rules = Object.entries(sent);
  const known = rules.filter(([name]) =>
    SENSOR_FIELDS.some((field) => field.name === name || field.policyName === name),
  );
  if (known.length < rules.length) leftOut.push('rules of its privacy policy for unknown fields');
  return Object.fromEntries(known);
}

function listOf(text: unknown, what: string, leftOut: string[]): readonly string[] {
  const list = deviceRegistration.shape.networks.safeParse(jsonOf(text) ?? null);
  if (list.success) return list.data;
  leftOut.push(what);
  return [];
}

function shorten(text: string): string {
  return Array.from(text).slice(0, MAX_NAME_LENGTH).join('');
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

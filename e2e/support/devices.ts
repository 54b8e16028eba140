import { REFERENCE_DIGITS } from '../../src/shared/measures/units.ts';
import type { DeviceRegistrationInput } from '../../src/shared/protocol/device.ts';
import { FIELD_NAMES, type FieldName, perFieldName } from '../../src/shared/protocol/fields.ts';
import { MAX_BLOCKS_PER_BATCH } from '../../src/shared/protocol/limits.ts';
import { sealedField } from '../../src/simulator/block-source.ts';
import { type BlockInput, type DeviceOptions, SimulatedDevice } from '../../src/simulator/device.ts';
import { post } from '../../test/support/http.ts';
import type { Endpoint } from '../../test/support/node-process.ts';
import type { OwnerNode } from './owner-node.ts';

export const MINUTE_MS = 60_000;

/** The key of values that these tests never decrypt. */
const FIELD_KEY = Buffer.alloc(32, 7);

/** Creates a device and registers it at the endpoints as the firmware does, with the overrides. */
export async function registered(
  node: OwnerNode,
  endpoints: readonly Endpoint[],
  options: DeviceOptions = {},
  overrides: Partial<DeviceRegistrationInput> = {},
): Promise<SimulatedDevice> {
  const device = new SimulatedDevice(options);
  for (const endpoint of endpoints) await register(node, endpoint, device, overrides);
  return device;
}

/** Registers a device at one endpoint. Throws unless the node accepts it. */
export async function register(
  node: OwnerNode,
  endpoint: Endpoint,
  device: SimulatedDevice,
  overrides: Partial<DeviceRegistrationInput> = {},
): Promise<void> {
  const reply = await post(`${node.url(endpoint)}/v1/devices`, device.registration(overrides));
  if (reply.status !== 201) throw new Error(`not registered: ${reply.status} ${reply.text}`);
}

/** Posts signed blocks in batches. Throws if the node refuses one. */
export async function send(node: OwnerNode, endpoint: Endpoint, blocks: readonly BlockInput[]): Promise<void> {
  for (let at = 0; at < blocks.length; at += MAX_BLOCKS_PER_BATCH) {
    const reply = await post(`${node.url(endpoint)}/v1/telemetry`, {
      blocks: blocks.slice(at, at + MAX_BLOCKS_PER_BATCH),
    });
    if (reply.status !== 200) throw new Error(`not taken: ${reply.status} ${reply.text}`);
  }
}

/** Posts one block and returns the HTTP status of the answer. */
export async function attempt(node: OwnerNode, endpoint: Endpoint, block: BlockInput): Promise<number> {
  return (await post(`${node.url(endpoint)}/v1/telemetry`, { blocks: [block] })).status;
}

/** Returns values of every field at a minute, each with its own course, as the float32 of a device. */
export function valuesAt(minute: number): Record<FieldName, number> {
  return {
    ...perFieldName((name) => round(10 * FIELD_NAMES.indexOf(name) + Math.sin(minute / 170), REFERENCE_DIGITS[name])),
    ph: round(6 + 0.5 * Math.sin(minute / 90), 2),
    ec: Math.round(1200 + 150 * Math.cos(minute / 140)),
    waterLevel: 80 + (minute % 60),
    tempWater: round(19 + 2 * Math.sin(minute / 200), 2),
    tempAmbient: round(22 + 5 * Math.sin(minute / 230), 2),
    humidity: round(60 - 8 * Math.sin(minute / 230), 2),
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** The options of `minutes`. */
export interface MinutesOptions {
  /** The number of readings. The last one is at `endAt`. */
  readonly count: number;
  /** The milliseconds between them; a minute by default. Their values depend on the index, not on the time. */
  readonly everyMs?: number;
  /** The time of the last reading in Unix milliseconds; now by default. */
  readonly endAt?: number;
  /** The first sequence number; 1 by default. */
  readonly firstSeq?: number;
  /** Fields that are sent encrypted with key version 3. */
  readonly sealed?: readonly FieldName[];
  /** Fields that are sent; all by default. */
  readonly fields?: readonly FieldName[];
  /** Milliseconds subtracted from each timestamp: a device without a clock counts from its boot. */
  readonly bootedAt?: number;
}

/** Returns signed blocks at a regular interval, oldest first. */
export function minutes(device: SimulatedDevice, options: MinutesOptions): BlockInput[] {
  const { count, everyMs = MINUTE_MS, endAt = Date.now(), firstSeq = 1, sealed = [], bootedAt = 0 } = options;
  return Array.from({ length: count }, (_, index) => {
    const values = valuesAt(index);
    const { fields = Object.keys(values) as FieldName[] } = options;
    return device.block({
      seq: firstSeq + index,
      timestamp: endAt - (count - 1 - index) * everyMs - bootedAt,
      keyVersion: sealed.length > 0 ? 3 : 0,
      plain: Object.fromEntries(fields.map((name) => [name, values[name]])),
      sealed: Object.fromEntries(sealed.map((name) => [name, sealedField(FIELD_KEY, values[name])])),
    });
  });
}

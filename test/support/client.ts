import { expect } from 'vitest';
import type { DeviceRegistrationInput } from '../../src/shared/protocol/device.ts';
import type { FieldName } from '../../src/shared/protocol/fields.ts';
import { type BlockInput, SimulatedDevice } from '../../src/simulator/device.ts';
import { post, type Reply, type RequestOptions, send } from './http.ts';

/** A plausible time of a reading, in Unix milliseconds. */
export const SOME_TIME = 1_700_000_000_000n;

/** The answer to a batch. */
export interface BatchResult {
  readonly status: number;
  readonly accepted: number;
  readonly errors: readonly { readonly seq: string; readonly error: string }[];
}

/** A field of a reading in a response. */
export type FieldOutput = { readonly value: number } | { readonly encrypted: string } | null;

/** A reading in a response, its 64-bit members as bigints. */
export interface Reading extends Readonly<Record<FieldName, FieldOutput>> {
  readonly seq: bigint;
  readonly timestamp: bigint;
  readonly receivedAt: bigint;
}

/** A device in a response. */
export interface DeviceJson {
  readonly id: string;
  readonly mac: string;
  readonly ownerPubkey: string;
  readonly name: string;
  readonly type: number;
  readonly location: number | bigint | null;
  readonly status: number;
  readonly hardware: unknown;
  readonly createdAt: number;
}

/** Sends a registration of any form. */
export function register(url: string, body: unknown, options: RequestOptions = {}): Promise<Reply> {
  return post(`${url}/v1/devices`, body, options);
}

/** Returns a new device, registered as the firmware does, with the overrides. */
export async function registeredDevice(
  url: string,
  overrides: Partial<DeviceRegistrationInput> = {},
): Promise<SimulatedDevice> {
  const device = new SimulatedDevice();
  const reply = await register(url, device.registration(overrides));
  expect(reply.status, reply.text).toBe(201);
  return device;
}

/** Returns the device in an answer to a registration or a look-up. */
export function deviceOf(reply: Reply): DeviceJson {
  return (reply.json as { device: DeviceJson }).device;
}

/** Posts blocks of any form. Fails unless the answer is a batch's: 200 or 207 with both members. */
export async function postBlocks(url: string, blocks: readonly unknown[]): Promise<BatchResult> {
  return batchResult(await post(`${url}/v1/telemetry`, { blocks }));
}

/** Posts a batch as text, for JSON that no JavaScript value results in. */
export async function postBatchText(url: string, body: string): Promise<BatchResult> {
  return batchResult(await send(`${url}/v1/telemetry`, { method: 'POST', body }));
}

function batchResult(reply: Reply): BatchResult {
  expect([200, 207], reply.text).toContain(reply.status);
  const body = reply.json as Omit<BatchResult, 'status'>;
  expect(Object.keys(body).sort(), reply.text).toEqual(['accepted', 'errors']);
  expect(reply.status === 200, reply.text).toBe(body.errors.length === 0);
  return { status: reply.status, ...body };
}

/** Posts one block that must be accepted. */
export async function accept(url: string, block: unknown): Promise<void> {
  expect(await postBlocks(url, [block])).toEqual({ status: 200, accepted: 1, errors: [] });
}

/** Posts one block that must be refused, and returns the text of its error. */
export async function refuse(url: string, block: unknown): Promise<string> {
  const result = await postBlocks(url, [block]);
  expect(result).toMatchObject({ status: 207, accepted: 0 });
  expect(result.errors).toHaveLength(1);
  return result.errors[0]!.error;
}

/** Returns the readings of a device that an endpoint serves, in its order. */
export async function readingsOf(url: string, deviceId: string): Promise<Reading[]> {
  const reply = await send(`${url}/v1/devices/${deviceId}/telemetry`);
  expect(reply.status, reply.text).toBe(200);
  const { readings } = reply.json as { readings: Record<string, unknown>[] };
  return readings.map((reading) => ({
    ...(reading as unknown as Reading),
    seq: BigInt(reading.seq as number),
    timestamp: BigInt(reading.timestamp as number),
    receivedAt: BigInt(reading.receivedAt as number),
  }));
}

/** Returns the only reading of a device that an endpoint serves. */
export async function onlyReadingOf(url: string, deviceId: string): Promise<Reading> {
  const readings = await readingsOf(url, deviceId);
  expect(readings).toHaveLength(1);
  return readings[0]!;
}

/** A block of which the test chooses the signed string and the other members. */
export interface HandWritten {
  readonly seq?: bigint | number | string;
  readonly timestamp?: bigint | number | string;
  readonly keyVersion?: number;
  /** The part of the raw string after the header, such as `|ph=6.20`. */
  readonly tail?: string;
  /** The whole raw string, instead of header and tail. */
  readonly raw?: string | Uint8Array;
  /** Members that replace the block's after it was signed. */
  readonly json?: Readonly<Record<string, unknown>>;
}

/** Signs a block whose raw string the test composes, independently of the simulator. */
export function handWritten(device: SimulatedDevice, content: HandWritten = {}): BlockInput {
  const { seq = 1, timestamp = SOME_TIME, keyVersion = 0, tail = '', json = {} } = content;
  const raw = Buffer.from(content.raw ?? `${device.id}|${seq}|${timestamp}|${keyVersion}${tail}`);
  return {
    deviceId: device.id,
    seq: String(seq),
    timestamp: String(timestamp),
    keyVersion,
    signature: Buffer.from(device.sign(raw)).toString('hex'),
    raw: raw.toString('hex'),
    ...json,
  };
}

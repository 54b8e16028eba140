import { createHash } from 'node:crypto';
import type { FieldName } from '../src/shared/protocol/fields.ts';
import { SimulatedDevice } from '../src/simulator/device.ts';

/** The number of devices, unless a row uses another. */
export const DEVICE_COUNT = 50;
/** Devices post once a minute. */
const POST_EVERY_MS = 60_000;
const FIRST_TIMESTAMP = 1_750_000_000_000;

/** Returns the same devices in every process: the generators of the store and of the load must agree on them. */
export function benchDevice(index: number): SimulatedDevice {
  const text = (what: string) => createHash('sha256').update(`wellhouse bench ${what} ${index}`).digest();
  return new SimulatedDevice({
    seed: text('device'),
    mac: `02${text('mac').toString('hex').slice(0, 10)}`,
    name: `Bench ${index}`,
    ownerPubkey: text('owner').toString('hex'),
  });
}

/** Returns the time of a device's reading in Unix milliseconds. */
export function timestampOf(seq: number): number {
  return FIRST_TIMESTAMP + seq * POST_EVERY_MS;
}

/** Returns five plain fields with the decimals that the firmware signs. */
export function sensorValues(seq: number): Partial<Record<FieldName, number>> {
  const hundredths = (value: number) => Math.round(value * 100) / 100;
  return {
    ec: 800 + (seq % 400),
    ph: hundredths(5.5 + (seq % 157) / 100),
    waterLevel: 100 + (seq % 300),
    tempAmbient: hundredths(18 + (seq % 1009) / 100),
    humidity: hundredths(40 + (seq % 3001) / 100),
  };
}

/** Returns an HTTP request ready to send. Its Host is an IP address, which both endpoints accept with any port. */
export function httpRequest(method: 'GET' | 'POST', path: string, body?: unknown, headers = ''): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}`;
  if (body === undefined) return Buffer.from(`${head}\r\n`);
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  return Buffer.from(`${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${text}`);
}

/** Signs new blocks: each block increases its device's sequence number by one, and no block is made twice. */
export class Traffic {
  readonly devices: readonly SimulatedDevice[];
  readonly #nextSeq: number[];
  #nextDevice = 0;

  constructor(deviceCount: number, firstSeq: number) {
    this.devices = Array.from({ length: deviceCount }, (_, index) => benchDevice(index));
    this.#nextSeq = this.devices.map(() => firstSeq);
  }

  /** Returns requests with new blocks of the devices in turn, or of only one device. */
  posts(requests: number, blocksPerRequest: number, onlyDevice?: number): Buffer[] {
    return Array.from({ length: requests }, () => {
      const blocks = Array.from({ length: blocksPerRequest }, () => this.#block(onlyDevice ?? this.#turn()));
      return httpRequest('POST', '/v1/telemetry', { blocks });
    });
  }

  /** Returns a request for the latest readings of a device. */
  latest(device: number): Buffer {
    return httpRequest('GET', `/v1/devices/${this.devices[device]!.id}/telemetry`);
  }

  #turn(): number {
    const device = this.#nextDevice;
    this.#nextDevice = (device + 1) % this.devices.length;
    return device;
  }

  #block(device: number) {
    const seq = this.#nextSeq[device]!;
    this.#nextSeq[device] = seq + 1;
    return this.devices[device]!.block({ seq, timestamp: timestampOf(seq), plain: sensorValues(seq) });
  }
}

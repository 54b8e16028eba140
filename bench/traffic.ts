import { createHash } from 'node:crypto';
import type { FieldName } from '../src/shared/protocol/fields.ts';
import { SimulatedDevice } from '../src/simulator/device.ts';

/** How many devices the benchmark has, unless a row says otherwise. */
export const DEVICE_COUNT = 50;
/** Devices post once a minute. */
const POST_EVERY_MS = 60_000;
const FIRST_TIMESTAMP = 1_750_000_000_000;

/** The same devices in every process: the store's generator and the load generator must agree on them. */
export function benchDevice(index: number): SimulatedDevice {
  const text = (what: string) => createHash('sha256').update(`wellhouse bench ${what} ${index}`).digest();
  return new SimulatedDevice({
    seed: text('device'),
    mac: `02${text('mac').toString('hex').slice(0, 10)}`,
    name: `Bench ${index}`,
    ownerPubkey: text('owner').toString('hex'),
  });
}

/** Unix milliseconds of a device's reading. */
export function timestampOf(seq: number): number {
  return FIRST_TIMESTAMP + seq * POST_EVERY_MS;
}

/** Five plain fields with the decimals that the firmware signs. */
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

/** An HTTP request ready to be sent. The Host is an IP literal, which both endpoints accept with any port. */
export function httpRequest(method: 'GET' | 'POST', path: string, body?: unknown, headers = ''): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}`;
  if (body === undefined) return Buffer.from(`${head}\r\n`);
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  return Buffer.from(`${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${text}`);
}

/** Signs fresh blocks: each device's seq goes up by one with every block, and no block is made twice. */
export class Traffic {
  readonly devices: readonly SimulatedDevice[];
  readonly #nextSeq: number[];
  #nextDevice = 0;

  constructor(deviceCount: number, firstSeq: number) {
    this.devices = Array.from({ length: deviceCount }, (_, index) => benchDevice(index));
    this.#nextSeq = this.devices.map(() => firstSeq);
  }

  /** Requests with fresh blocks of the devices in turn, or of one device alone. */
  posts(requests: number, blocksPerRequest: number, onlyDevice?: number): Buffer[] {
    return Array.from({ length: requests }, () => {
      const blocks = Array.from({ length: blocksPerRequest }, () => this.#block(onlyDevice ?? this.#turn()));
      return httpRequest('POST', '/v1/telemetry', { blocks });
    });
  }

  /** A request for the latest readings of a device. */
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

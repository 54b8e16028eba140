import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type BlockInput, SimulatedDevice } from '../src/simulator/device.ts';
import { WireClient } from '../src/simulator/wire-client.ts';

type Endpoint = 'public' | 'local';

interface LoadedDevice {
  readonly device: SimulatedDevice;
  /** Its own keep-alive connection, so that the number of connections stays the same. */
  readonly client: WireClient;
  readonly url: string;
  nextSeq: number;
}

/**
 * Groups of devices: their number, their interval, and their blocks per post. 200 devices in all, about 470 blocks/s.
 */
const GROUPS = [
  { devices: 120, everyMs: 2_000, blocks: 1 },
  { devices: 60, everyMs: 500, blocks: 1 },
  { devices: 18, everyMs: 200, blocks: 1 },
  // Devices after an outage: full batches, half of whose blocks were confirmed before.
  { devices: 2, everyMs: 1_000, blocks: 100 },
] as const;
/** This many readings fill every cache of "the latest 500" from the start. */
const FILL_READINGS = 500;
const BATCH = 100;
const READ_EVERY_MS = 250;
const NUISANCE_EVERY_MS = 500;
const FIRST_TIMESTAMP = 1_750_000_000_000;

/**
 * The load of a soak run: devices that post at different rates to both endpoints, readers, and clients that misbehave.
 */
export class SoakLoad {
  /** The number of answers of each kind. */
  readonly counts = { blocks: 0, reads: 0, nuisances: 0 };
  readonly problems: string[] = [];
  readonly #loaded: LoadedDevice[] = [];
  readonly #readers: Readonly<Record<string, WireClient>>;
  readonly #stopped = new AbortController();
  #working: Promise<void>[] = [];

  constructor(urls: Readonly<Record<Endpoint, string>>) {
    this.#readers = { [urls.public]: new WireClient(urls.public), [urls.local]: new WireClient(urls.local) };
    for (let index = 0; index < GROUPS.reduce((sum, { devices }) => sum + devices, 0); index += 1) {
      const url = index % 2 === 0 ? urls.public : urls.local;
      this.#loaded.push({ device: new SimulatedDevice(), client: new WireClient(url), url, nextSeq: 1 });
    }
  }

  get devices(): number {
    return this.#loaded.length;
  }

  /** Registers every device and stores its first readings. Returns the number of readings. */
  async fill(): Promise<number> {
    for (const loaded of this.#loaded) {
      const { status } = await loaded.client.register(loaded.device.registration());
      if (status !== 201) throw new Error(`a registration was answered ${status}`);
      for (let batch = 0; batch < FILL_READINGS / BATCH; batch += 1) await this.#post(loaded, BATCH);
    }
    for (const { client, device } of this.#loaded) await client.readings(device.id);
    return this.counts.blocks;
  }

  /** Starts the clients, which work until `stop`. */
  start(): void {
    let first = 0;
    for (const { devices, everyMs, blocks } of GROUPS) {
      for (const loaded of this.#loaded.slice(first, first + devices)) {
        this.#working.push(this.#every(everyMs, () => this.#post(loaded, blocks)));
      }
      first += devices;
    }
    this.#working.push(this.#every(READ_EVERY_MS, () => this.#read()));
    this.#working.push(this.#every(NUISANCE_EVERY_MS, () => this.#nuisance()));
  }

  /** Resolves when all pending requests are answered. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#working);
    for (const { client } of this.#loaded) client.close();
    for (const reader of Object.values(this.#readers)) reader.close();
  }

  /** Repeats a step at an interval, from a random start within the interval. A slow answer delays the next step. */
  async #every(everyMs: number, step: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopped;
    try {
      await wait(Math.random() * everyMs, undefined, { signal });
      while (!signal.aborted) {
        const next = wait(everyMs, undefined, { signal });
        await Promise.all([next, step().catch((error: Error) => this.#problem(error.message))]);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #post(loaded: LoadedDevice, count: number): Promise<void> {
    const repeated = count > 1 && loaded.nextSeq > count ? count / 2 : 0;
    const from = loaded.nextSeq - repeated;
    const blocks = Array.from({ length: count }, (_, index) => blockOf(loaded.device, from + index));
    const { status, accepted } = await loaded.client.post(blocks);
    if (status !== 200 || accepted !== count) this.#problem(`${count} sound blocks were answered ${status}`);
    loaded.nextSeq = from + count;
    this.counts.blocks += accepted;
  }

  async #read(): Promise<void> {
    const { url, device } = this.#anyDevice();
    const reader = this.#readers[url]!;
    for (const { status } of [await reader.readings(device.id), await reader.devices(), await reader.health()]) {
      if (status !== 200) this.#problem(`a read was answered ${status}`);
    }
    this.counts.reads += 3;
  }

  /** Sends traffic of which a node must store nothing: forged and malformed blocks, strangers, incomplete requests. */
  async #nuisance(): Promise<void> {
    const { url, device } = this.#anyDevice();
    const client = this.#readers[url]!;
    const forged = { ...blockOf(device, 1), signature: '00'.repeat(64) };
    const stranger = blockOf(new SimulatedDevice(), 1);
    const { status, errors } = await client.post([forged, stranger, { deviceId: 7 }, null]);
    if (status !== 207 || errors.length !== 4) this.#problem(`four unsound blocks were answered ${status}`);
    const broken = await client.request('POST', '/v1/telemetry', { blocks: [] });
    if (broken.status !== 400) this.#problem(`an empty batch was answered ${broken.status}`);
    await breakOff(url);
    this.counts.nuisances += 1;
  }

  #anyDevice(): LoadedDevice {
    return this.#loaded[Math.floor(Math.random() * this.#loaded.length)]!;
  }

  #problem(problem: string): void {
    if (!this.#stopped.signal.aborted && this.problems.length < 20) this.problems.push(problem);
  }
}

function blockOf(device: SimulatedDevice, seq: number): BlockInput {
  const plain = { ph: 6.2, ec: 850 + (seq % 100), waterLevel: 200, tempAmbient: 21.5, humidity: 60.25 };
  return device.block({ seq, timestamp: FIRST_TIMESTAMP + seq * 1000, plain });
}

/** Opens a connection, sends half of a request and disconnects. */
function breakOff(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write('POST /v1/telemetry HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n');
      socket.write('Content-Length: 500\r\n\r\n{"blocks":[', () => socket.resetAndDestroy());
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

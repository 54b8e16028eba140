import { setTimeout as delay } from 'node:timers/promises';
import { SimulatedDevice } from '../src/simulator/device.ts';
import { post } from '../test/support/http.ts';

// The devices of scripts/try-many-homes.sh. Each sends its blocks in order, and retries until they are confirmed.

const DEVICES = 16;
const BLOCKS = 10;
const REST_MS = 50;
const AGAIN_AFTER_MS = 100;

/** Devices that post continuously, and their confirmed readings. */
export class Load {
  readonly #url: string;
  readonly #devices = Array.from({ length: DEVICES }, () => new SimulatedDevice());
  /** The newest confirmed reading of each device. All readings before it are confirmed, too. */
  readonly #confirmed = new Map(this.#devices.map(({ id }) => [id, 0]));
  #total = 0;
  #refused = 0;
  #lastAt = 0;
  #longestMs = 0;
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(url: string) {
    this.#url = url;
  }

  /** Starts to post when all devices are registered. */
  async start(): Promise<void> {
    await Promise.all(this.#devices.map((device) => this.#registered(device)));
    this.#lastAt = performance.now();
    this.#running = Promise.all(this.#devices.map((device) => this.#send(device)));
    this.#running.catch(() => {});
  }

  /** Stops when pending posts are answered. Rejects if a node gave a wrong answer. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  /** The number of readings confirmed so far. */
  get total(): number {
    return this.#total;
  }

  /** The number of posts without an answer, or with an answer that asks to retry. */
  get refused(): number {
    return this.#refused;
  }

  get confirmed(): ReadonlyMap<string, number> {
    return this.#confirmed;
  }

  /** Returns the longest time between two confirmations since the last call, in milliseconds. */
  takeGap(): number {
    const gap = Math.max(this.#longestMs, performance.now() - this.#lastAt);
    this.#longestMs = 0;
    return gap;
  }

  async #registered(device: SimulatedDevice): Promise<void> {
    for (;;) {
      const reply = await post(`${this.#url}/v1/devices`, device.registration()).catch(() => null);
      if (reply?.status === 201 || reply?.status === 409) return;
      await delay(AGAIN_AFTER_MS);
    }
  }

  async #send(device: SimulatedDevice): Promise<void> {
    for (let first = 1; !this.#isOver; first += BLOCKS) {
      const blocks = Array.from({ length: BLOCKS }, (_, index) =>
        device.block({ seq: first + index, timestamp: Date.now(), plain: { ph: 6.1, ec: 1200, tempAmbient: 21.5 } }),
      );
      while (!(await this.#isConfirmed(blocks))) {
        if (this.#isOver) return;
        this.#refused += 1;
        await delay(AGAIN_AFTER_MS);
      }
      this.#confirmed.set(device.id, first + BLOCKS - 1);
      this.#total += BLOCKS;
      const now = performance.now();
      this.#longestMs = Math.max(this.#longestMs, now - this.#lastAt);
      this.#lastAt = now;
      await delay(REST_MS);
    }
  }

  async #isConfirmed(blocks: readonly unknown[]): Promise<boolean> {
    const reply = await post(`${this.#url}/v1/telemetry`, { blocks }).catch(() => null);
    if (reply?.status === 207) throw new Error(`a block was refused: ${reply.text}`);
    return reply?.status === 200;
  }
}

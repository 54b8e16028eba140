import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { NodeEvents } from '../../common/node-events.ts';
import type { Family } from './exposition.ts';
import { Counter, gauge, Histogram } from './instruments.ts';

/** The window of the event loop's delays, in milliseconds. */
const DELAYS_OF_MS = 60_000;
const NS = 1e9;

/** Counts events of the node while the metrics listener is on. */
export class Meters {
  readonly #blocks = new Counter();
  readonly #refusals = new Counter();
  readonly #turnedAway = new Counter();
  readonly #requests = new Histogram();
  readonly #commits = new Histogram();
  #delays: ReturnType<typeof monitorEventLoopDelay> | null = null;
  #ends: (() => void)[] = [];

  start(events: NodeEvents): void {
    if (this.#ends.length > 0) return;
    const delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
    this.#delays = delays;
    const timer = setInterval(() => delays.reset(), DELAYS_OF_MS).unref();
    this.#ends = [
      () => clearInterval(timer),
      () => delays.disable(),
      events.on('batch', ({ store, listener, accepted, refused, putOff, ms }) => {
        for (const [outcome, count] of Object.entries({ accepted, refused, put_off: putOff })) {
          if (count > 0) this.#blocks.add({ listener: listener ?? 'none', outcome }, count);
        }
        if (accepted > 0) this.#commits.observe({ store }, ms / 1000);
      }),
      events.on('refused', ({ store, blocks }) => {
        for (const { cause } of blocks) this.#refusals.add({ store, cause });
      }),
      events.on('turnedAway', ({ listener, cause }) => this.#turnedAway.add({ listener, cause })),
      events.on('answered', ({ listener, status, ms }) => {
        this.#requests.observe({ listener, status: `${Math.floor(status / 100)}xx` }, ms / 1000);
      }),
    ];
  }

  stop(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  get families(): Family[] {
    const families: Family[] = [
      {
        ...{ name: 'wellhouse_blocks', type: 'counter', samples: this.#blocks.samples },
        help: 'Blocks that devices sent, by listener and outcome.',
      },
      {
        ...{ name: 'wellhouse_refused_blocks', type: 'counter', samples: this.#refusals.samples },
        help: 'Blocks that were refused, by cause.',
      },
      {
        ...{ name: 'wellhouse_refused_requests', type: 'counter', samples: this.#turnedAway.samples },
        help: 'Requests that were refused, by cause.',
      },
      {
        ...{ name: 'wellhouse_request_duration_seconds', type: 'histogram', unit: 'seconds' },
        help: 'Time from a request to its answer.',
        samples: this.#requests.samples,
      },
      {
        ...{ name: 'wellhouse_commit_duration_seconds', type: 'histogram', unit: 'seconds' },
        help: 'Time from the arrival of a batch until its readings are on disk.',
        samples: this.#commits.samples,
      },
    ];
    const delays = this.#delays;
    if (delays === null || delays.count === 0) return families;
    const delay = (name: string, help: string, ns: number) =>
      gauge(`wellhouse_event_loop_delay_${name}_seconds`, help, ns / NS, 'seconds');
    return [
      ...families,
      delay('p50', 'Delay of the event loop, the median of the last minute.', delays.percentile(50)),
      delay('p99', 'Delay of the event loop, the 99th percentile of the last minute.', delays.percentile(99)),
      delay('max', 'Delay of the event loop, the longest of the last minute.', delays.max),
    ];
  }
}

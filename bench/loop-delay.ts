import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Preloaded into the node by the benchmark: measures how late the event loop is, and sends the result on request. */

/** How late a timer of the event loop was, in milliseconds. */
export interface LoopDelay {
  readonly p99: number;
  readonly max: number;
}

const RESOLUTION_MS = 1;

if (isMainThread) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  process.on('message', () => {
    // The histogram has the times between two firings, so the timer's own interval must be subtracted.
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    process.send!({ p99: late(histogram.percentile(99)), max: late(histogram.max) } satisfies LoopDelay);
    histogram.reset();
  });
  // The channel must not keep the node from ending.
  process.channel!.unref();
}

import { useCallback, useSyncExternalStore } from 'react';
import { Subscribers } from '../shared/subscribers.ts';
import { type NodeConnection, useNode } from './api/node-connection.ts';

interface Ticker {
  readonly subscribers: Subscribers;
  readonly timer: number;
  /** The time of the last tick, or of the start, by `performance.now()`. */
  toldAt: number;
  /** The time of the last tick by each clock that was asked for it. */
  readonly times: Map<NodeConnection['clock'], number>;
}

/**
 * How long after a tick values are still derived from the time of the tick. Otherwise a component rendered between two
 * ticks would show a span that is a second longer than another component's. On a busy machine the next tick is late.
 */
const SAME_TICK_MS = 2000;

/** One timer per interval, shared by all components that use it. */
const tickers = new Map<number, Ticker>();

function subscribe(intervalMs: number, callback: () => void): () => void {
  let ticker = tickers.get(intervalMs);
  if (ticker === undefined) {
    const subscribers = new Subscribers();
    const timer = window.setInterval(() => {
      started.toldAt = performance.now();
      started.times.clear();
      subscribers.tell();
    }, intervalMs);
    const started: Ticker = { subscribers, timer, toldAt: performance.now(), times: new Map() };
    ticker = started;
    tickers.set(intervalMs, started);
  }
  const { subscribers, timer } = ticker;
  const remove = subscribers.add(callback);
  return () => {
    remove();
    if (subscribers.size > 0) return;
    window.clearInterval(timer);
    tickers.delete(intervalMs);
  };
}

/**
 * Returns a value that is derived from the node's time every `intervalMs`. The component renders only when the value
 * changes. `known` is the time up to which the page knows whether a device was silent.
 */
export function useFromNow<T extends string | number | boolean>(
  intervalMs: number,
  derive: (now: number, known: number) => T,
): T {
  const node = useNode();
  const listen = useCallback((callback: () => void) => subscribe(intervalMs, callback), [intervalMs]);
  return useSyncExternalStore(listen, () => {
    const now = timeOfTick(intervalMs, node.clock);
    return derive(now, node.lastKnown(now));
  });
}

/** Returns the time of the last tick by a clock; the time of now if the tick was long ago. */
function timeOfTick(intervalMs: number, clock: NodeConnection['clock']): number {
  const now = clock.now();
  const ticker = tickers.get(intervalMs);
  if (ticker === undefined) return now;
  const sinceTick = performance.now() - ticker.toldAt;
  if (sinceTick >= SAME_TICK_MS) return now;
  // Kept, as two differences of two clocks differ by a millisecond: enough to show another second.
  const time = ticker.times.get(clock) ?? now - sinceTick;
  ticker.times.set(clock, time);
  return time;
}

/** Returns the node's time, in Unix milliseconds, in steps of `intervalMs`. */
export function useNow(intervalMs: number): number {
  return useFromNow(intervalMs, (now) => Math.floor(now / intervalMs) * intervalMs);
}

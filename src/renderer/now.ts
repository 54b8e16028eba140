import { useCallback, useSyncExternalStore } from 'react';

// Every time in the contract is of the node's clock. Behind a tunnel the browser's may differ, and an age would be off
// by as much: the offset is learnt from each overview.
let offsetMs = 0;

/** Tells the node's clock, Unix milliseconds, as it was just read. */
export function setNodeNow(nodeNow: number): void {
  const offset = nodeNow - Date.now();
  // The way of the answer makes small differences; following them would make ages jump back and forth.
  if (Math.abs(offset - offsetMs) > 1500) offsetMs = Math.abs(offset) > 1500 ? offset : 0;
}

/** The node's time, Unix milliseconds. */
export function nodeNow(): number {
  return Date.now() + offsetMs;
}

let knownUntil: number | null = null;

/** Tells that nothing is known of what came after this time (Unix milliseconds), as when the connection is lost. */
export function setKnownUntil(ms: number | null): void {
  knownUntil = ms;
}

/** The time up to which silence can be told: `now`, or when the connection was lost. */
export function lastKnown(now: number): number {
  return knownUntil === null ? now : Math.min(knownUntil, now);
}

const listeners = new Map<number, { readonly callbacks: Set<() => void>; readonly timer: number }>();

function subscribe(intervalMs: number, callback: () => void): () => void {
  let entry = listeners.get(intervalMs);
  if (entry === undefined) {
    const callbacks = new Set<() => void>();
    const timer = window.setInterval(() => {
      for (const each of callbacks) each();
    }, intervalMs);
    entry = { callbacks, timer };
    listeners.set(intervalMs, entry);
  }
  entry.callbacks.add(callback);
  const { callbacks, timer } = entry;
  return () => {
    callbacks.delete(callback);
    if (callbacks.size > 0) return;
    window.clearInterval(timer);
    listeners.delete(intervalMs);
  };
}

/**
 * A value derived from the node's time, looked at again every `intervalMs`; renders only when it changes, so that a
 * list of ages costs little.
 */
export function useFromNow<T extends string | number | boolean>(intervalMs: number, derive: (now: number) => T): T {
  const listen = useCallback((callback: () => void) => subscribe(intervalMs, callback), [intervalMs]);
  return useSyncExternalStore(listen, () => derive(nodeNow()));
}

/** The node's time, Unix milliseconds, in steps of `intervalMs`. */
export function useNow(intervalMs: number): number {
  return useFromNow(intervalMs, (now) => Math.floor(now / intervalMs) * intervalMs);
}

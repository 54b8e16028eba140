import { setTimeout as wait } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { type Distribution, distribution } from './latencies.ts';

/** Requests of one kind: each connection has one request in flight and sends the next when it is answered. */
export interface Stream {
  readonly port: number;
  readonly connections: number;
  /** The next request, or null when the stream ends. */
  readonly next: () => Uint8Array | null;
  /** How long a connection rests after an answer; 0 where left out. */
  readonly restMs?: number;
  /** How long after a request its connection sends the next one, where the answer is there by then. */
  readonly everyMs?: number;
}

/** The result of a stream. */
export interface StreamResult {
  /** From the first request sent to the last answer read. */
  readonly seconds: number;
  readonly requests: number;
  /** Bytes of all bodies that were read. */
  readonly bodyBytes: number;
  readonly latencies: Distribution;
}

/** Runs a stream to its end. Rejects at the first answer that is not 200: a figure with failures in it means nothing. */
export async function run({ port, connections, next, restMs = 0, everyMs = 0 }: Stream): Promise<StreamResult> {
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const latencies: number[] = [];
  let bodyBytes = 0;
  const start = performance.now();
  async function serve(connection: Connection, index: number): Promise<void> {
    let due = start + (everyMs * index) / connections;
    if (everyMs > 0) await wait(due - performance.now());
    for (let request = next(); request !== null; request = next()) {
      const sentAt = performance.now();
      const answer = await connection.exchange(request);
      latencies.push(performance.now() - sentAt);
      if (answer.status !== 200) throw new Error(`the node answered ${answer.status}: ${answer.bodyStart}`);
      bodyBytes += answer.bodyBytes;
      due += everyMs;
      const rest = Math.max(restMs, due - performance.now());
      if (restMs + everyMs > 0 && rest > 0) await wait(rest);
    }
  }
  try {
    await Promise.all(opened.map(serve));
  } finally {
    for (const connection of opened) connection.close();
  }
  const seconds = (performance.now() - start) / 1000;
  return { seconds, requests: latencies.length, bodyBytes, latencies: distribution(latencies) };
}

/** Each of the requests once. */
export function each(requests: readonly Uint8Array[]): Stream['next'] {
  let sent = 0;
  return () => requests[sent++] ?? null;
}

/** The requests in turn until the time is over, counted from the first one. */
export function repeatedly(requests: readonly Uint8Array[], seconds: number): Stream['next'] {
  let sent = 0;
  let end = 0;
  return () => {
    if (end === 0) end = performance.now() + seconds * 1000;
    return performance.now() < end ? requests[sent++ % requests.length]! : null;
  };
}

/** The request until `over` says so. */
export function until(over: () => boolean, next: () => Uint8Array | null): Stream['next'] {
  return () => (over() ? null : next());
}

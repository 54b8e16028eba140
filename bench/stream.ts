import { setTimeout as wait } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { type Distribution, distribution } from './latencies.ts';

/** Requests of one kind: each connection has one pending request and sends the next one after its answer. */
export interface Stream {
  readonly port: number;
  readonly connections: number;
  /** Returns the next request, or null at the end of the stream. */
  readonly next: () => Uint8Array | null;
  /** The pause of a connection after an answer, in milliseconds; 0 if missing. */
  readonly restMs?: number;
  /** The time from a request to the next one of its connection, in milliseconds, if the answer has arrived by then. */
  readonly everyMs?: number;
}

/** The result of a stream. */
export interface StreamResult {
  /** The seconds from sending the first request to reading the last answer. */
  readonly seconds: number;
  readonly requests: number;
  /** The bytes of all read bodies. */
  readonly bodyBytes: number;
  readonly latencies: Distribution;
}

/**
 * Runs a stream to its end. Rejects at the first answer that is not 200: a figure that includes failures is
 * meaningless.
 */
export async function run({ port, connections, next, restMs = 0, everyMs = 0 }: Stream): Promise<StreamResult> {
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(port)));
  const latencies: number[] = [];
  let bodyBytes = 0;
  const start = performance.now();
  async function serve(connection: Connection, index: number): Promise<void> {
    let due = start + (everyMs * index) / connections;
    if (everyMs > 0) await wait(Math.max(0, due - performance.now()));
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

/** Returns each of the requests once. */
export function each(requests: readonly Uint8Array[]): Stream['next'] {
  let sent = 0;
  return () => requests[sent++] ?? null;
}

/** Returns the requests in turn for a time, which starts at the first one. */
export function repeatedly(requests: readonly Uint8Array[], seconds: number): Stream['next'] {
  let sent = 0;
  let end = 0;
  return () => {
    if (end === 0) end = performance.now() + seconds * 1000;
    return performance.now() < end ? requests[sent++ % requests.length]! : null;
  };
}

/** Returns requests until `over` returns true. */
export function until(over: () => boolean, next: () => Uint8Array | null): Stream['next'] {
  return () => (over() ? null : next());
}

import { type MessagePort, parentPort } from 'node:worker_threads';
import type { WriteJob, WriteOutcome } from './write-jobs.ts';
import { busyOutcome, WriterConnection, type WriterOptions } from './writer-connection.ts';

/**
 * The writer thread: waits for the disk so that the event loop of the node need not. It holds one connection per store,
 * each behind a port of its own, so that whoever holds the public store's port reaches the public store alone.
 */

/** Asks the thread to open a store and serve it on the port. */
export interface OpenStore {
  readonly options: WriterOptions;
  readonly port: MessagePort;
}

/** Jobs to be committed together, and how long the oldest has waited for its turn; null closes the store. */
export type GroupMessage = { readonly jobs: readonly WriteJob[]; readonly waitedMs: number } | null;

/** The outcomes of a group in its order, 'ready' once the store is open, 'closed' once it is closed. */
export type GroupReply = readonly WriteOutcome[] | 'ready' | 'closed';

const BUSY_RETRY_MS = 25;
/** Counted from when a job was handed in, so that a device hears of it within its 8 s however many wait before it. */
const BUSY_GIVE_UP_MS = 4000;
/** How often the hours that are over are summed up, and for how long: more while no readings come. */
const SUM_UP_EVERY_MS = 1000;
const SUM_UP_BESIDE_WRITES_MS = 5;
const SUM_UP_IDLE_MS = 40;
const FIND_HOURS_EVERY_MS = 300_000;

function serve({ options, port }: OpenStore): void {
  let connection = new WriterConnection(options);
  const queue: { readonly group: GroupMessage; readonly since: number }[] = [];
  let waiting = false;
  let lastGroupAt = Number.NEGATIVE_INFINITY;
  let sumUpTimer = setTimeout(sumUp, SUM_UP_EVERY_MS);
  const findTimer = setInterval(() => connection.findHoursThatAreOver(), FIND_HOURS_EVERY_MS);

  function sumUp(): void {
    const isIdle = performance.now() - lastGroupAt > SUM_UP_EVERY_MS;
    const hasMore = connection.sumUp(isIdle ? SUM_UP_IDLE_MS : SUM_UP_BESIDE_WRITES_MS);
    sumUpTimer = setTimeout(sumUp, isIdle && hasMore ? SUM_UP_IDLE_MS : SUM_UP_EVERY_MS);
  }

  function drain(): void {
    while (queue.length > 0) {
      const { group, since } = queue[0]!;
      lastGroupAt = performance.now();
      if (group === null) {
        clearTimeout(sumUpTimer);
        clearInterval(findTimer);
        connection.close();
        port.postMessage('closed' satisfies GroupReply);
        port.close();
        return;
      }
      const outcomes = connection.runGroup(group.jobs);
      if (outcomes === null && performance.now() - since < BUSY_GIVE_UP_MS) {
        waiting = true;
        setTimeout(() => {
          waiting = false;
          drain();
        }, BUSY_RETRY_MS);
        return;
      }
      queue.shift();
      if (outcomes?.some(isReadOnly)) connection = reopened(connection, options);
      port.postMessage((outcomes ?? group.jobs.map(() => busyOutcome)) satisfies GroupReply);
    }
  }

  port.on('message', (group: GroupMessage) => {
    queue.push({ group, since: performance.now() - (group?.waitedMs ?? 0) });
    if (!waiting) drain();
  });
  port.postMessage('ready' satisfies GroupReply);
}

function isReadOnly(outcome: WriteOutcome): boolean {
  return !outcome.ok && outcome.code.startsWith('SQLITE_READONLY');
}

/** SQLite settles for reading where it may not write the file when it opens it, and never tries again by itself. */
function reopened(connection: WriterConnection, options: WriterOptions): WriterConnection {
  try {
    const fresh = new WriterConnection(options);
    connection.close();
    return fresh;
  } catch {
    return connection;
  }
}

parentPort!.on('message', serve);

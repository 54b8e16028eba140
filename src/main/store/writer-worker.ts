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

function serve({ options, port }: OpenStore): void {
  const connection = new WriterConnection(options);
  const queue: { readonly group: GroupMessage; readonly since: number }[] = [];
  let waiting = false;

  function drain(): void {
    while (queue.length > 0) {
      const { group, since } = queue[0]!;
      if (group === null) {
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
      port.postMessage((outcomes ?? group.jobs.map(() => busyOutcome)) satisfies GroupReply);
    }
  }

  port.on('message', (group: GroupMessage) => {
    queue.push({ group, since: performance.now() - (group?.waitedMs ?? 0) });
    if (!waiting) drain();
  });
  port.postMessage('ready' satisfies GroupReply);
}

parentPort!.on('message', serve);

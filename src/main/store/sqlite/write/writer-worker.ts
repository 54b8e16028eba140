import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Bell } from '../../verifier/bell.ts';
import { type OpenStore, StoreServer } from './store-server.ts';

/**
 * The writer thread: waits for the disk so that the event loop of the node need not. It holds one connection per store,
 * each behind a port and a lane of its own, so that whoever holds the public store's reaches the public store alone.
 * Stores go in the order in which they were opened: the private one before the public one, whose groups are small enough
 * that it waits for milliseconds.
 */

/** The data that the thread starts with. */
export interface WriterData {
  /** Rung when there is something to do. */
  readonly bell: SharedArrayBuffer;
}

const bell = new Bell((workerData as WriterData).bell);
let stores: StoreServer[] = [];

// No event loop: between looking for work and sleeping there is nothing else that this thread does.
for (;;) {
  const heard = bell.heard;
  for (let next = receiveMessageOnPort(parentPort!); next !== undefined; next = receiveMessageOnPort(parentPort!)) {
    stores.push(new StoreServer(next.message as OpenStore));
  }
  for (const store of stores) {
    store.receive();
    store.sumUp();
  }
  if (stores.some((store) => store.writeGroup())) continue;
  stores = stores.filter((store) => !store.close());
  const dueAt = Math.min(...stores.map((store) => store.dueAt));
  bell.wait(heard, Math.max(0, dueAt - performance.now()));
}

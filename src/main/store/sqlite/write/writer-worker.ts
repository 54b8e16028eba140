import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Bell } from '../../verifier/bell.ts';
import { type OpenStore, StoreServer } from './store-server.ts';

/**
 * The writer thread: waits for the disk in place of the node's event loop. It has one connection per store, each with
 * its own port and lane, so that access to the public store's port gives access only to the public store. Stores have
 * priority in the order in which they were opened: the private one before the public one. Groups are so small that a
 * store waits only milliseconds for another.
 */

/** The data that the thread starts with. */
export interface WriterData {
  /** Rung when there is work. */
  readonly bell: SharedArrayBuffer;
}

const bell = new Bell((workerData as WriterData).bell);
let stores: StoreServer[] = [];

// There is no event loop: this thread only looks for work and sleeps.
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

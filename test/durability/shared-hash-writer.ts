import { pino } from 'pino';
import type { StoreLocation } from '../../src/main/store/engine.ts';
import { StoreWriters } from '../../src/main/store/engines.ts';

// Gives what waits in a store in PostgreSQL its place in the log, until it is killed: shared-hash-writer.ts LOCATION

const [location] = process.argv.slice(2) as [StoreLocation];
const writers = new StoreWriters({ log: pino({ level: 'silent' }), ingesting: null });
const store = await writers.open('public', location, { durability: 'full', bounds: null });
for (;;) {
  const taken = await store.shared!.logWaiting(7);
  process.stdout.write(`${taken}\n`);
}

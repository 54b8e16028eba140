import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { growStore } from './grown-store.ts';
import { number } from './report.ts';
import { startRow, storeBytes } from './rows-node.ts';

const MOST_TIMES_SLOWER = 1.3;
const MOST_BYTES_PER_READING = 110;
const LONGEST_START_MS = 2000;
/** A device of the small store has just enough readings for a full answer. */
const SMALL_READINGS_EACH = 500;

/** The stores are measured in turns, so that changes in the machine's load affect both. */
const ROUNDS = 2;
/** More than a device sends in a round. */
const SEQS_PER_ROUND = 100_000;

/** The figures that are compared between a small and a large store. */
interface Rates {
  readonly inserts: number;
  /** Reads per second of an answer that the node caches. */
  readonly reads: number;
  /** The first reads of each device after the start, which use the store. */
  readonly firstReads: number;
}

/** Row 11: how the node's cost grows with its store. */
export async function growthRow(bench: Bench): Promise<void> {
  const small = bench.dataDir('small');
  const large = bench.dataDir('large');
  await makeStore(bench, small);
  await makeStore(bench, large);
  const smallNextSeq = growStore(join(small, 'public.db'), SMALL_READINGS_EACH * 50);
  process.stderr.write(`making a store of ${number(bench.options.grownReadings)} readings\n`);
  const nextSeq = growStore(join(large, 'public.db'), bench.options.grownReadings);
  const bytes = storeBytes(large);
  bench.add({
    row: 11,
    what: 'on disk, per reading',
    value: bytes / bench.options.grownReadings,
    unit: 'bytes',
    target: { atMost: MOST_BYTES_PER_READING },
    detail: `${number(bench.options.grownReadings)} readings, ${number(bytes / 1e6)} MB`,
  });
  await startRow(bench, { row: 11, dataDir: large, atMost: LONGEST_START_MS });
  const smallRates: Rates[] = [];
  const largeRates: Rates[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    smallRates.push(await measure(bench, small, smallNextSeq + round * SEQS_PER_ROUND));
    largeRates.push(await measure(bench, large, nextSeq + round * SEQS_PER_ROUND));
  }
  compare(bench, 'insert', smallRates, largeRates, ({ inserts }) => inserts, 'blocks/s');
  compare(bench, 'latest 500', smallRates, largeRates, ({ reads }) => reads, 'requests/s');
  compare(bench, 'latest 500 from the store', smallRates, largeRates, ({ firstReads }) => firstReads, 'requests/s');
}

/** Creates a folder with an identity, both stores and the devices, which no node has open. */
async function makeStore(bench: Bench, dataDir: string): Promise<void> {
  const node = await bench.startNode(dataDir);
  await bench.registerDevices(node);
  await node.stop();
}

async function measure(bench: Bench, dataDir: string, nextSeq: number): Promise<Rates> {
  const node = await bench.startNode(dataDir);
  const { load } = bench;
  const port = node.publicPort;
  await bench.registerDevices(node, nextSeq);
  const first = await load.run('readEachOnce', { port });
  const posts = { port, connections: 4, requests: bench.amount(400), blocksPerRequest: 100 };
  const inserts = await load.run('post', posts);
  const reads = await load.run('read', { port, connections: 4, seconds: bench.amount(2) });
  await node.stop();
  return {
    inserts: (inserts.requests * posts.blocksPerRequest) / inserts.seconds,
    reads: reads.requests / reads.seconds,
    // From the median: the very first reads include compilation.
    firstReads: 1000 / first.latencies.p50,
  };
}

/** Compares the best rounds, which other work on the machine disturbed least. */
function compare(
  bench: Bench,
  what: string,
  small: readonly Rates[],
  large: readonly Rates[],
  rate: (rates: Rates) => number,
  unit: string,
): void {
  const best = (rates: readonly Rates[]) => Math.max(...rates.map(rate));
  bench.add({
    row: 11,
    what: `${what}, small against large`,
    value: best(small) / best(large),
    unit: 'times',
    target: { atMost: MOST_TIMES_SLOWER },
    detail: `${number(best(small))} and ${number(best(large))} ${unit}, best of ${ROUNDS}`,
  });
}

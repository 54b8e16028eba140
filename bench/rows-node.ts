import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Bench, latencyText } from './bench.ts';
import type { BenchNode } from './bench-node.ts';
import { median } from './latencies.ts';
import { number } from './report.ts';

const MOST_IDLE_MB = 110;
const MOST_LOADED_MB = 200;
const LONGEST_BLOCKING_MS = 10;
const STARTS = 5;
/** The time after which everything is loaded, in milliseconds from the start. */
const SETTLED_AFTER_MS = 2000;

/** Row 7: how long the event loop is blocked under the load of row 1, measured inside the node and by a client. */
export async function eventLoopRow(bench: Bench): Promise<void> {
  const node = await bench.startFreshNode('event-loop', { loopDelay: true });
  const order = { port: node.publicPort, connections: 4, requests: bench.amount(400), blocksPerRequest: 100 };
  await bench.load.run('post', { ...order, requests: bench.amount(60) });
  await node.takeLoopDelay();
  await bench.load.run('post', order);
  const delay = await node.takeLoopDelay();
  const { gets } = await bench.load.run('getWhileWriting', { ...order, get: 'health', restMs: 2 });
  await node.stop();
  const target = { atMost: LONGEST_BLOCKING_MS };
  bench.add({ row: 7, what: 'delay of the loop, longest', value: delay.max, unit: 'ms', target });
  bench.add({ row: 7, what: 'delay of the loop, p99', value: delay.p99, unit: 'ms' });
  const detail = latencyText(gets);
  bench.add({ row: 7, what: 'GET /health, p99', value: gets.latencies.p99, unit: 'ms', target, detail });
}

/** Row 8, first half: the memory of an idle node after its start. */
export async function idleMemoryRow(bench: Bench): Promise<void> {
  const node = await bench.startNode(bench.dataDir('idle'));
  await wait(SETTLED_AFTER_MS);
  const memory = node.memory();
  await node.stop();
  if (memory === null) {
    bench.skip(8, 'there is no /proc on this system');
    return;
  }
  bench.add({ row: 8, what: 'idle', value: memory.now, unit: 'MB', target: { atMost: MOST_IDLE_MB } });
}

/** Row 8, second half. Call it after the load. */
export function loadedMemoryRow(bench: Bench, node: BenchNode): void {
  const memory = node.memory();
  if (memory === null) return;
  const detail = `${number(memory.now)} MB after it`;
  bench.add({ row: 8, what: 'highest', value: memory.peak, unit: 'MB', target: { atMost: MOST_LOADED_MB }, detail });
}

/** Row 9, and part of row 11: the time from the start of the process to the first answer, with an existing store. */
export async function startRow(
  bench: Bench,
  { row, dataDir, atMost }: { row: number; dataDir: string; atMost: number },
): Promise<void> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const node = await bench.startNode(dataDir);
    times.push(node.startMs);
    await node.stop();
  }
  bench.add({
    row,
    what: 'start',
    value: median(times),
    unit: 'ms',
    target: { atMost },
    detail: `median of ${STARTS}, longest ${number(Math.max(...times))} ms; public store ${number(storeBytes(dataDir) / 1e6)} MB`,
  });
}

/** Row 10: how a flood of full batches on the public port affects devices on the local port. */
export async function floodRow(bench: Bench, node: BenchNode): Promise<void> {
  const calm = await bench.load.run('flood', {
    localPort: node.localPort,
    singles: bench.amount(1000),
    flood: null,
  });
  const flood = { port: node.publicPort, connections: 16, requests: bench.amount(800), blocksPerRequest: 100 };
  const flooded = await bench.load.run('flood', { localPort: node.localPort, singles: bench.amount(5000), flood });
  const batches = flooded.flood!;
  const p99 = (what: string, { local }: typeof calm, target?: { atMost: number }) => {
    const detail = `${latencyText(local)}, ${number(local.requests / local.seconds)} a second`;
    bench.add({ row: 10, what, value: local.latencies.p99, unit: 'ms', detail, ...(target && { target }) });
  };
  p99('local p99, calm', calm);
  // A starved local block would wait for the public batches that arrived before it.
  p99('local p99, public flooded', flooded, { atMost: batches.latencies.p50 });
  bench.add({
    row: 10,
    what: 'the flood',
    value: (batches.requests * 100) / batches.seconds,
    unit: 'blocks/s',
    detail: latencyText(batches),
  });
}

/** Returns the size of the public store of a stopped node, in bytes. */
export function storeBytes(dataDir: string): number {
  return statSync(join(dataDir, 'public.db')).size;
}

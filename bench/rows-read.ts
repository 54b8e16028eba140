import { type Bench, latencyText } from './bench.ts';
import type { BenchNode } from './bench-node.ts';
import { number } from './report.ts';

/** Rows 4 to 6: the latest 500 readings of a device. */
export async function readRows(bench: Bench, node: BenchNode): Promise<void> {
  if (!bench.wants(4, 5, 6)) return;
  const port = node.publicPort;
  await bench.load.run('fill', { port });
  if (bench.wants(4)) await readAlone(bench, port);
  if (bench.wants(5)) await readAfterWrite(bench, port);
  if (bench.wants(6)) await readWhileWriting(bench, port);
}

async function readAlone(bench: Bench, port: number): Promise<void> {
  const result = await bench.load.run('read', { port, connections: 4, seconds: bench.amount(3) });
  bench.add({
    row: 4,
    what: 'reads',
    value: result.requests / result.seconds,
    unit: 'requests/s',
    target: { timesV: 0.25 },
    detail: `${latencyText(result)}, ${number(result.bodyBytes / result.requests / 1000)} kB each`,
  });
}

async function readAfterWrite(bench: Bench, port: number): Promise<void> {
  const { seconds, writes, reads } = await bench.load.run('writeAndRead', { port, cycles: bench.amount(3000) });
  bench.add({
    row: 5,
    what: 'reads, in the time of the reads',
    value: reads.count / (reads.total / 1000),
    unit: 'requests/s',
    target: { timesV: 0.125 },
    detail: latencyText({ latencies: reads }),
  });
  bench.add({
    row: 5,
    what: 'write and read, whole cycles',
    value: reads.count / seconds,
    unit: 'cycles/s',
    detail: `writes ${latencyText({ latencies: writes })}`,
  });
}

async function readWhileWriting(bench: Bench, port: number): Promise<void> {
  const order = { port, connections: 4, requests: bench.amount(500), blocksPerRequest: 100 };
  const { writes, gets } = await bench.load.run('getWhileWriting', { ...order, get: 'latest', restMs: 0 });
  bench.add({
    row: 6,
    what: 'reads, p99',
    value: gets.latencies.p99,
    unit: 'ms',
    target: { atMost: 10 },
    detail: latencyText(gets),
  });
  bench.add({ row: 6, what: 'reads', value: gets.requests / gets.seconds, unit: 'requests/s' });
  bench.add({ row: 6, what: 'writes beside them', value: (writes.requests * 100) / writes.seconds, unit: 'blocks/s' });
}

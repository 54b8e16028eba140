import { type Bench, latencyText } from './bench.ts';
import type { BenchNode } from './bench-node.ts';
import type { StreamResult } from './stream.ts';

/** Rows 1 to 3: how many blocks per second the node accepts. */
export async function ingestRows(bench: Bench, node: BenchNode): Promise<void> {
  const { load } = bench;
  const port = node.publicPort;
  const add = (row: number, what: string, timesV: number, result: StreamResult, blocksPerRequest: number) => {
    bench.add({
      row,
      what,
      value: (result.requests * blocksPerRequest) / result.seconds,
      unit: 'blocks/s',
      target: { timesV },
      detail: latencyText(result),
    });
  };
  if (bench.wants(1)) {
    const order = { port, connections: 4, requests: bench.amount(600), blocksPerRequest: 100 };
    add(1, 'batches', 2.5, await load.run('post', order), 100);
  }
  if (bench.wants(2)) {
    const order = { port, connections: 16, requests: bench.amount(30_000), blocksPerRequest: 1 };
    add(2, 'singles', 0.85, await load.run('post', order), 1);
  }
  if (bench.wants(3)) {
    const order = { port, connections: 4, seconds: bench.amount(3) };
    add(3, 'duplicates', 3, await load.run('postAgain', order), 100);
  }
}

import { Broker, hasMosquitto } from '../test/support/broker.ts';
import type { Bench } from './bench.ts';
import type { BenchNode } from './bench-node.ts';
import { number } from './report.ts';

/** The bound, as a multiple of the time of a post without a broker. */
const MOST_TIMES = 1.5;
/** Both nodes are measured in short turns, and the median of the turns' ratios counts. */
const TURNS = 7;

/**
 * Row 18: how a broker that reads, and one that has stopped reading with its connection open, affect posts of devices.
 */
export async function brokerRow(bench: Bench): Promise<void> {
  if (!hasMosquitto) {
    bench.skip(18, 'there is no mosquitto');
    return;
  }
  const broker = await Broker.start();
  try {
    const nodes = [
      await bench.startFreshNode('no-broker'),
      await bench.startFreshNode('broker', { mqttUrl: broker.url }),
    ] as const;
    for (const node of nodes) await turnOf(bench, node);
    await compare(bench, 'local p50, with a broker that reads', nodes);
    broker.freeze(true);
    await compare(bench, 'local p50, with a broker that stopped reading', nodes);
    broker.freeze(false);
    for (const node of nodes) await node.stop();
  } finally {
    await broker.close();
  }
}

async function compare(bench: Bench, what: string, [without, withBroker]: readonly [BenchNode, BenchNode]) {
  const turns: { readonly without: Turn; readonly with: Turn }[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    // Each is first in every other turn.
    const isFirst = turn % 2 === 0;
    const first = await turnOf(bench, isFirst ? without : withBroker);
    const second = await turnOf(bench, isFirst ? withBroker : without);
    turns.push(isFirst ? { without: first, with: second } : { without: second, with: first });
  }
  const middle = (of: (turn: (typeof turns)[number]) => number) => turns.map(of).sort((a, b) => a - b)[TURNS >> 1]!;
  bench.add({
    ...{ row: 18, what, value: middle((turn) => turn.with.p50 / turn.without.p50), unit: 'times' },
    target: { atMost: MOST_TIMES },
    detail: `p50 ${number(middle((turn) => turn.with.p50))} ms, without ${number(middle((turn) => turn.without.p50))} ms; p99 ${number(middle((turn) => turn.with.p99))} and ${number(middle((turn) => turn.without.p99))} ms`,
  });
}

interface Turn {
  readonly p50: number;
  readonly p99: number;
}

async function turnOf(bench: Bench, { localPort }: BenchNode): Promise<Turn> {
  const { local } = await bench.load.run('flood', { localPort, singles: bench.amount(400), flood: null });
  return local.latencies;
}

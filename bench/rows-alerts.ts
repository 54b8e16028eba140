import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AlertsDocument } from '../src/main/alerts/state/document.ts';
import { NO_OPTIONS } from '../src/shared/alerts/channel.ts';
import { builtInRules, type RangeRule } from '../src/shared/alerts/rule.ts';
import type { Bench } from './bench.ts';
import type { BenchNode } from './bench-node.ts';
import { number } from './report.ts';
import { benchDevice, DEVICE_COUNT } from './traffic.ts';

const RULES = 100;
/** The bound, in per cent of a block's cost without rules. If the processor is the limit, the rate falls by as much. */
const MOST_COST = 5;
/**
 * Both nodes run and are measured in turns, which are short compared with other work on a shared machine. The median of
 * the turns' ratios counts.
 */
const TURNS = 15;

/**
 * Row 12: how much a hundred rules on fifty devices, in addition to the built-in ones, add to the processor time of a
 * block. The rate next to it is meaningful only if nothing else runs.
 */
export async function alertsRow(bench: Bench): Promise<void> {
  if (process.platform !== 'linux') {
    bench.skip(12, 'processor time is read from /proc');
    return;
  }
  const dirs = ['no-rules', 'rules'].map((name) => bench.dataDir(name)) as [string, string];
  keepRules(dirs[0], []);
  keepRules(
    dirs[1],
    Array.from({ length: RULES }, (_, index) => ruleOf(index)),
  );
  const nodes = [await bench.startNode(dirs[0]), await bench.startNode(dirs[1])] as const;
  const ports = nodes.flatMap(({ publicPort, localPort }) => [publicPort, localPort]);
  await bench.load.run('register', { ports, devices: DEVICE_COUNT, firstSeq: 1 });
  for (const node of nodes) await turnOf(bench, node);
  const turns: { readonly without: Turn; readonly withRules: Turn }[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    // Each is first in every other turn.
    const isFirst = turn % 2 === 0;
    const first = await turnOf(bench, nodes[isFirst ? 0 : 1]);
    const second = await turnOf(bench, nodes[isFirst ? 1 : 0]);
    turns.push(isFirst ? { without: first, withRules: second } : { without: second, withRules: first });
  }
  for (const node of nodes) await node.stop();
  const ratioOf = (what: keyof Turn) => median(turns.map((turn) => turn.withRules[what] / turn.without[what]));
  bench.add({
    row: 12,
    what: 'processor time of a hundred rules',
    // A figure of zero or less has no ratio to its target.
    value: Math.max(0.1, (ratioOf('cpu') - 1) * 100),
    unit: '%',
    target: { atMost: MOST_COST },
    detail: `${number(median(turns.map((turn) => turn.without.rate)))} blocks/s without, ${number(ratioOf('rate'))} of it with`,
  });
}

/** Blocks per second, and processor time per block. */
interface Turn {
  readonly rate: number;
  readonly cpu: number;
}

async function turnOf(bench: Bench, node: BenchNode): Promise<Turn> {
  const order = { port: node.localPort, connections: 4, requests: bench.amount(60), blocksPerRequest: 100 };
  const before = node.cpuSeconds() ?? 0;
  const { requests, seconds } = await bench.load.run('post', order);
  const blocks = requests * 100;
  return { rate: blocks / seconds, cpu: ((node.cpuSeconds() ?? 0) - before) / blocks };
}

/** Returns one of two rules for each device, of fields that leave their range from time to time. */
function ruleOf(index: number): RangeRule {
  const isPh = index < RULES / 2;
  return {
    id: randomUUID(),
    kind: 'range',
    name: `Rule ${index}`,
    scope: { kind: 'device', device: benchDevice(index % DEVICE_COUNT).id },
    field: isPh ? 'ph' : 'ec',
    low: isPh ? 5.6 : 850,
    high: isPh ? 6.8 : 1150,
    margin: isPh ? 0.1 : 20,
    ...{ forMinutes: 10, severity: 'warning', channels: 'all', repeatMinutes: null, isOn: true },
  };
}

/**
 * Writes rules into a data folder. The built-in rules are on only with other rules, so that the other node checks
 * nothing.
 */
function keepRules(dataDir: string, rules: readonly RangeRule[]): void {
  const builtIn = builtInRules().map((rule) => ({ ...rule, isOn: rules.length > 0 }));
  const document: AlertsDocument = {
    version: 1,
    savedAt: Date.now(),
    rules: [...rules, ...builtIn],
    options: NO_OPTIONS,
    live: [],
    devices: [],
    cycles: null,
    digestTold: null,
    channels: [],
    outbox: { deliveries: [], records: {} },
  };
  writeFileSync(join(dataDir, 'alerts.json'), JSON.stringify(document), { mode: 0o600 });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

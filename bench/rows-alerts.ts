import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AlertsDocument } from '../src/main/alerts/state/document.ts';
import { NO_OPTIONS } from '../src/shared/alerts/channel.ts';
import { builtInRules, type RangeRule } from '../src/shared/alerts/rule.ts';
import type { Bench } from './bench.ts';
import { number } from './report.ts';
import { benchDevice, DEVICE_COUNT } from './traffic.ts';

const RULES = 100;
/** Of the rate without rules. */
const MOST_COST = 5;
/** Both are measured in turn, so that a change of the machine's mood meets both. */
const ROUNDS = 5;
/** More than a device sends in a round. */
const SEQS_PER_ROUND = 100_000;

/** Row 12: what a hundred rules on fifty devices, besides the built-in ones, take of the rate of row 1. */
export async function alertsRow(bench: Bench): Promise<void> {
  const [without, withRules] = ['no-rules', 'rules'].map((name) => bench.dataDir(name)) as [string, string];
  keepRules(without, []);
  keepRules(
    withRules,
    Array.from({ length: RULES }, (_, index) => ruleOf(index)),
  );
  const rates = { without: [] as number[], withRules: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.without.push(await rateOf(bench, without, round));
    rates.withRules.push(await rateOf(bench, withRules, round));
  }
  const [before, after] = [median(rates.without), median(rates.withRules)];
  bench.add({
    row: 12,
    what: 'cost of a hundred rules',
    value: Math.max(0.01, (1 - after / before) * 100),
    unit: '%',
    target: { atMost: MOST_COST },
    detail: `${number(before)} blocks/s without, ${number(after)} with; medians of ${ROUNDS}`,
  });
}

async function rateOf(bench: Bench, dataDir: string, round: number): Promise<number> {
  const node = await bench.startNode(dataDir);
  await bench.registerDevices(node, round * SEQS_PER_ROUND + 1);
  const order = { port: node.localPort, connections: 4, requests: bench.amount(300), blocksPerRequest: 100 };
  const { requests, seconds } = await bench.load.run('post', order);
  await node.stop();
  return (requests * 100) / seconds;
}

/** Two for each device, of fields that leave their range now and then. */
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

/** The built-in rules are on where there are others, so that the other node listens to nothing. */
function keepRules(dataDir: string, rules: readonly RangeRule[]): void {
  const builtIn = builtInRules().map((rule) => ({ ...rule, isOn: rules.length > 0 }));
  const document: AlertsDocument = {
    version: 1,
    savedAt: Date.now(),
    rules: [...rules, ...builtIn],
    options: NO_OPTIONS,
    live: [],
    devices: [],
    channels: [],
    outbox: undefined,
  };
  writeFileSync(join(dataDir, 'alerts.json'), JSON.stringify(document), { mode: 0o600 });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

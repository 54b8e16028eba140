import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bench } from './bench.ts';
import { entryOf } from './bench-node.ts';
import { LoadGenerator } from './load-generator.ts';
import { lookAtMachine, type Machine } from './machine.ts';
import { type BenchOptions, HELP, readOptions } from './options.ts';
import { judge, number, table } from './report.ts';
import { brokerRow } from './row-broker.ts';
import { openingRow } from './row-opening.ts';
import { alertsRow } from './rows-alerts.ts';
import { backupRow } from './rows-backup.ts';
import { budgetCostRow, budgetRow } from './rows-budget.ts';
import { doorRow } from './rows-door.ts';
import { gateRow } from './rows-gate.ts';
import { growthRow } from './rows-growth.ts';
import { ingestRows } from './rows-ingest.ts';
import { manyHomesRows } from './rows-many-homes.ts';
import { eventLoopRow, floodRow, idleMemoryRow, loadedMemoryRow, startRow } from './rows-node.ts';
import { readRows } from './rows-read.ts';
import { VerifyRate } from './verify-rate.ts';

const LONGEST_START_MS = 1000;
/** If other programs use more cores than this, the figures are useless. */
const MOST_BUSY_CORES = 0.1;

process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let options: BenchOptions;
  try {
    options = readOptions(args);
  } catch (error) {
    process.stderr.write(`bench: ${(error as Error).message}\n`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (!existsSync(entryOf())) {
    process.stderr.write('bench: the node is not built; run `npm run build` first\n');
    return 2;
  }
  const folder = mkdtempSync(join(options.dir, 'wellhouse-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return await measure(options, folder);
}

async function measure(options: BenchOptions, folder: string): Promise<number> {
  const machine = await lookAtMachine(folder);
  const verifyRate = new VerifyRate();
  verifyRate.measure();
  const load = new LoadGenerator();
  const bench = new Bench(options, load, folder);
  try {
    await runRows(bench);
  } finally {
    load.close();
  }
  verifyRate.measure();
  return report(bench, machine, verifyRate);
}

async function runRows(bench: Bench): Promise<void> {
  if (bench.wants(1, 2, 3, 4, 5, 6, 8, 9, 10)) await sharedNodeRows(bench);
  if (bench.wants(7)) await eventLoopRow(bench);
  if (bench.wants(11)) await growthRow(bench);
  if (bench.wants(12)) await alertsRow(bench);
  if (bench.wants(13)) await gateRow(bench);
  if (bench.wants(14)) await backupRow(bench);
  if (bench.wants(15)) await doorRow(bench);
  if (bench.wants(16)) openingRow(bench);
  if (bench.wants(17)) await budgetRow(bench);
  if (bench.wants(18)) await brokerRow(bench);
  if (bench.wants(19)) await budgetCostRow(bench);
  if (bench.wants(20, 21, 22)) await manyHomesRows(bench);
}

/** Runs the rows that share one node, in the order of use in the field. */
async function sharedNodeRows(bench: Bench): Promise<void> {
  if (bench.wants(8)) await idleMemoryRow(bench);
  const node = await bench.startFreshNode('shared');
  await ingestRows(bench, node);
  await readRows(bench, node);
  if (bench.wants(8)) loadedMemoryRow(bench, node);
  if (bench.wants(10)) await floodRow(bench, node);
  if (bench.wants(9)) await bench.load.run('fill', { port: node.publicPort });
  await node.stop();
  if (bench.wants(9)) {
    await startRow(bench, { row: 9, dataDir: bench.dataDir('shared'), atMost: LONGEST_START_MS });
  }
}

function report(bench: Bench, machine: Machine, verifyRate: VerifyRate): number {
  const v = verifyRate.value;
  const figures = bench.figures.map((figure) => judge(figure, v)).sort((a, b) => a.row - b.row);
  const { cpu, cores, memoryGb, system, node, syncMs, inMemory, busyCores } = machine;
  const medians = verifyRate.medians.map((rate) => number(rate)).join(', ');
  process.stdout.write(
    `\n${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, write and sync ${number(syncMs)} ms\n` +
      `Other programs kept ${number(busyCores)} cores busy just before.\n` +
      `V = ${number(v)} verifications/s (before and after the rows: ${medians})\n\n${table(figures)}`,
  );
  for (const line of bench.skipped) process.stdout.write(`${line}\n`);
  if (verifyRate.unsteady || busyCores > MOST_BUSY_CORES) {
    process.stdout.write('The machine did other work: the figures are lower than they would be.\n');
  }
  if (inMemory) process.stdout.write('The folder lies in memory, so no sync was paid for: give a disk with --dir.\n');
  if (bench.options.profileDir !== null) process.stdout.write('Profiled: the figures are lower than they would be.\n');
  if (bench.options.jsonFile !== null) {
    const content = { machine, v, vBeforeAndAfter: verifyRate.medians, figures, skipped: bench.skipped };
    writeFileSync(bench.options.jsonFile, `${JSON.stringify(content, null, 2)}\n`);
  }
  return figures.some(({ verdict }) => verdict === 'MISSED') ? 1 : 0;
}

import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RoundReport, runCrashRounds } from '../durability/crash-rounds.ts';
import { type HashKill, runHashKills } from '../durability/hash-kills.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

// The long form of the crash tests: npm run test:crash -- [--rounds 100] [--seed N] [--hashes]
// --hashes: only kills while the hashes of a log are written, of a process that does nothing else.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
    hashes: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);
if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed) || seed < 0) {
  console.error('usage: npm run test:crash -- [--rounds 100] [--seed N] [--hashes]');
  process.exit(2);
}

const folder = temporaryFolder();
console.log(`${rounds} rounds, --seed ${seed}, in ${folder}`);
const startedAt = performance.now();
process.exitCode = await (values.hashes ? runHashes() : run());

async function run(): Promise<number> {
  try {
    const reports = await runCrashRounds({ rounds, seed, dataDir: join(folder, 'data'), onRound: print });
    const findings = reports.flatMap((report) => report.findings);
    for (const finding of findings.slice(0, 50)) console.error(finding);
    if (findings.length > 0) return failed(`${findings.length} findings`);
    const last = reports.at(-1)!;
    const starts = reports.filter(({ startKilledAfterMs }) => startKilledAfterMs !== null).length;
    const slowest = Math.max(...reports.map(({ restartMs }) => restartMs));
    console.log(
      `nothing lost: ${reports.length} kills under load and ${starts} during a start, ${last.readings} readings and ` +
        `${last.devices} devices confirmed and found once, integrity ok each time; slowest restart ${slowest} ms; ` +
        `${Math.round((performance.now() - startedAt) / 1000)} s`,
    );
    removeFolder(folder);
    return 0;
  } catch (error) {
    return failed(String(error));
  }
}

async function runHashes(): Promise<number> {
  try {
    const reports = await runHashKills({ kills: rounds, seed, dataDir: folder, onKill: printKill });
    const findings = reports.flatMap((report) => report.findings);
    for (const finding of findings.slice(0, 50)) console.error(finding);
    if (findings.length > 0) return failed(`${findings.length} findings`);
    console.log(
      `nothing lost or doubled: ${rounds} kills while hashes were written, ${reports.at(-1)!.readings} readings, each in the ` +
        `tree once, its root that of the definition; ${Math.round((performance.now() - startedAt) / 1000)} s`,
    );
    removeFolder(folder);
    return 0;
  } catch (error) {
    return failed(String(error));
  }
}

function printKill({ kill, readings, hashed, findings }: HashKill): void {
  console.log(`${kill}: ${findings.length === 0 ? 'ok' : 'WRONG'}, ${readings} readings, ${hashed} of them hashed`);
}

function failed(why: string): number {
  console.error(
    `FAILED (${why}); the stores are kept in ${folder}; again: npm run test:crash -- --seed ${seed}${values.hashes ? ' --hashes' : ''}`,
  );
  return 1;
}

function print({
  round,
  killedAfterMs,
  startKilledAfterMs,
  restartMs,
  readings,
  devices,
  findings,
}: RoundReport): void {
  const start = startKilledAfterMs === null ? '' : `, a start killed after ${startKilledAfterMs} ms`;
  const verdict = findings.length === 0 ? 'ok' : 'WRONG';
  console.log(
    `${round}: ${verdict}, killed after ${killedAfterMs} ms${start}, up again in ${restartMs} ms; ` +
      `${readings} readings, ${devices} devices so far`,
  );
}

import { setTimeout as delay } from 'node:timers/promises';
import { openStoresReader } from '../../src/main/store/engines.ts';
import { locationsIn } from '../../src/main/store/locations.ts';
import { sha256 } from '../../src/main/store/log-leaves.ts';
import { rootOf } from '../../src/shared/proof/merkle.ts';
import { ENDPOINTS, type Endpoint, NodeProcess, startProcess } from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';
import { Ledger } from './ledger.ts';
import { Load } from './load.ts';
import { SeededRandom } from './random.ts';

/** No flags of the test's own: a kill may also come while the node starts itself again with its bounds. */
const AS_STARTED: readonly string[] = [];

/** The options of a run of the crash harness. */
export interface CrashOptions {
  readonly rounds: number;
  /** A whole number below 2^32; the same seed makes the same kill moments. */
  readonly seed: number;
  /** A folder that the caller keeps and removes. */
  readonly dataDir: string;
  /** Called after each round. */
  readonly onRound?: (round: RoundReport) => void;
}

/** One kill and what was found after it. */
export interface RoundReport {
  readonly round: number;
  /** Milliseconds of load before the kill. */
  readonly killedAfterMs: number;
  /** Milliseconds from the start to the kill where a start was killed too; null where none was. */
  readonly startKilledAfterMs: number | null;
  /** Milliseconds that the start after the kill took. */
  readonly restartMs: number;
  /** Confirmed over all rounds, of both endpoints. */
  readonly readings: number;
  readonly devices: number;
  /** The problem in words; empty if there is none. */
  readonly findings: readonly string[];
}

const LOAD = { singles: 4, batchers: 2, registrars: 1 };
const KILL_AFTER_MS = [50, 800] as const;
const MIN_CONFIRMED_PER_ROUND = 60;
const LOAD_AT_MOST_MS = 10_000;
/** Every fourth restart or so is killed itself, first. */
const START_KILL_CHANCE = 0.25;
const START_KILL_AFTER_MS = [0, 400] as const;

/**
 * Runs a real node under load on both endpoints, kills it (SIGKILL) at random moments, some of them during its start,
 * starts it on the same folder and compares both stores with what was confirmed. Stops at the first round that finds
 * something wrong. Rejects where the node does not start again.
 */
export async function runCrashRounds(options: CrashOptions): Promise<RoundReport[]> {
  const random = new SeededRandom(options.seed);
  const loads: Record<Endpoint, Load> = {
    // Each load draws numbers of its own: the order in which answers come must not shift the kill moments.
    public: new Load(new Ledger(), new SeededRandom(options.seed + 1), LOAD),
    local: new Load(new Ledger(), new SeededRandom(options.seed + 2), LOAD),
  };
  const reports: RoundReport[] = [];
  let node = await startProcess({ dataDir: options.dataDir, execArgv: AS_STARTED });
  try {
    for (let round = 1; round <= options.rounds; round += 1) {
      const killedAfterMs = await loadAndKill(node, loads, random);
      const startKilledAfterMs = random.next() < START_KILL_CHANCE ? random.between(...START_KILL_AFTER_MS) : null;
      if (startKilledAfterMs !== null) await killStart(options.dataDir, startKilledAfterMs);
      const startedAt = performance.now();
      node = await startProcess({ dataDir: options.dataDir, execArgv: AS_STARTED });
      const report: RoundReport = {
        round,
        killedAfterMs,
        startKilledAfterMs,
        restartMs: Math.round(performance.now() - startedAt),
        readings: confirmedReadings(loads),
        devices: loads.public.ledger.devices + loads.local.ledger.devices,
        findings: [
          ...ENDPOINTS.flatMap((endpoint) => findingsOf(endpoint, options.dataDir, loads[endpoint])),
          ...(await findingsOfLogs(options.dataDir)),
        ],
      };
      reports.push(report);
      options.onRound?.(report);
      if (report.findings.length > 0) break;
    }
    return reports;
  } finally {
    await node.dispose();
  }
}

function confirmedReadings(loads: Readonly<Record<Endpoint, Load>>): number {
  return loads.public.ledger.readings + loads.local.ledger.readings;
}

/** Loads both endpoints and kills the node after a random time. Returns that time. */
async function loadAndKill(
  node: NodeProcess,
  loads: Readonly<Record<Endpoint, Load>>,
  random: SeededRandom,
): Promise<number> {
  const killAfterMs = random.between(...KILL_AFTER_MS);
  const startedAt = performance.now();
  const working = ENDPOINTS.map((endpoint) => loads[endpoint].run(node.url(endpoint)));
  const before = confirmedReadings(loads);
  await delay(killAfterMs);
  // On a busy machine the moment alone could come before there is anything to lose.
  while (
    confirmedReadings(loads) - before < MIN_CONFIRMED_PER_ROUND &&
    performance.now() - startedAt < LOAD_AT_MOST_MS
  ) {
    await delay(5);
  }
  for (const endpoint of ENDPOINTS) loads[endpoint].ending = true;
  await node.kill();
  await Promise.all(working);
  for (const record of node.records.filter(({ level }) => (level as number) >= 50)) {
    loads.local.surprises.push(`the node logged ${JSON.stringify(record)}`);
  }
  if (node.stderr !== '') loads.local.surprises.push(`the node wrote ${node.stderr}`);
  return killAfterMs;
}

async function killStart(dataDir: string, afterMs: number): Promise<void> {
  const node = new NodeProcess({ dataDir, execArgv: AS_STARTED });
  await delay(afterMs);
  await node.kill();
}

/** Every reading has to be in the log once, with the hash that it has, as far as it was hashed. */
async function findingsOfLogs(dataDir: string): Promise<string[]> {
  const reader = await openStoresReader(locationsIn(dataDir));
  try {
    return await reader.snapshot(async (view) => {
      const findings: string[] = [];
      for (const name of view.names) {
        const log = await view.log(name);
        for (let block = 0; block * 256 < log.size; block += 1) {
          findings.push(...(await log.check(block)).map((problem) => `${name}: ${JSON.stringify(problem)}`));
        }
        rootOf({ sha256, subtree: (level, position) => log.subtree(level, position) }, log.size);
      }
      return findings;
    });
  } finally {
    await reader.close();
  }
}

function findingsOf(endpoint: Endpoint, dataDir: string, load: Load): string[] {
  const findings = [...load.ledger.compareWith(storePath(dataDir, endpoint)), ...load.surprises];
  return findings.map((finding) => `${endpoint}: ${finding}`);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { openStoresReader } from '../../src/main/store/engines.ts';
import { fileLocation } from '../../src/main/store/locations.ts';
import { hashOfText } from '../../src/main/store/log-leaves.ts';
import type { Position } from '../../src/main/store/reading.ts';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import type { LoggedReading, StoreLog } from '../../src/main/store/store-log.ts';
import type { StoresView } from '../../src/main/store/stores-view.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { MAX_UINT64 } from '../../src/shared/protocol/uint64.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { rootAt, rootOfLeaves } from '../support/log-trees.ts';
import { storePath } from '../support/store-file.ts';
import { SeededRandom } from './random.ts';

const CHILD = fileURLToPath(new URL('./hash-writer.ts', import.meta.url));
const KILL_AFTER_MS = [1, 80] as const;
const BLOCK = 256;
const PAGE = 2000;

/** The options of a trial. */
export interface HashKillOptions {
  readonly kills: number;
  /** A whole number below 2^32; the same seed makes the same kill moments. */
  readonly seed: number;
  /** An empty folder that the caller removes. */
  readonly dataDir: string;
  readonly onKill?: (report: HashKill) => void;
}

/** One kill and what was found after it. */
export interface HashKill {
  readonly kill: number;
  /** Readings in the store, and how many of them were hashed. */
  readonly readings: number;
  readonly hashed: number;
  /** The problem in words; empty if there is none. */
  readonly findings: readonly string[];
}

/**
 * Kills (SIGKILL) a process that stores and hashes readings, at random moments, and compares the store with what it had said
 * that it stored. At last everything is hashed, and the tree is compared with one made by the definition of RFC 6962.
 */
export async function runHashKills({ kills, seed, dataDir, onKill }: HashKillOptions): Promise<HashKill[]> {
  const random = new SeededRandom(seed);
  const device = new SimulatedDevice({ seed: Buffer.alloc(32, 1) });
  const path = storePath(dataDir, 'local');
  prepareStore(path, 'private');
  const writer = new DirectWriter(path);
  writer.register(deviceRegistration.parse(device.registration({ publishTo: 0 })), 0);
  writer.close();
  const reports: HashKill[] = [];
  let [confirmed, checked] = [0, 0];
  let head = { size: 0, root: '' };
  for (let kill = 1; kill <= kills; kill += 1) {
    confirmed = await storeAndKill(path, device.id, confirmed, random.between(...KILL_AFTER_MS));
    const report = await inLog(path, async (log, readings) => {
      const findings: string[] = [];
      if (readings < confirmed) findings.push(`${confirmed} readings were stored, ${readings} are there`);
      if (log.size < head.size) findings.push(`${head.size} were hashed, now ${log.size} are`);
      else if (head.size > 0 && rootAt(log, head.size) !== head.root) findings.push(`another tree of ${head.size}`);
      for (; (checked + 1) * BLOCK <= log.size; checked += 1) {
        findings.push(...(await log.check(checked)).map((problem) => JSON.stringify(problem)));
      }
      head = { size: log.size, root: rootAt(log) };
      return { kill, readings, hashed: log.size, findings };
    });
    confirmed = report.readings;
    reports.push(report);
    onKill?.(report);
    if (report.findings.length > 0) return reports;
  }
  const last = new DirectWriter(path);
  last.sumUp();
  last.close();
  const findings = await inLog(path, async (log, readings, view) => {
    const leaves = (await textsOf(view)).map(hashOfText);
    const expected = Buffer.from(rootOfLeaves(leaves)).toString('hex');
    const found: string[] = [];
    if (log.size !== readings) found.push(`${readings} readings, ${log.size} leaves`);
    if (rootAt(log) !== expected) found.push('the tree is not that of the readings');
    return found;
  });
  reports.push({ kill: kills, readings: confirmed, hashed: confirmed, findings });
  return reports;
}

/** Runs the child until it has stored something and a time has passed. Gives how many readings it said that it stored. */
async function storeAndKill(path: string, device: string, from: number, afterMs: number): Promise<number> {
  const child = spawn(process.execPath, [CHILD, path, device, String(from)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  await delay(afterMs);
  child.kill('SIGKILL');
  await closed;
  if (child.signalCode !== 'SIGKILL') throw new Error(`the child ended by itself: ${child.exitCode}`);
  // The last line may be cut.
  return Number(said.slice(0, said.lastIndexOf('\n')).split('\n').at(-1));
}

/** Asks a log, and how many readings its store has. */
async function inLog<T>(path: string, ask: (log: StoreLog, readings: number, view: StoresView) => T | Promise<T>) {
  const reader = await openStoresReader({ private: fileLocation(path), public: null });
  try {
    return await reader.snapshot(async (view) => ask(await view.log('private'), countOf(path), view));
  } finally {
    await reader.close();
  }
}

/** The number of readings. Throws unless each index from 0 on is that of one of them. */
function countOf(path: string): number {
  const db = new Database(path, { readonly: true });
  const sql = 'SELECT count(*), count(DISTINCT entry), coalesce(max(entry) + 1, 0) FROM readings';
  const [readings, indices, next] = db.prepare<[], [number, number, number]>(sql).raw().get()!;
  db.close();
  if (indices !== readings || next !== readings) throw new Error(`${readings} readings, ${indices} indices to ${next}`);
  return readings;
}

/** The texts of all entries by index. */
async function textsOf(view: StoresView): Promise<string[]> {
  const [device] = await view.devices();
  const span = { axis: 'timestamp', from: 0n, to: MAX_UINT64 } as const;
  const texts: string[] = [];
  for (let after: Position | null = null; ; ) {
    const page: readonly LoggedReading[] = await view.loggedReadings('private', device!.id, span, after, PAGE);
    for (const { index, text } of page) if (index !== null) texts[index] = text;
    if (page.length < PAGE) return texts;
    after = page.at(-1)!;
  }
}

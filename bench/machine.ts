import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from './latencies.ts';

const TMPFS_MAGIC = 0x01021994;
const SYNCS = 100;
const WATCHED_MS = 1000;

/** The machine of the measurements. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** The median time of writing and syncing one page, in milliseconds. */
  readonly syncMs: number;
  /** Whether the folder is in memory: then a commit costs nothing, and the figures are too good. */
  readonly inMemory: boolean;
  /** The number of cores that other programs keep busy. Above about a tenth, the figures are unreliable. */
  readonly busyCores: number;
}

/** Measures the machine, and the disk with the folder. */
export async function lookAtMachine(folder: string): Promise<Machine> {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${process.platform} ${process.arch} ${release()}`,
    node: process.version,
    syncMs: syncMs(join(folder, 'sync-probe')),
    inMemory: process.platform === 'linux' && statfsSync(folder).type === TMPFS_MAGIC,
    busyCores: await busyCores(),
  };
}

async function busyCores(): Promise<number> {
  const busyMs = () => cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
  const before = busyMs();
  const start = performance.now();
  await wait(WATCHED_MS);
  return (busyMs() - before) / (performance.now() - start);
}

function syncMs(path: string): number {
  const fd = openSync(path, 'w');
  const page = Buffer.alloc(4096, 1);
  const times: number[] = [];
  for (let sync = 0; sync < SYNCS; sync += 1) {
    const start = performance.now();
    writeSync(fd, page);
    fdatasyncSync(fd);
    times.push(performance.now() - start);
  }
  closeSync(fd);
  rmSync(path);
  return median(times);
}

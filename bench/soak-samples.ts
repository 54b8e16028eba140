import { readdirSync, readFileSync } from 'node:fs';

/** The state of a process at one moment, seen from outside. */
export interface Sample {
  /** Seconds since the load started. */
  readonly at: number;
  /** Resident memory in megabytes (10^6 bytes). */
  readonly residentMb: number;
  readonly openFiles: number;
  readonly threads: number;
}

/** The allowed growth of the resident memory between two parts of the run. */
const DRIFT_MB = 10;
/** The allowed growth of open files: incomplete connections come and go between two samples. */
const DRIFT_FILES = 10;

/** Reads /proc of a process. Throws if the process has ended. */
export function takeSample(pid: number, at: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1]);
  return {
    at,
    residentMb: (field('VmRSS') * 1024) / 1e6,
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    threads: field('Threads'),
  };
}

/**
 * Returns the figures that grew between the two halves of the run after its first fifth, in which caches fill; empty if
 * none did. The garbage collector turns constant use into a saw with teeth of some minutes. A leak raises both its
 * peaks and its lows.
 */
export function judgeSamples(samples: readonly Sample[]): string[] {
  const settled = samples.slice(Math.floor(samples.length / 5));
  const middle = Math.floor(settled.length / 2);
  if (middle < 2) return ['the run was too short to tell anything'];
  const halves = [settled.slice(0, middle), settled.slice(middle)] as const;
  const problems: string[] = [];
  const lowest = (half: readonly Sample[]) => Math.min(...half.map(({ residentMb }) => residentMb));
  const most = (half: readonly Sample[], what: Exclude<keyof Sample, 'at'>) =>
    Math.max(...half.map((sample) => sample[what]));
  const [low, laterLow] = [lowest(halves[0]), lowest(halves[1])];
  const [high, laterHigh] = [most(halves[0], 'residentMb'), most(halves[1], 'residentMb')];
  if (laterLow - low > DRIFT_MB && laterHigh - high > DRIFT_MB) {
    problems.push(
      `resident memory grew from ${low.toFixed(1)}..${high.toFixed(1)} to ${laterLow.toFixed(1)}..${laterHigh.toFixed(1)} MB`,
    );
  }
  const [files, laterFiles] = [most(halves[0], 'openFiles'), most(halves[1], 'openFiles')];
  if (laterFiles - files > DRIFT_FILES) problems.push(`open files grew from ${files} to ${laterFiles}`);
  const [threads, laterThreads] = [most(halves[0], 'threads'), most(halves[1], 'threads')];
  if (laterThreads > threads) problems.push(`threads grew from ${threads} to ${laterThreads}`);
  return problems;
}

/** Returns a line for the log of the run. */
export function sampleLine(
  { at, residentMb, openFiles, threads }: Sample,
  counts: Readonly<Record<string, number>>,
): string {
  const answered = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  return (
    `${at.toFixed(0).padStart(5)} s  ${residentMb.toFixed(1).padStart(6)} MB resident  ${openFiles} open files  ` +
    `${threads} threads  ${answered.join(', ')}`
  );
}

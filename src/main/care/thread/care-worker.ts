import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { careError } from '../care-error.ts';
import type { CareJobKind, CareJobs, CareMessage, CareWorkerData, ProgressOf } from './care-job.ts';

// The thread of a backup, a check, a restore or an export, so that minutes of work delay no device.

const TELL_EVERY_MS = 200;
/** A `nice` value, so that readings have priority. */
const LOW_PRIORITY = 10;

const { kind, order, cancelled } = workerData as CareWorkerData;
const tell = (message: CareMessage) => parentPort!.postMessage(message);

// On Linux the priority applies to the calling thread only; elsewhere it would apply to the whole node.
if (process.platform === 'linux') setPriority(0, LOW_PRIORITY);

let toldAt = Number.NEGATIVE_INFINITY;
const steps = {
  isCancelled: () => Atomics.load(cancelled, 0) !== 0,
  onProgress: (progress: ProgressOf<CareJobKind>) => {
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    tell({ kind: 'progress', progress });
  },
};

/** A thread runs one job, and loads only the modules of that one. */
const JOBS: { readonly [K in CareJobKind]: (order: CareJobs[K]['order']) => Promise<CareJobs[K]['result']> } = {
  backup: async (given) => (await import('../backup/run-backup.ts')).runBackup(given, steps),
  check: async ({ backup, opener, dataDir }) =>
    (await import('../restore/restore.ts')).checkBackup(backup, opener, dataDir, steps),
  tryKey: async ({ backup, opener }) => {
    const { tryOpener } = await import('../archive/read-archive.ts');
    await tryOpener(backup, opener);
    return null;
  },
  open: async ({ dataDir }) => (await import('../restore/open-as-node.ts')).openAsNode(dataDir),
  restore: async (given) =>
    (await import('../restore/restore.ts')).restoreBackup({ ...given, stopNode: askForStop }, steps),
  export: async (given) => (await import('../export/export-job.ts')).exportToFolder(given, steps),
};

async function askForStop(): Promise<void> {
  const answered = new Promise((resolve) => parentPort!.once('message', resolve));
  tell({ kind: 'stopNode' });
  await answered;
}

try {
  const run = JOBS[kind] as (given: typeof order) => Promise<unknown>;
  tell({ kind: 'done', result: await run(order) });
} catch (error) {
  const { fault, message } = careError(error, 'it failed');
  tell({ kind: 'failed', fault, message });
}
parentPort!.close();

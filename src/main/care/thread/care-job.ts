import type { CareFault } from '../../../shared/care/faults.ts';
import type { CareProgress } from '../../../shared/care/progress.ts';
import type { Opener } from '../archive/encryption.ts';
import type { KeptBackup, KeptBackupOrder } from '../backup/run-backup.ts';
import type { ExportJobOrder, ExportProgress, ExportResult } from '../export/export-job.ts';
import type { Restored, RestoreOrder } from '../restore/restore.ts';
import type { Unpacked } from '../restore/unpack.ts';

/** The jobs of a thread by kind, each with its input and result. */
export interface CareJobs {
  readonly backup: { readonly order: KeptBackupOrder; readonly result: KeptBackup };
  readonly check: {
    readonly order: { readonly backup: string; readonly opener: Opener; readonly dataDir: string };
    readonly result: Unpacked;
  };
  /** Checks whether a key opens a backup. Deriving a key from a passphrase takes a second. */
  readonly tryKey: { readonly order: { readonly backup: string; readonly opener: Opener }; readonly result: null };
  /** Opens the stores of a folder as a node does. */
  readonly open: { readonly order: { readonly dataDir: string }; readonly result: { readonly devices: number } };
  readonly restore: { readonly order: Omit<RestoreOrder, 'stopNode'>; readonly result: Restored };
  /** Exports the stores in an open format. */
  readonly export: {
    readonly order: ExportJobOrder;
    readonly result: ExportResult;
  };
}
export type CareJobKind = keyof CareJobs;

/** The progress that a thread reports while it works. */
export type ProgressOf<K extends CareJobKind> = K extends 'export' ? ExportProgress : CareProgress;

/** The data that a thread starts with. */
export interface CareWorkerData<K extends CareJobKind = CareJobKind> {
  readonly kind: K;
  readonly order: CareJobs[K]['order'];
  /** One cell, which is not 0 once the owner has cancelled the job. */
  readonly cancelled: Int32Array<SharedArrayBuffer>;
}

/** A message of the thread. `done` or `failed` is the last one. `stopNode` waits for any answer. */
export type CareMessage =
  | { readonly kind: 'progress'; readonly progress: CareProgress | ExportProgress }
  | { readonly kind: 'stopNode' }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly fault: CareFault; readonly message: string };

import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Logger } from 'pino';
import type { CsvDialect } from '../../shared/export/csv.ts';
import type { ExportsView } from '../../shared/owner-api/exports.ts';
import type { ExportFormat } from '../../shared/owner-api/limits.ts';
import type { Clock } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { StoreLocations } from '../store/engine.ts';
import { CareError, careError } from './care-error.ts';
import type { ExportResult } from './export/export-job.ts';
import { exportSpan } from './export/export-span.ts';
import { suggestedFolder } from './export/suggested-folder.ts';
import { type CareThread, startCare } from './thread/care-thread.ts';
import { isWithin } from './within.ts';

export interface ExportsDependencies {
  readonly dataDir: () => string;
  readonly locations: () => StoreLocations;
  readonly events: NodeEvents;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface ExportWish {
  /** The export is a new folder in this one. */
  readonly folder: string;
  readonly format: ExportFormat;
  readonly dialect: CsvDialect;
  /** The range of measurement times in Unix milliseconds, both inclusive; null for no bound. */
  readonly from: number | null;
  readonly to: number | null;
}

/** Exports all data in open formats, one export at a time on a separate thread; a part of the node. */
export class Exports {
  readonly name = 'exports';
  readonly #dependencies: ExportsDependencies;
  #thread: CareThread<'export'> | null = null;
  #work: ExportsView['work'] = null;
  #last: ExportsView['last'] = null;

  constructor(dependencies: ExportsDependencies) {
    this.#dependencies = dependencies;
  }

  async view(): Promise<ExportsView> {
    const folder = await suggestedFolder(this.#dependencies.dataDir());
    return { suggestedFolder: folder, work: this.#work, last: this.#last };
  }

  start(): void {}

  /**
   * Stops a running export and removes its files. The copy of a store can't be interrupted: the stop does not wait for
   * it, and the copy may remain.
   */
  async stop(): Promise<void> {
    const [thread, work] = [this.#thread, this.#work];
    if (thread === null) return;
    thread.cancel();
    if (work?.format === 'sqlite') void thread.terminate();
    else await thread.done.catch(() => {});
  }

  /** Starts an export. Rejects with CareError if it can't start. */
  async begin({ folder, format, dialect, from, to }: ExportWish): Promise<void> {
    if (format === 'sqlite' && (from !== null || to !== null)) throw new CareError('refused', 'sqlite copies all');
    await refuseFolder(folder, this.#dependencies.dataDir());
    if (this.#thread !== null) throw new CareError('busy', 'an export is under way');
    const path = await freePath(join(folder, exportName(new Date(this.#dependencies.clock.now()))));
    const span = exportSpan(from, to);
    this.#work = { format, folder: path, file: null, readings: 0, total: 0 };
    this.#last = null;
    this.#thread = startCare(
      'export',
      {
        folder: path,
        format,
        dialect,
        devices: null,
        from: span.from,
        to: span.to,
        locations: this.#dependencies.locations(),
        dataDir: this.#dependencies.dataDir(),
      },
      {
        onProgress: (progress) => {
          this.#work = { format, folder: path, ...progress };
          this.#changed();
        },
      },
    );
    this.#changed();
    void this.#thread.done.then(
      (result) => this.#ended(format, path, result, null),
      (error: unknown) => this.#ended(format, path, null, careError(error, 'the export failed')),
    );
  }

  cancel(): void {
    this.#thread?.cancel();
  }

  #ended(format: ExportFormat, folder: string, result: ExportResult | null, error: CareError | null): void {
    const { log, clock } = this.#dependencies;
    const files = result?.files ?? [];
    this.#last = {
      ...{ at: clock.now(), format, folder, files: files.length, bytes: result?.bytes ?? 0 },
      readings: format === 'sqlite' ? null : files.reduce((sum, { readings }) => sum + (readings ?? 0), 0),
      problem: error && { fault: error.fault, message: error.message },
    };
    if (error === null) log.info({ folder, format, files: files.length }, 'exported');
    else if (error.fault !== 'cancelled') log.error({ fault: error.fault, reason: error.message }, 'an export failed');
    this.#thread = null;
    this.#work = null;
    this.#changed();
  }

  #changed(): void {
    this.#dependencies.events.emit('exportsChanged', () => ({}));
  }
}

/** Rejects with CareError if the folder can't be used. Never creates it: if it is missing, its disk is. */
async function refuseFolder(folder: string, dataDir: string): Promise<void> {
  if (!isAbsolute(folder)) throw new CareError('no_folder', `${folder} must be an absolute path`);
  if (!(await stat(folder).catch(() => null))?.isDirectory()) {
    throw new CareError('no_folder', `${folder} does not exist: connect its disk, create it, or choose another one`);
  }
  if (await isWithin(dataDir, folder)) {
    throw new CareError('no_folder', `${folder} is in the data folder: choose one outside of it`);
  }
}

/** Returns the path, with a number appended if another export of the same second has taken it. */
async function freePath(path: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? path : `${path}-${count}`;
    if ((await stat(free).catch(() => null)) === null) return free;
  }
}

/** Returns a name with the machine's local time. */
function exportName(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `wellhouse-export-${date}-${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
}

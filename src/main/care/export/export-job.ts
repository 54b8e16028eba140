import { renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reservedBytes } from '../../common/room.ts';
import { syncFolder } from '../../common/sync.ts';
import { openStoresReader } from '../../store/open-reader.ts';
import { snapshotBytes } from '../../store/snapshots.ts';
import type { StorePaths } from '../../store/store-paths.ts';
import { CareError, careError } from '../care-error.ts';
import { type Exported, type ExportOrder, exportData } from './export-data.ts';

/** What an export that the owner began in the page is given. */
export interface ExportJobOrder extends ExportOrder {
  readonly paths: StorePaths;
}

/** How far it is; `total` is 0 where it is not known. */
export interface ExportProgress {
  readonly file: string;
  readonly readings: number;
  readonly total: number;
}

/** What came of it. */
export interface ExportResult extends Exported {
  readonly bytes: number;
}

/** What it is watched and stopped by. */
export interface ExportSteps {
  readonly onProgress: (progress: ExportProgress) => void;
  readonly isCancelled: () => boolean;
}

/**
 * Exports into a folder that has its name only once all of it is written: `<folder>.part` until then, which is removed where
 * the export ends before. Leaves the disk the room that the node keeps for itself. Rejects with CareError.
 */
export async function exportToFolder(
  { paths, ...order }: ExportJobOrder,
  { onProgress, isCancelled }: ExportSteps,
): Promise<ExportResult> {
  const unfinished = `${order.folder}.part`;
  const reader = await openStoresReader(paths);
  try {
    if (order.format === 'sqlite') requireRoom(dirname(order.folder), sumOf(Object.values(paths), snapshotBytes));
    const exported = await exportData(
      { ...order, folder: unfinished },
      {
        ...{ reader, paths },
        onProgress: (file, readings, total) => {
          requireRoom(unfinished, 0);
          onProgress({ file, readings, total });
        },
        stopIfAsked: () => {
          if (isCancelled()) throw new CareError('cancelled', 'stopped');
        },
      },
    );
    const files = exported.files.map(({ name }) => join(unfinished, name));
    const bytes = sumOf(files, (path) => statSync(path).size);
    syncFolder(unfinished);
    renameSync(unfinished, order.folder);
    return { ...exported, folder: order.folder, bytes };
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw careError(error, `the export to ${order.folder} failed`);
  } finally {
    await reader.close();
  }
}

/** An export may lie on the disk of the data, and must not keep readings from being stored there. */
function requireRoom(folder: string, bytes: number): void {
  const { bavail, blocks, bsize } = statfsSync(folder);
  // Some file systems, such as those of networks, say nothing of use.
  if (blocks > 0 && bavail * bsize < bytes + reservedBytes(blocks * bsize)) {
    throw new CareError('no_room', `the disk of ${folder} is full`);
  }
}

function sumOf(paths: readonly (string | null)[], bytesOf: (path: string) => number): number {
  return paths.reduce((sum, path) => sum + (path === null ? 0 : bytesOf(path)), 0);
}

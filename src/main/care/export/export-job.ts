import { renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reservedBytes } from '../../common/room.ts';
import { syncFolder } from '../../common/sync.ts';
import { PhotoFolder } from '../../photos/photo-folder.ts';
import type { StoreLocation, StoreLocations } from '../../store/engine.ts';
import { engineOf, openStoresReader } from '../../store/engines.ts';
import { CareError, careError } from '../care-error.ts';
import { type Exported, type ExportOrder, exportData } from './export-data.ts';

/** The input of an export that the owner starts in the page. */
export interface ExportJobOrder extends ExportOrder {
  readonly locations: StoreLocations;
  /** Where the photos of the log are. */
  readonly dataDir: string;
}

/** The progress of an export. `total` is 0 if it is not known. */
export interface ExportProgress {
  readonly file: string;
  readonly readings: number;
  readonly total: number;
}

export interface ExportResult extends Exported {
  readonly bytes: number;
}

/** The callbacks to watch and to stop an export. */
export interface ExportSteps {
  readonly onProgress: (progress: ExportProgress) => void;
  readonly isCancelled: () => boolean;
}

/**
 * Exports to a folder. It is named `<folder>.part` until it is complete, and is removed if the export ends early. Keeps
 * the disk space free that the node reserves. Rejects with CareError.
 */
export async function exportToFolder(
  { locations, dataDir, ...order }: ExportJobOrder,
  { onProgress, isCancelled }: ExportSteps,
): Promise<ExportResult> {
  const unfinished = `${order.folder}.part`;
  const reader = await openStoresReader(locations);
  try {
    if (order.format === 'sqlite') requireRoom(dirname(order.folder), await copiedBytes(locations));
    const exported = await exportData(
      { ...order, folder: unfinished },
      {
        ...{ reader, locations, photos: new PhotoFolder(dataDir) },
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
    const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
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

/** An export may be on the disk of the data, and must not prevent the store from writing readings. */
function requireRoom(folder: string, bytes: number): void {
  const { bavail, blocks, bsize } = statfsSync(folder);
  // Some file systems, such as network ones, report no useful sizes.
  if (blocks > 0 && bavail * bsize < bytes + reservedBytes(blocks * bsize)) {
    throw new CareError('no_room', `the disk of ${folder} is full`);
  }
}

/** Returns the largest size of copies of the stores, in bytes. */
async function copiedBytes({ private: own, public: shared }: StoreLocations): Promise<number> {
  const of = (location: StoreLocation | null) => (location === null ? 0 : engineOf(location).snapshots.bytes(location));
  return (await of(own)) + (await of(shared));
}

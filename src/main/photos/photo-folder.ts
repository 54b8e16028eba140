import { createHash } from 'node:crypto';
import { copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PhotoProblem } from '../../shared/owner-api/photos.ts';
import type { Photo } from '../../shared/owner-data/journal.ts';
import { readJpeg } from '../../shared/photos/jpeg.ts';
import { MAX_PHOTOS, PHOTO_BOUNDS, PREVIEW_BOUNDS, photoFile } from '../../shared/photos/photo-limits.ts';
import { writeAtomically } from '../common/atomic-write.ts';
import { reservedBytes, roomAt } from '../common/room.ts';
import { StartError } from '../common/start-error.ts';
import { syncFolder } from '../common/sync.ts';

/** The name of the folder of photos in the data folder. */
export const PHOTOS_DIR = 'photos';
/** Its subfolder for photos that do not belong to an entry yet. */
const NEW_DIR = 'new';
const FILE_NAME = /^([0-9a-f]{64})(\.preview)?\.jpg$/;

export type PictureName = 'full' | 'preview';
const SIZES = ['full', 'preview'] as const satisfies readonly PictureName[];

/** Returns the file name of a photo or of its preview. */
function fileOf(id: string, size: PictureName): string {
  return size === 'full' ? photoFile({ id }) : `${id}.preview.jpg`;
}

/** Returns whether a name is that of a photo file. */
export function isPhotoFile(name: string): boolean {
  return FILE_NAME.test(name);
}

/**
 * The files of photos. Each is named by the SHA-256 of its bytes, never changes, and gets its name only when it is
 * completely on disk. Received bytes are checked before anything is written.
 */
export class PhotoFolder {
  readonly #path: string;
  readonly #newPath: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, PHOTOS_DIR);
    this.#newPath = join(this.#path, NEW_DIR);
  }

  /**
   * Stores a photo that has no entry yet, or returns why not. `maxBytes` limits the size of all photos together.
   * Rejects like the file system, and if the file does not read back as it was written.
   */
  async add(
    image: Uint8Array,
    preview: Uint8Array | null,
    maxBytes: number,
  ): Promise<{ readonly problem: PhotoProblem } | { readonly problem: null; readonly photo: Photo }> {
    const size = readJpeg(image, PHOTO_BOUNDS);
    if ('fault' in size) return { problem: size.fault };
    const small = preview === null ? null : readJpeg(preview, PREVIEW_BOUNDS);
    if (small !== null && 'fault' in small) return { problem: small.fault };
    const id = idOf(image);
    const photo: Photo = { id, ...size, bytes: image.length };
    if ((await this.find(id)) !== null) return { problem: null, photo };
    const used = await this.used();
    const more = image.length + (preview?.length ?? 0);
    if (used.bytes + more > maxBytes || used.photos >= MAX_PHOTOS) return { problem: 'full' };
    await this.#requireRoom(more);
    this.#make();
    // The photo itself is written last, so that its preview exists whenever it does.
    if (preview !== null) await this.#put(fileOf(id, 'preview'), preview);
    await this.#put(fileOf(id, 'full'), image);
    return { problem: null, photo };
  }

  /** Moves photos that now belong to an entry to their permanent place. Those already there stay. */
  async adopt(ids: readonly string[]): Promise<void> {
    for (const name of ids.flatMap((id) => SIZES.toReversed().map((size) => fileOf(id, size)))) {
      await rename(join(this.#newPath, name), join(this.#path, name)).catch(unlessMissing);
    }
    if (ids.length > 0) syncFolder(this.#path);
  }

  async remove(ids: Iterable<string>): Promise<void> {
    for (const id of ids) {
      for (const folder of [this.#path, this.#newPath])
        for (const size of SIZES) await rm(join(folder, fileOf(id, size)), { force: true });
    }
  }

  /** Returns a photo by its id, whether it has an entry or not; null if its file is missing or damaged. */
  async find(id: string): Promise<Photo | null> {
    const bytes = await this.read(id, 'full');
    const size = bytes === null ? null : readJpeg(bytes, PHOTO_BOUNDS);
    return bytes === null || size === null || 'fault' in size ? null : { id, ...size, bytes: bytes.length };
  }

  /**
   * Returns a picture of a photo; null if its file is missing or damaged. Without a preview, it returns the photo
   * itself.
   */
  async read(id: string, size: PictureName): Promise<Uint8Array | null> {
    const path = await this.#find(id, size);
    if (path === null) return size === 'preview' ? this.read(id, 'full') : null;
    const bytes = await readFile(path).catch(unlessMissing);
    if (bytes === undefined) return null;
    const isWhole = size === 'full' ? idOf(bytes) === id : !('fault' in readJpeg(bytes, PREVIEW_BOUNDS));
    return isWhole ? bytes : null;
  }

  /**
   * Returns the ids of all photos that have, or had, an entry. Rejects with StartError if the folder is not a folder.
   */
  async kept(): Promise<string[]> {
    return idsIn(await namesIn(this.#path));
  }

  /** Returns the ids of photos that had no entry when they were added. */
  async waiting(): Promise<string[]> {
    return idsIn(await namesIn(this.#newPath));
  }

  /** Returns the number of photos, and the size of all files in bytes. */
  async used(): Promise<{ readonly photos: number; readonly bytes: number }> {
    let [photos, bytes] = [0, 0];
    for (const folder of [this.#path, this.#newPath]) {
      for (const name of await namesIn(folder)) {
        const [, , preview] = FILE_NAME.exec(name) ?? [];
        const found = FILE_NAME.test(name) ? await lstat(join(folder, name)).catch(unlessMissing) : undefined;
        if (found === undefined) continue;
        bytes += found.size;
        if (preview === undefined) photos += 1;
      }
    }
    return { photos, bytes };
  }

  /** Removes incomplete files that a crash left. */
  async tidy(): Promise<void> {
    for (const folder of [this.#path, this.#newPath]) {
      for (const name of await namesIn(folder))
        if (name.endsWith('.new')) await rm(join(folder, name), { force: true });
    }
  }

  /** Rejects like a full disk if the photo would use space that the node keeps for itself. */
  async #requireRoom(bytes: number): Promise<void> {
    const room = await roomAt(dirname(this.#path));
    if (room !== null && room.freeBytes < bytes + reservedBytes(room.totalBytes))
      throw Object.assign(new Error(`the disk of ${this.#path} is full`), { code: 'ENOSPC' });
  }

  #make(): void {
    for (const path of [this.#path, this.#newPath]) mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  async #put(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.#newPath, name);
    await writeAtomically(path, bytes);
    if (!(await readFile(path)).equals(bytes)) throw new Error(`${path} differs from what was written`);
  }

  async #find(id: string, size: PictureName): Promise<string | null> {
    for (const folder of [this.#path, this.#newPath]) {
      const path = join(folder, fileOf(id, size));
      if ((await lstat(path).catch(unlessMissing))?.isFile()) return path;
    }
    return null;
  }
}

/**
 * Links all photos of a data folder into another folder, or copies them if the disk has no hard links. So a photo that
 * is deleted meanwhile stays there. Existing files stay. Returns the names. Throws like the file system.
 */
export function linkPhotos(dataDir: string, into: string): string[] {
  const from = join(dataDir, PHOTOS_DIR);
  for (const folder of [from, join(from, NEW_DIR)]) {
    for (const name of namesInSync(folder).filter(isPhotoFile)) {
      try {
        linkOrCopy(join(folder, name), join(into, name));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // The file exists already, or its entry was just deleted.
        if (code !== 'EEXIST' && code !== 'ENOENT') throw error;
      }
    }
  }
  return namesInSync(into).sort();
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') throw error;
    copyFileSync(from, to);
  }
}

function idOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function idsIn(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []))];
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    return noNames(folder, error);
  }
}

function namesInSync(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    return noNames(folder, error);
  }
}

function noNames(folder: string, error: unknown): string[] {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return [];
  if (code === 'ENOTDIR') throw new StartError(`${folder} is not a folder; move it away, then start again`);
  throw error;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

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

/** The folder of photos in the data folder. */
export const PHOTOS_DIR = 'photos';
/** In it, photos that no entry has yet: they have names of their own until one has. */
const NEW_DIR = 'new';
const FILE_NAME = /^([0-9a-f]{64})(\.preview)?\.jpg$/;

export type PictureName = 'full' | 'preview';
const SIZES = ['full', 'preview'] as const satisfies readonly PictureName[];

/** The file of a photo, or of the small one for lists. */
function fileOf(id: string, size: PictureName): string {
  return size === 'full' ? photoFile({ id }) : `${id}.preview.jpg`;
}

/** Whether a file of the folder of photos has this name. */
export function isPhotoFile(name: string): boolean {
  return FILE_NAME.test(name);
}

/**
 * The files of photos: each is named by the SHA-256 of its bytes, never changes, and appears under its name once it is on
 * disk whole. Bytes from elsewhere are checked here before anything is written.
 */
export class PhotoFolder {
  readonly #path: string;
  readonly #newPath: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, PHOTOS_DIR);
    this.#newPath = join(this.#path, NEW_DIR);
  }

  /**
   * Keeps a photo that no entry has yet, or says why not. The bound of bytes is that of all photos. Rejects as the file system
   * does, and where what was written reads back as something else.
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
    // The photo itself last: one that is there has all that it needs.
    if (preview !== null) await this.#put(fileOf(id, 'preview'), preview);
    await this.#put(fileOf(id, 'full'), image);
    return { problem: null, photo };
  }

  /** Gives photos that an entry has now their lasting names. Those that have them stay. */
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

  /** A photo by its file, of an entry or not yet; null: it is missing or damaged. */
  async find(id: string): Promise<Photo | null> {
    const bytes = await this.read(id, 'full');
    const size = bytes === null ? null : readJpeg(bytes, PHOTO_BOUNDS);
    return bytes === null || size === null || 'fault' in size ? null : { id, ...size, bytes: bytes.length };
  }

  /** A picture of a photo; null: its file is missing, or holds something else. Without a small one, the photo itself. */
  async read(id: string, size: PictureName): Promise<Uint8Array | null> {
    const path = await this.#find(id, size);
    if (path === null) return size === 'preview' ? this.read(id, 'full') : null;
    const bytes = await readFile(path).catch(unlessMissing);
    if (bytes === undefined) return null;
    const isWhole = size === 'full' ? idOf(bytes) === id : !('fault' in readJpeg(bytes, PREVIEW_BOUNDS));
    return isWhole ? bytes : null;
  }

  /** The ids of all photos that entries have, or had. Rejects with StartError where the folder is none. */
  async kept(): Promise<string[]> {
    return idsIn(await namesIn(this.#path));
  }

  /** The ids of photos that no entry had when they were added. */
  async waiting(): Promise<string[]> {
    return idsIn(await namesIn(this.#newPath));
  }

  /** How many photos there are, and the bytes of all files. */
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

  /** Removes what a crash left half written. */
  async tidy(): Promise<void> {
    for (const folder of [this.#path, this.#newPath]) {
      for (const name of await namesIn(folder))
        if (name.endsWith('.new')) await rm(join(folder, name), { force: true });
    }
  }

  /** Rejects as a full disk does, before the last room is taken that the node keeps for itself. */
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
 * Gives all photos of a data folder a second name in another folder, or copies where the disk has no such names: a photo that
 * is deleted meanwhile stays there. Those that are there already stay. Returns the names. Throws as the file system does.
 */
export function linkPhotos(dataDir: string, into: string): string[] {
  const from = join(dataDir, PHOTOS_DIR);
  for (const folder of [from, join(from, NEW_DIR)]) {
    for (const name of namesInSync(folder).filter(isPhotoFile)) {
      try {
        linkOrCopy(join(folder, name), join(into, name));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // It is there already, or its entry was deleted just now.
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

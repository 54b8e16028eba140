import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { MoveProgress } from '../../../shared/node-state.ts';
import type { MoveProblem } from '../../../shared/owner-api/moving.ts';
import { syncFolder } from '../../common/sync.ts';
import { problemOfCopy } from '../../store/engines.ts';
import { isMadeAtOpening } from '../../store/locations.ts';
import { MARKER } from '../data-marker.ts';
import { makeFolder, missingFolders, removeEmptyFolders } from '../folders.ts';

/** The folder for unfinished copies, in the new folder, so that nothing mistakes them for data. */
const STAGING = '.wellhouse-move';
/** The locks belong to the folder, not to the data; the other files are leftovers of a killed program. */
const NOT_COPIED = /^(?:(?:node|care|audit)\.lock|\.wellhouse-care|moved\.json|\.wellhouse-move)$/;
const CHUNK_BYTES = 1024 ** 2;
const SPARE_BYTES = 64 * 1024 ** 2;

/** A copied file, with its state at that time. */
export interface CopiedFile {
  /** Relative to the folder, with `/` between names. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** A move that is not possible or has failed; the old folder is unchanged, and the new one has no files of ours. */
export class MoveError extends Error {
  readonly problem: MoveProblem;

  constructor(problem: MoveProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * Checks that data can be moved to a folder: it must be empty, or it must be possible to create it. Throws MoveError if
 * not.
 */
export function checkTarget(from: string, to: string): void {
  if (!isAbsolute(to)) throw new MoveError('not_absolute', 'the path of the new folder is not absolute');
  const [source, target] = [realpathSync(from), realTarget(to)];
  if (source === target) throw new MoveError('same', 'the data is already in that folder');
  if (isWithin(target, source) || isWithin(source, target)) {
    throw new MoveError('nested', 'one folder is inside the other');
  }
  const found = statSync(to, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new MoveError('not_empty', `${to} is a file`);
  const others = readNames(to).filter((name) => name !== STAGING && name !== MARKER);
  if (others.length > 0) throw new MoveError('not_empty', `${to} is not empty: ${others[0]}`);
}

/**
 * Copies a data folder that nothing writes to, reads the copy, compares it by SHA-256, and checks every store in it.
 * Calls `isCancelled` at each step. Returns the copied files. Throws MoveError.
 */
export function copyFolder(
  from: string,
  to: string,
  onProgress: (progress: MoveProgress) => void,
  isCancelled: () => boolean,
): CopiedFile[] {
  checkTarget(from, to);
  const staging = join(to, STAGING);
  const made = missingFolders(to);
  let placed: string[] = [];
  try {
    makeTarget(to);
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    const files = filesIn(from);
    const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const { bavail, bsize } = statfsSync(to);
    if (bavail * bsize < totalBytes + SPARE_BYTES) {
      throw new MoveError('no_space', `${totalBytes} bytes and a margin are needed, ${bavail * bsize} are free`);
    }
    let doneBytes = 0;
    const step = (phase: MoveProgress['phase']) => (bytes: number) => {
      if (isCancelled()) throw new MoveError('cancelled', 'the owner stopped it');
      doneBytes += bytes;
      onProgress({ to, phase, doneBytes, totalBytes });
    };
    const hashes = files.map(({ path }) => copyFile(join(from, path), join(staging, path), step('copying')));
    doneBytes = 0;
    const check = step('checking');
    for (const [index, { path }] of files.entries()) {
      if (hashOf(join(staging, path), check) !== hashes[index]) {
        throw new MoveError('not_equal', `${path} differs from what was written; check the disk`);
      }
      const problem = problemOfCopy(join(staging, path));
      if (problem !== null) throw new MoveError('not_equal', `${join(staging, path)}: ${problem}`);
    }
    // This is the last chance to cancel: afterwards all files are placed at once.
    if (isCancelled()) throw new MoveError('cancelled', 'the owner stopped it');
    placed = readdirSync(staging);
    for (const name of placed) renameSync(join(staging, name), join(to, name));
    rmSync(staging, { recursive: true });
    rmSync(join(to, MARKER), { force: true });
    syncFolder(to);
    return files;
  } catch (error) {
    for (const name of placed) rmSync(join(to, name), { recursive: true, force: true });
    try {
      rmSync(staging, { recursive: true, force: true });
    } catch {
      // The disk is gone or full: the leftovers are in a folder that nothing mistakes for data.
    }
    removeEmptyFolders(made);
    if (error instanceof MoveError) throw error;
    throw moveError(error, 'copy_failed');
  }
}

/** Creates the new folder. Any failure, such as ENOENT below /proc, means that it can't hold data. */
function makeTarget(to: string): void {
  try {
    makeFolder(to);
    accessSync(to, constants.W_OK);
  } catch (error) {
    throw moveError(error, 'not_writable');
  }
}

const PROBLEMS = { EACCES: 'not_writable', EROFS: 'not_writable', EPERM: 'not_writable', ENOSPC: 'no_space' } as const;

function moveError(error: unknown, otherwise: MoveProblem): MoveError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new MoveError(PROBLEMS[code as keyof typeof PROBLEMS] ?? otherwise, message);
}

/** Removes the copied files, and those of the folders in `made` that are empty then. */
export function removeCopy(to: string, files: readonly CopiedFile[], made: readonly string[]): void {
  for (const { path } of files) rmSync(join(to, path), { force: true });
  // The node that was tried on the copy left this lock.
  rmSync(join(to, 'node.lock'), { force: true });
  const within = new Set(files.map(({ path }) => dirname(join(to, path))).filter((path) => path !== to));
  removeEmptyFolders([...[...within].sort((a, b) => b.length - a.length), ...made]);
}

/** Returns all regular files below a folder. Links are followed, since their targets are data, too. */
export function filesIn(dir: string, below = ''): CopiedFile[] {
  return readdirSync(join(dir, below)).flatMap((name) => {
    const path = below === '' ? name : `${below}/${name}`;
    if (below === '' && (NOT_COPIED.test(name) || isMadeAtOpening(name))) return [];
    const found = statSync(join(dir, path));
    if (found.isDirectory()) return filesIn(dir, path);
    return found.isFile() ? [{ path, bytes: found.size, modifiedMs: found.mtimeMs }] : [];
  });
}

/** Copies a file; returns the SHA-256 of its contents. The file's name is synced with the whole folder. */
function copyFile(from: string, to: string, onBytes: (bytes: number) => void): string {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const source = openSync(from, 'r');
  const target = openSync(to, 'wx', statSync(from).mode & 0o700);
  try {
    const hash = readAll(source, (chunk) => {
      for (let written = 0; written < chunk.length; ) written += writeSync(target, chunk, written);
      onBytes(chunk.length);
    });
    fsyncSync(target);
    return hash;
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

function hashOf(path: string, onBytes: (bytes: number) => void): string {
  const file = openSync(path, 'r');
  try {
    return readAll(file, (chunk) => onBytes(chunk.length));
  } finally {
    closeSync(file);
  }
}

function readAll(file: number, onChunk: (chunk: Uint8Array) => void): string {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
    const chunk = buffer.subarray(0, read);
    hash.update(chunk);
    onChunk(chunk);
  }
  return hash.digest('hex');
}

/** Returns the real path of a folder that exists or will be created. */
function realTarget(path: string): string {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realTarget(parent), relative(parent, path));
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function readNames(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    throw new MoveError('not_writable', (error as Error).message);
  }
}

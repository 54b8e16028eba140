import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { CareError } from '../care-error.ts';
import { type Bytes, fileBytes, told, webStream } from './bytes.ts';
import { withoutChecksum } from './checksum.ts';
import { decrypted, type Encryption, encryptionOf, HEAD_BYTES, type Opener } from './encryption.ts';
import { MANIFEST_NAME, type Manifest, type Member, readManifest } from './manifest.ts';

const MAX_MANIFEST_BYTES = 4 * 1024 ** 2;

/** The consumer of a backup while it is read. */
export interface ArchiveReader {
  /** Called with the manifest before any member. */
  readonly onManifest?: (manifest: Manifest) => Promise<void> | void;
  /**
   * Gets a member and must read all of its bytes; they are checked at their end. Without it, members are only checked.
   */
  readonly onMember?: (member: Member, bytes: Bytes) => Promise<void>;
  /** Gets the bytes of the file as they are read. */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

/**
 * Resolves with the encryption of a backup file. Rejects with CareError if it is not a backup, and with errors of the
 * file system.
 */
export async function encryptionOfFile(path: string): Promise<Encryption> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new CareError('no_file', `there is no file ${path}`);
  });
  try {
    if ((await file.stat()).isDirectory()) throw new CareError('no_file', `${path} is a folder: name a backup in it`);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return encryptionOf(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Checks whether `opener` opens a backup; reads only its beginning. Rejects with CareError if it does not. */
export async function tryOpener(path: string, opener: Opener): Promise<void> {
  for await (const _ of decrypted(fileBytes(path), await encryptionOfFile(path), opener)) return;
}

/**
 * Reads a backup to its end and checks all of it before it resolves. Rejects with CareError if anything differs from
 * what was written; the caller must then discard everything that it did with the members.
 */
export async function readArchive(path: string, opener: Opener, reader: ArchiveReader = {}): Promise<Manifest> {
  const encryption = await encryptionOfFile(path);
  const file = told(fileBytes(path), (chunk) => reader.onChunk?.(chunk));
  const { chunks, whole } = decompressed(withoutChecksum(decrypted(file, encryption, opener)));
  // The decoder stops at the end of the archive and must not close the source, since the checksum follows.
  const entries = webStream({ next: () => chunks.next() }).pipeThrough(createTarDecoder({ strict: true }));
  let manifest: Manifest | null = null;
  let read = 0;
  try {
    for await (const entry of entries) {
      if (manifest === null) {
        manifest = readManifest(await manifestBytes(entry));
        await reader.onManifest?.(manifest);
        continue;
      }
      const member = manifest.members[read];
      read += 1;
      if (member === undefined || !isOf(entry, member)) {
        throw new CareError(
          'damaged',
          `the backup is damaged: it contains ${entry.header.name}, which its manifest does not list there`,
        );
      }
      await takeMember(member, entry.body, reader.onMember);
    }
    while ((await chunks.next()).done !== true);
    await whole;
  } catch (error) {
    throw readError(error);
  } finally {
    await chunks.return?.();
  }
  if (manifest === null || read < manifest.members.length) {
    throw new CareError('damaged', 'the backup is damaged: members of it are missing');
  }
  return manifest;
}

async function takeMember(member: Member, body: Bytes, onMember: ArchiveReader['onMember']): Promise<void> {
  const hash = createHash('sha256');
  const bytes = told(body, (chunk) => hash.update(chunk));
  if (onMember === undefined) for await (const _ of bytes);
  else await onMember(member, bytes);
  if (hash.digest('hex') === member.sha256) return;
  throw new CareError('damaged', `the backup is damaged: ${member.name} in it has changed`);
}

async function manifestBytes({ header, body }: ParsedTarEntry): Promise<Uint8Array> {
  if (header.name !== MANIFEST_NAME || header.type !== 'file' || header.size > MAX_MANIFEST_BYTES) {
    throw new CareError('not_a_backup', 'this is not a Wellhouse backup');
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function isOf({ header }: ParsedTarEntry, { name, bytes }: Member): boolean {
  return header.name === name && header.type === 'file' && header.size === bytes;
}

/** `whole` settles when all compressed bytes were read: zstd's own end may come before the end of the bytes. */
function decompressed(bytes: Bytes): { readonly chunks: AsyncIterator<Uint8Array>; readonly whole: Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // If reading ends for another reason, that error is reported.
  promise.catch(() => {});
  const stream = pipeline(bytes, createZstdDecompress(), (error) => (error == null ? resolve() : reject(error)));
  return { chunks: stream[Symbol.asyncIterator](), whole: promise };
}

/** Errors of the libraries mean damage; errors of the system stay as they are. */
function readError(error: unknown): unknown {
  if (error instanceof CareError || typeof (error as NodeJS.ErrnoException).syscall === 'string') return error;
  return new CareError('damaged', `the backup is damaged (${(error as Error).message.replace(/\s+/g, ' ')})`);
}

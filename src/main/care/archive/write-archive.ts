import { pipeline } from 'node:stream';
import { constants, createZstdCompress } from 'node:zlib';
import { createTarPacker } from 'modern-tar';
import { type Bytes, fileBytes } from './bytes.ts';
import { withChecksum } from './checksum.ts';
import { encrypted, type Lock, type Opener } from './encryption.ts';
import { MANIFEST_NAME, type Manifest, type Member } from './manifest.ts';

/** Level 3 of zstd compresses a store of readings to about a third. */
const LEVEL = 3;
const OWNER_ONLY = 0o600;

/** A member and the source of its bytes. */
export interface MemberSource extends Member {
  readonly from: { readonly path: string } | { readonly content: Uint8Array };
}

/** The members of a backup. */
export interface ArchiveOptions {
  readonly manifest: Manifest;
  /** The members of the manifest, in its order. */
  readonly members: readonly MemberSource[];
  readonly lock: Lock;
  /** Gets the key that opens the file again, for its check. */
  readonly onOpener: (opener: Opener) => void;
  /** Called with the members' bytes as they are written. */
  readonly onBytes: (bytes: number) => void;
}

/** Returns the bytes of a backup: tar, compressed, with a checksum, encrypted. */
export function archiveBytes({ manifest, members, lock, onOpener, onBytes }: ArchiveOptions): Bytes {
  const content = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const first = { name: MANIFEST_NAME, bytes: content.length, from: { content } };
  const tar = tarBytes([first, ...members], new Date(manifest.madeAt), onBytes);
  return encrypted(withChecksum(compressed(tar)), lock, onOpener);
}

function tarBytes(
  members: readonly Omit<MemberSource, 'sha256'>[],
  mtime: Date,
  onBytes: (bytes: number) => void,
): Bytes {
  const { readable, controller } = createTarPacker();
  const fill = async () => {
    for (const { name, bytes, from } of members) {
      const entry = controller.add({ name, size: bytes, mode: OWNER_ONLY, mtime, type: 'file' }).getWriter();
      for await (const chunk of 'path' in from ? fileBytes(from.path) : [from.content]) {
        await entry.write(chunk);
        onBytes(chunk.length);
      }
      await entry.close();
    }
    controller.finalize();
  };
  fill().catch((error: unknown) => controller.error(error));
  return readable;
}

function compressed(bytes: Bytes): Bytes {
  const params = { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 };
  // Errors of both streams surface in the stream that is read.
  return pipeline(bytes, createZstdCompress({ params }), () => {});
}

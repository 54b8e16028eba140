import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

/** A stream of bytes. The producer does not reuse a chunk. */
export type Bytes = AsyncIterable<Uint8Array>;

const CHUNK_BYTES = 256 * 1024;
const SYNC_EVERY_BYTES = 8 * 1024 ** 2;

/** Returns the bytes of a file. */
export async function* fileBytes(path: string): Bytes {
  const file = await open(path, 'r');
  try {
    while (true) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/**
 * Writes all bytes; resolves with their number. Syncs them to disk in small parts: one large sync would delay the
 * commits of the stores.
 */
export async function writeBytes(file: FileHandle, bytes: Bytes): Promise<number> {
  let total = 0;
  let unsynced = 0;
  for await (const chunk of bytes) {
    for (let written = 0; written < chunk.length; ) {
      const { bytesWritten } = await file.write(chunk, written);
      written += bytesWritten;
    }
    total += chunk.length;
    unsynced += chunk.length;
    if (unsynced < SYNC_EVERY_BYTES) continue;
    await file.datasync();
    unsynced = 0;
  }
  return total;
}

/** Passes bytes on, and calls `onChunk` with each chunk before. */
export async function* told(bytes: Bytes, onChunk: (chunk: Uint8Array) => void): Bytes {
  for await (const chunk of bytes) {
    onChunk(chunk);
    yield chunk;
  }
}

/** Returns the SHA-256 of bytes in lowercase hex, and their number. */
export async function sha256Of(bytes: Bytes): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let total = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    total += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes: total };
}

/** Returns a web stream that reads a chunk only on demand. */
export function webStream(chunks: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

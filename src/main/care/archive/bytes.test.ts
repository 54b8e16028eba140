import type { FileHandle } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { webStream, writeBytes } from './bytes.ts';

it('syncs a file each 8 MiB, and leaves the rest to its caller', async () => {
  const half = Buffer.alloc(4 * 1024 ** 2);
  const synced = async (chunks: number) => {
    let syncs = 0;
    const file = {
      write: async (chunk: Uint8Array, from: number) => ({ bytesWritten: chunk.length - from }),
      datasync: async () => {
        syncs += 1;
      },
    } as unknown as FileHandle;
    const bytes = async function* () {
      for (let sent = 0; sent < chunks; sent += 1) yield half;
    };
    expect(await writeBytes(file, bytes())).toBe(chunks * half.length);
    return syncs;
  };
  expect([await synced(1), await synced(2), await synced(5)]).toEqual([0, 1, 2]);
});

it('reads a chunk of a stream on demand, and ends its source when it is cancelled', async () => {
  const asked: string[] = [];
  const source = {
    next: async () => {
      asked.push('next');
      return { done: false as const, value: Uint8Array.of(1) };
    },
    return: async () => {
      asked.push('return');
      return { done: true as const, value: undefined };
    },
  };
  const stream = webStream(source);
  const reader = stream.getReader();
  await Promise.resolve();
  expect(asked).toEqual([]);
  expect((await reader.read()).value).toEqual(Uint8Array.of(1));
  await reader.cancel();
  expect(asked).toEqual(['next', 'return']);
  // Not every source has something to end.
  await webStream({ next: source.next }).cancel();
});

import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';

const CHUNK_BYTES = 8 * 1024 ** 2;

/**
 * Returns every text in the page's own heap after a garbage collection. The worker has a separate heap. Bytes of arrays
 * are not included.
 */
export async function heapTexts(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return chunks.join('');
}

/**
 * Records the messages from workers to a page, from its next load on. Returns a function that returns all of them as
 * JSON, with bytes in hex.
 */
export async function toldByWorkers(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const told: unknown[] = [];
    const RealWorker = Worker;
    const listened = (...given: ConstructorParameters<typeof Worker>) => {
      const worker = new RealWorker(...given);
      worker.addEventListener('message', ({ data }) => told.push(data));
      return worker;
    };
    Object.assign(window, {
      told,
      Worker: new Proxy(RealWorker, { construct: (_target, given) => listened(...(given as [URL])) }),
    });
  });
  return () =>
    page.evaluate(() => {
      const { told } = window as unknown as { told: unknown[] };
      const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      const plain = (_key: string, value: unknown) => {
        if (value instanceof ArrayBuffer) return hex(new Uint8Array(value));
        if (ArrayBuffer.isView(value)) return hex(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
        if (value instanceof Map || value instanceof Set) return [...value];
        return typeof value === 'bigint' ? String(value) : value;
      };
      return JSON.stringify(told, plain);
    });
}

/**
 * Returns the names of those values that are anywhere in the memory of the browser's page processes: in the heap of a
 * page or a worker, in buffers, or in memory that was freed and not reused. null if the memory can't be read: only
 * Linux allows that. The search ends when it has found `most` of them: a second of processor time is saved where one is
 * enough to know.
 */
export async function inPageProcesses(
  browser: Browser,
  wanted: ReadonlyMap<string, Buffer>,
  most = wanted.size,
): Promise<string[] | null> {
  if (process.platform !== 'linux') return null;
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const found = new Set<string>();
  for (const { type, id } of processInfo)
    if (type === 'renderer' && found.size < most) searchProcess(id, wanted, found, most);
  return [...found];
}

function searchProcess(pid: number, wanted: ReadonlyMap<string, Buffer>, found: Set<string>, most: number): void {
  const overlap = Math.max(...[...wanted.values()].map(({ length }) => length)) - 1;
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      // Only writable memory, which excludes the program.
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (from === undefined || to === undefined) continue;
      const end = BigInt(`0x${to}`);
      for (let at = BigInt(`0x${from}`); at < end; at += BigInt(CHUNK_BYTES - overlap)) {
        const length = Math.min(Number(end - at), CHUNK_BYTES);
        const read = readAt(memory, chunk.subarray(0, length), at);
        for (const [name, bytes] of wanted) if (!found.has(name) && read.includes(bytes)) found.add(name);
        if (found.size >= most) return;
      }
    }
  } finally {
    closeSync(memory);
  }
}

/** Reads a part of the memory; empty if its range has disappeared since it was listed. */
function readAt(memory: number, chunk: Buffer, position: bigint): Buffer {
  try {
    return chunk.subarray(0, readSync(memory, chunk, 0, chunk.length, position));
  } catch {
    return chunk.subarray(0, 0);
  }
}

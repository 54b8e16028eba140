import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** The page's files that shrink; the page itself gets a nonce with each answer and is small. */
const COMPRESSIBLE = /\.(js|css|json|svg|txt|wasm)$/;
/** A smaller file travels in one packet anyway. */
const MIN_BYTES = 1000;

const COMPRESSORS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** Puts a `.br` and a `.gz` beside each file of a folder that gets smaller by it. */
export async function compressFolder(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && COMPRESSIBLE.test(entry.name),
  );
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const bytes = readFileSync(path);
      if (bytes.length < MIN_BYTES) return;
      for (const [extension, compress] of Object.entries(COMPRESSORS)) {
        const compressed = await compress(bytes);
        if (compressed.length < bytes.length) writeFileSync(`${path}.${extension}`, compressed);
      }
    }),
  );
}

/** Compresses what a build has written, once, so that the node that serves it need not. */
export function compressPage(): Plugin {
  return {
    name: 'compress-page',
    apply: 'build',
    writeBundle: async ({ dir }) => {
      if (dir !== undefined) await compressFolder(dir);
    },
  };
}

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** The page's files that are worth compressing. The page itself is small and gets a new nonce with each answer. */
const COMPRESSIBLE = /\.(js|css|json|svg|txt|wasm)$/;
/** The smallest size to compress: a smaller file fits into one packet anyway. */
const MIN_BYTES = 1000;

const COMPRESSORS = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        // One less than the most takes half the time, and makes files 2 % larger.
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY - 1,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** Writes a `.br` and a `.gz` file next to each file of a folder, if it is smaller than the file. */
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

/** Compresses the files of a build once, so that the node does not need to compress them for each request. */
export function compressPage(): Plugin {
  return {
    name: 'compress-page',
    apply: 'build',
    writeBundle: async ({ dir }) => {
      if (dir !== undefined) await compressFolder(dir);
    },
  };
}

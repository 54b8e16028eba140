import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const RENDERER = fileURLToPath(new URL('../out/renderer/', import.meta.url));
/** Parts that the renderer loads when they are first used and that its bound leaves out, by the names of their files. */
const WHEN_USED = /^(cell-map|h3-js|words|wordlist|keys-)/;

/** Sizes in kB (1000 bytes) after gzip. */
export interface BundleSizes {
  /** JavaScript of the renderer but for what it loads when first used: the map with h3-js, the keys' page and worker. */
  readonly script: number;
  /** JavaScript that the first page needs before it draws. */
  readonly first: number;
  readonly style: number;
  /** What is left out of `script`, by file. */
  readonly whenUsed: readonly { readonly name: string; readonly kb: number }[];
}

/** Measures the built renderer as a browser would get it from a server that compresses. */
export function bundleSizes(): BundleSizes {
  const assets = join(RENDERER, 'assets');
  const kb = (name: string) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length / 1000;
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + kb(name), 0);
  const names = readdirSync(assets);
  const scripts = names.filter((name) => name.endsWith('.js'));
  const whenUsed = scripts.filter((name) => WHEN_USED.test(name));
  const index = readFileSync(join(RENDERER, 'index.html'), 'utf8');
  const first = [...index.matchAll(/assets\/([\w.-]+\.js)"/g)].map(([, name]) => name!);
  return {
    script: sum(scripts.filter((name) => !whenUsed.includes(name))),
    first: sum(first),
    style: sum(names.filter((name) => name.endsWith('.css'))),
    whenUsed: whenUsed.map((name) => ({ name, kb: kb(name) })),
  };
}

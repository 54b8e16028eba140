import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const RENDERER = fileURLToPath(new URL('../out/renderer/', import.meta.url));
/** What the renderer's bound leaves out, by the names of its files: the map with its data and h3-js, and the word lists. */
const WHEN_USED = /^(cell-map|words)-/;
/** The bound on `script`, in kB. */
export const MOST_SCRIPT = 320;

/** Sizes in kB (1000 bytes) after gzip. */
export interface BundleSizes {
  /** All JavaScript of the renderer but for the map with its data and h3-js, and the word lists. */
  readonly script: number;
  /** JavaScript that the first page needs before it draws. */
  readonly first: number;
  readonly style: number;
  /** The catalogues of one language: those of the one that has the most. */
  readonly texts: number;
  /** What is left out of `script`, by file. */
  readonly whenUsed: readonly { readonly name: string; readonly kb: number }[];
}

/** Of a catalogue's file, as `app.pt-BR-<hash>.json`. */
const languageOf = (name: string): string => /\.(.+)-[\w-]{8}\.json$/.exec(name)![1]!;

/** Measures the built renderer as a browser would get it from a server that compresses. */
export function bundleSizes(): BundleSizes {
  const assets = join(RENDERER, 'assets');
  const kb = (name: string) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length / 1000;
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + kb(name), 0);
  const names = readdirSync(assets);
  const scripts = names.filter((name) => name.endsWith('.js'));
  const whenUsed = scripts.filter((name) => WHEN_USED.test(name));
  const texts = names.filter((name) => name.endsWith('.json'));
  const index = readFileSync(join(RENDERER, 'index.html'), 'utf8');
  const first = [...index.matchAll(/assets\/([\w.-]+\.js)"/g)].map(([, name]) => name!);
  return {
    script: sum(scripts.filter((name) => !whenUsed.includes(name))),
    first: sum(first),
    style: sum(names.filter((name) => name.endsWith('.css'))),
    texts: Math.max(...Object.values(Object.groupBy(texts, languageOf)).map((each) => sum(each!))),
    whenUsed: whenUsed.map((name) => ({ name, kb: kb(name) })),
  };
}

// Run by itself it shows the sizes, and fails where they are over the bound.
if (import.meta.main) {
  const sizes = bundleSizes();
  console.log(sizes);
  if (sizes.script > MOST_SCRIPT) {
    console.error(`${sizes.script.toFixed(1)} kB of JavaScript: more than ${MOST_SCRIPT}`);
    process.exitCode = 1;
  }
}

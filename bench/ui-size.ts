import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const RENDERER = fileURLToPath(new URL('../out/renderer/', import.meta.url));
/** The bounds, in kB. They are not for the loading time, but to notice what is included by mistake. */
export const MOST: Readonly<Record<'script' | 'first' | 'dictionaries', number>> = {
  script: 600,
  first: 260,
  dictionaries: 1600,
};

/** Sizes in kB (1000 bytes) after gzip. */
export interface BundleSizes {
  /** All JavaScript of the renderer except the dictionaries. */
  readonly script: number;
  /** The words and passwords that a new passphrase is compared with. They load only when one is chosen. */
  readonly dictionaries: number;
  /** The JavaScript that the first page needs before it is drawn. */
  readonly first: number;
  readonly style: number;
  /** The catalogues of the language with the most text. */
  readonly texts: number;
}

/** Returns the language in the name of a catalogue's file, such as `app.pt-BR-<hash>.json`. */
const languageOf = (name: string): string => /\.(.+)-[\w-]{8}\.json$/.exec(name)![1]!;

/** Measures the built renderer as a browser would get it from a compressing server. */
export function bundleSizes(): BundleSizes {
  const assets = join(RENDERER, 'assets');
  const kb = (name: string) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length / 1000;
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + kb(name), 0);
  const names = readdirSync(assets);
  const { script = [], dictionaries = [] } = Object.groupBy(
    names.filter((name) => name.endsWith('.js')),
    (name) => (name.startsWith('dictionary-') ? 'dictionaries' : 'script'),
  );
  const texts = names.filter((name) => name.endsWith('.json'));
  const index = readFileSync(join(RENDERER, 'index.html'), 'utf8');
  const first = [...index.matchAll(/assets\/([\w.-]+\.js)"/g)].map(([, name]) => name!);
  return {
    script: sum(script),
    dictionaries: sum(dictionaries),
    first: sum(first),
    style: sum(names.filter((name) => name.endsWith('.css'))),
    texts: Math.max(...Object.values(Object.groupBy(texts, languageOf)).map((each) => sum(each!))),
  };
}

// As a program, it prints the sizes and fails if they exceed the bounds.
if (import.meta.main) {
  const sizes = bundleSizes();
  console.log(sizes);
  for (const [name, most] of Object.entries(MOST)) {
    const size = sizes[name as keyof typeof MOST];
    if (size <= most) continue;
    console.error(`${name}: ${size.toFixed(1)} kB, more than ${most}`);
    process.exitCode = 1;
  }
}

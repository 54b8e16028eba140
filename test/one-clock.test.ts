import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Where the machine's time may be read: what makes a Clock of it, and what a person has in front of them. */
const ALLOWED = [
  'src/main/common/clock.ts',
  'src/main/clock/',
  'src/main/command-line/',
  'src/renderer/',
  'src/simulator/',
  // Ages that threads compare, each with an origin of its own; nothing is dated by them.
  'src/main/store/verifier/lane-memory.ts',
];
/** `src/shared` runs in the page too, whose texts say which year it is. */
const OF_THE_PAGE = ['src/shared/format/format.ts'];

/** `Date.now`, a `Date` of nothing, and ways around them. */
const READS_THE_MACHINE =
  /\bDate\s*\??\.\s*now\b|\bDate\[|\bnew Date\b(?!\s*\(\s*[^\s)])|(?<!\bnew\s+)\bDate\(\s*\)|=\s*Date\s*[;,)\n]|\btimeOrigin\b/;

/** The files that read the machine's time without a Clock. */
function offenders(files: readonly { readonly path: string; readonly text: string }[]): string[] {
  const isAllowed = (path: string) => [...ALLOWED, ...OF_THE_PAGE].some((place) => path.startsWith(place));
  return files.filter(({ path, text }) => !isAllowed(path) && READS_THE_MACHINE.test(text)).map(({ path }) => path);
}

it('all times of the node come from one Clock', () => {
  const listed = spawnSync('git', ['ls-files', 'src/*.ts', 'src/*.tsx'], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n');
  const files = listed.filter((path) => !/\.test\.tsx?$/.test(path));
  expect(files.length).toBeGreaterThan(500);
  expect(offenders(files.map((path) => ({ path, text: readFileSync(path, 'utf8') })))).toEqual([]);
});

it('finds code that bypasses it', () => {
  const at = (path: string, text: string) => offenders([{ path, text }]);
  expect(at('src/main/care/care.ts', 'const now = Date.now();')).toEqual(['src/main/care/care.ts']);
  for (const text of [
    'new Date()',
    'new Date( )',
    'new Date;',
    'Date()',
    '{ now } = Date;',
    'performance.timeOrigin',
  ]) {
    expect(at('src/main/care/care.ts', `const now = ${text}`), text).toEqual(['src/main/care/care.ts']);
  }
  expect(at('src/main/care/care.ts', 'const now = new Date(clock.now());')).toEqual([]);
  expect(at('src/main/command-line/times.ts', 'Date.now()')).toEqual([]);
});

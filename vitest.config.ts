import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isBuilt } from './scripts/is-built.ts';
import { writeEnglishTypes } from './scripts/texts.ts';
import AbortedReporter from './test/support/aborted-reporter.ts';
import { COMPILED } from './test/support/isolated-home.ts';
import RunAloneReporter from './test/support/run-alone-reporter.ts';

/** Files that wait for minutes, whatever the machine can do: begun last, they alone would prolong the whole run. */
const LONGEST = ['test/store/sqlite', 'test/alerts/firing', 'test/alerts/telling'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(`${name}.test.ts`));
    return (await super.sort(files)).sort((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

// test/src-imports.test.ts follows every import, of types too.
writeEnglishTypes();

// For the threads of a node that runs in a test's process.
process.env.NODE_COMPILE_CACHE ??= COMPILED;

const isFresh = isBuilt();

/** The files of threads, as src/main chooses them. */
const THREAD_FILE = /import\.meta\.url\.endsWith\('\.ts'\) \? '\.\/([\w-]+)\.ts' : '[^']+'/g;

/**
 * The threads of a node in a test's process run the built code: to start the query thread from its many sources costs
 * more than twice as much. What the tests start as processes is built code too.
 */
const BUILT_THREADS: Plugin = {
  name: 'built-threads',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/src/main/') || !isFresh) return null;
    const built = (name: string) => new URL(`out/main/${name}.js`, import.meta.url).href;
    return code.replaceAll(THREAD_FILE, (_, name: string) => JSON.stringify(built(name)));
  },
};

export default defineConfig({
  plugins: [BUILT_THREADS],
  test: {
    reporters: ['default', new RunAloneReporter(), new AbortedReporter()],
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/long/**'],
    // PUBLIC_STORE=postgres: the nodes that tests start keep their public store in a PostgreSQL server; postgres-pair: each is
    // two nodes that share it.
    globalSetup: process.env.PUBLIC_STORE?.startsWith('postgres') ? ['test/support/postgres-setup.ts'] : [],
    // The desktop app runs in the process of its tests (test/desktop), on what plays Electron there.
    alias: [{ find: /^electron$/, replacement: fileURLToPath(new URL('e2e/stand-in/electron.ts', import.meta.url)) }],
    // Most tests wait for a node of theirs: more of them at a time than there are cores.
    maxWorkers: Math.min(10, Math.max(4, 2 * availableParallelism())),
    // A worker runs file after file: to start one for each takes a tenth of the whole. No test keeps anything in a module.
    isolate: false,
    // Room for young objects: six files of nodes in process took an eighth less processor time with it.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32'],
    // Far more than a quiet machine needs: a test fails by what it sees, not by what else the machine does.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: LongestFirst },
    // npm run coverage: what runs inside Vitest; not the processes that the tests start.
    coverage: { provider: 'v8', include: ['src/**/*.{ts,tsx}'], reporter: ['text-summary', 'html'] },
  },
});

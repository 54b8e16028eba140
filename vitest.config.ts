import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
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

// The threads of a node that runs in a test's process: without it each one strips the types of its modules again.
process.env.NODE_COMPILE_CACHE ??= COMPILED;

export default defineConfig({
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
    // As for the browser tests: the reporter says which test needed a second try.
    retry: process.env.CI === undefined ? 0 : 1,
    // npm run coverage: what runs inside Vitest; not the processes that the tests start.
    coverage: { provider: 'v8', include: ['src/**/*.{ts,tsx}'], reporter: ['text-summary', 'html'] },
  },
});

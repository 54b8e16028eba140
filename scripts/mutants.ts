import { Stryker } from '@stryker-mutator/core';
import { Command, InvalidArgumentError } from 'commander';

// npm run test:mutants -- [room…]: makes small changes to the code of a room, one at a time, and counts the mutants
// that the room's own tests do not detect. Processes and threads that a test starts run the unchanged code.

/** A part of the code in which a fault costs data or trust. */
interface Room {
  /** Patterns of the files that are changed. */
  readonly code: readonly string[];
  /** Patterns of the test files that judge the changes: all tests that reach the code would take hours. */
  readonly tests: readonly string[];
}

const ROOMS: Readonly<Record<string, Room>> = {
  intake: {
    code: ['src/main/intake/**/*.ts'],
    tests: ['src/main/intake/**/*'],
  },
  // The store in parts, each judged by quick tests of its own. The tests of PostgreSQL run real servers.
  'store-write': {
    code: ['src/main/store/sqlite/write/**/*.ts'],
    tests: ['src/main/store/sqlite/write/**/*'],
  },
  'store-read': {
    code: ['src/main/store/sqlite/read/**/*.ts', 'src/main/store/{stores-view,sums,corrected-sums}.ts'],
    tests: ['src/main/store/sqlite/read/**/*', 'src/main/store/{stores-view,sums,corrected-sums}'],
  },
  'store-file': {
    code: [
      'src/main/store/sqlite/{file/**/*,*}.ts',
      'src/main/store/!(stores-view|sums|corrected-sums|ingest-by-append).ts',
    ],
    tests: ['src/main/store/sqlite/{file/**/*,*}', 'src/main/store/*'],
  },
  verifier: {
    // Without the pool of threads and its tests: most changes make them wait until they time out.
    code: ['src/main/store/verifier/!(verifiers).ts', 'src/main/store/ingest-by-append.ts'],
    tests: ['src/main/store/verifier/!(verifiers)', 'src/main/store/ingest-*'],
  },
  protocol: { code: ['src/shared/protocol/**/*.ts'], tests: ['src/shared/protocol/**/*'] },
  crypto: { code: ['src/shared/crypto/**/*.ts'], tests: ['src/shared/crypto/**/*', 'src/renderer/keys/**/*'] },
  alerts: {
    // The machines of alerts and the queue of messages.
    code: [
      'src/shared/alerts/range-machine.ts',
      'src/main/alerts/{firings,outbox/outbox,watch/device-watch,watch/ranges}.ts',
    ],
    // A mutant that survives runs them all, so slow tests of other modules are left out.
    tests: [
      'src/main/alerts/{alerts,firings,states}',
      'src/main/alerts/outbox/{held-messages,outbox,outbox-report,quiet-hours}',
      'src/main/alerts/watch/{device-ranges,device-watch,ranges}',
      'src/shared/alerts/range-machine',
    ],
  },
  // What the engine of alerts sees and forgets, and the order and bounds of its messages.
  'alerts-watch': {
    code: [
      'src/main/alerts/watch/!(device-watch|ranges).ts',
      'src/main/alerts/outbox/!(outbox).ts',
      'src/main/alerts/state/*.ts',
    ],
    tests: ['src/main/alerts/{watch,outbox,state}/*'],
  },
  door: {
    code: ['src/main/door/pairing/**/*.ts', 'src/main/door/door-access.ts', 'src/main/door/challenges.ts'],
    tests: ['src/main/door/**/*'],
  },
  // Who may see and call what, and which requests the local listeners refuse.
  roles: {
    code: ['src/main/owner/{sight,caller}.ts', 'src/main/owner/api/viewer-bound.ts', 'src/main/http/guards.ts'],
    tests: ['src/main/owner/{sight,caller}', 'src/main/owner/api/viewer-bound', 'src/main/http/guards'],
  },
  care: {
    code: ['src/main/care/archive/**/*.ts', 'src/main/care/retention/**/*.ts', 'src/main/care/backup/keep.ts'],
    tests: ['src/main/care/**/*'],
  },
  clock: { code: ['src/main/clock/**/*.ts'], tests: ['src/main/clock/**/*'] },
};

/** The least share of covered mutants that the tests of a room must detect, in per cent. */
const BOUND = 85;

function knownRoom(name: string, earlier: string[] = []): string[] {
  if (!Object.hasOwn(ROOMS, name)) throw new InvalidArgumentError(`rooms: ${Object.keys(ROOMS).join(', ')}`);
  return [...earlier, name];
}

const program = new Command('test:mutants')
  .description('Mutation tests over the rooms where a fault costs data or trust.')
  .argument('[rooms...]', 'the rooms (default: all)', knownRoom, [])
  .option('--full', 'run every mutant again, also those whose code and tests did not change')
  .parse();
const rooms = program.args.length === 0 ? Object.keys(ROOMS) : program.args;
const { full = false } = program.opts<{ full?: true }>();

interface Score {
  readonly room: string;
  readonly killed: number;
  readonly survived: number;
  readonly uncovered: number;
  readonly errors: number;
}

/** Runs the mutants of one room. Throws if a mutant was judged without any test. */
async function runRoom(room: string): Promise<Score> {
  const { code, tests } = ROOMS[room]!;
  process.env.MUTATION_TESTS = tests.map((pattern) => `${pattern}.test.ts`).join(' ');
  const stryker = new Stryker({
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutation.config.ts' },
    plugins: ['@stryker-mutator/vitest-runner'],
    mutate: [...code, '!src/**/*.test.ts', '!src/**/*.d.ts', '!src/**/*-worker.ts'],
    // To test a mutant in code that runs when a module loads, the module must be loaded again, which the runner does
    // not do.
    ignoreStatic: true,
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: `node_modules/.cache/mutants/${room}.json`,
    force: full,
    concurrency: 2,
    // A busy machine must not make a mutant look as if it never ended.
    timeoutFactor: 3,
    // A busy machine takes longer than the usual five minutes for the first run of all tests.
    dryRunTimeoutMinutes: 60,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
    tempDirName: '.stryker-tmp',
    // Rewriting the file needs the compiler API, which TypeScript 7 lacks. The name of a missing file turns that off.
    tsconfigFile: 'no-tsconfig.json',
  });
  const mutants = await stryker.runMutationTest();
  const unjudged = mutants.filter(({ status, testsCompleted }) => status === 'Survived' && testsCompleted === 0);
  if (unjudged.length > 0) throw new Error(`${unjudged.length} mutants of ${room} were judged without any test`);
  const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  return {
    room,
    killed: count('Killed', 'Timeout'),
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
    errors: count('RuntimeError', 'CompileError'),
  };
}

/** Returns the detected share of the mutants that a test runs. */
const percent = ({ killed, survived }: Score) => (100 * killed) / Math.max(1, killed + survived);

const scores: Score[] = [];
for (const room of rooms) scores.push(await runRoom(room));
console.log('\n| room | noticed | survived | no unit test runs it | noticed of covered |\n|---|---|---|---|---|');
for (const score of scores) {
  const { room, killed, survived, uncovered } = score;
  console.log(`| ${room} | ${killed} | ${survived} | ${uncovered} | ${percent(score).toFixed(1)} % |`);
}
const low = scores.filter((score) => percent(score) < BOUND || score.errors > 0);
if (low.length > 0) {
  console.error(`under ${BOUND} %, or with errors: ${low.map(({ room }) => room).join(', ')}`);
  process.exitCode = 1;
}

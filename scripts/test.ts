import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeEnglishTypes } from './texts.ts';

// npm test                everything that CI runs: lint, types, a build, then each layer of tests
// npm test -- intake      the tests of a room, in each layer that has any
// npm run test:all        npm test, then the long tests
// npm run test:quick      the unit tests without a build, for the inner loop
//
// All layers run, even after a failure, so that one run shows everything. docs/testing.md says what each tests.

/** One test runner with its files. */
interface Layer {
  readonly name: string;
  readonly folders: readonly string[];
  readonly isTest: RegExp;
  readonly isLong: boolean;
  readonly command: readonly string[];
}

const VITEST = [join('node_modules', 'vitest', 'vitest.mjs'), 'run'];
const PLAYWRIGHT = [join('node_modules', '@playwright', 'test', 'cli.js'), 'test'];
const LONG = /^(?:test|component|e2e)\/long\//;

const LAYERS: readonly Layer[] = [
  { name: 'unit and node', folders: ['src', 'test'], isTest: /\.test\.ts$/, isLong: false, command: VITEST },
  {
    name: 'component',
    folders: ['component'],
    isTest: /\.test\.tsx$/,
    isLong: false,
    command: [...VITEST, '--config', 'vitest.component.config.ts'],
  },
  {
    name: 'browser',
    folders: ['e2e'],
    isTest: /\.spec\.ts$/,
    isLong: false,
    command: PLAYWRIGHT,
  },
  {
    name: 'long node',
    folders: ['test/long'],
    isTest: /\.test\.ts$/,
    isLong: true,
    command: [...VITEST, '--config', 'vitest.long.config.ts'],
  },
  {
    name: 'long component',
    folders: ['component/long'],
    isTest: /\.test\.tsx$/,
    isLong: true,
    command: [...VITEST, '--config', 'vitest.component.long.config.ts'],
  },
  {
    name: 'long browser',
    folders: ['e2e/long'],
    isTest: /\.spec\.ts$/,
    isLong: true,
    command: [...PLAYWRIGHT, '--config', 'playwright.long.config.ts'],
  },
];

/** More tests of a room, in addition to the files that have its name in their paths. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  intake: ['test/protocol', 'shared/protocol', 'test/durability'],
  protocol: ['main/intake'],
  store: ['test/durability', 'owner/records'],
  crypto: ['renderer/keys', 'renderer/keyring', 'renderer/opening'],
  care: ['backup', 'restore', 'retention', 'long/space', 'export'],
  door: ['people'],
};

/** The free space that a folder in memory must have, several times what the tests write. */
const ENOUGH_BYTES = 4e9;

/** Backups, restores and the command line of the simulator take a third of the time of all unit tests. */
const SLOW = ['src/main/care/**', 'src/simulator/cli.test.ts'];

const args = process.argv.slice(2);
const isRight = args[0] === '--quick' ? await runQuick(args.slice(1)) : await run(...read(args));
process.exitCode = isRight ? 0 : 1;

function read(args: readonly string[]): [filters: string[], isAll: boolean] {
  const rooms = args.filter((arg) => arg !== '--all');
  return [rooms.flatMap((room) => [room, ...(ALSO[room] ?? [])]), args.includes('--all')];
}

async function run(filters: readonly string[], isAll: boolean): Promise<boolean> {
  const layers = LAYERS.filter(({ isLong }) => isAll || !isLong)
    .map((layer) => ({ ...layer, files: testFiles(layer).filter((path) => isChosen(path, filters)) }))
    .filter(({ files }) => files.length > 0);
  if (layers.length === 0) {
    console.error(`wellhouse: no test file has ${filters.map((each) => `"${each}"`).join(' or ')} in its path`);
    return false;
  }
  // Tests of a room are for quick repetition: a build is enough for them.
  const isWhole = filters.length === 0;
  const checked = isWhole ? checkAndBuild() : { isReady: node(['scripts/build-if-needed.ts']), isSound: true };
  if (!(await checked.isReady)) {
    await checked.isSound;
    return false;
  }
  // test/support/thorough.ts reads it.
  const env = isAll ? { ...process.env, THOROUGH: '4' } : process.env;
  const quickEnv = inMemory(env);
  const failed: string[] = [];
  for (const { name, command, files, isLong } of layers) {
    // The long tests fill disks.
    if (!(await runLayer(command, isWhole ? [] : files, isLong ? env : quickEnv))) failed.push(`${name} tests`);
  }
  if (!(await checked.isSound)) failed.push('types');
  if (failed.length > 0) console.error(`wellhouse: failed: ${failed.join(', ')}`);
  return failed.length === 0;
}

/** Runs the unit tests. `more` are options of Vitest. */
function runQuick(more: readonly string[]): Promise<boolean> {
  const without = SLOW.flatMap((path) => ['--exclude', path]);
  return node([...VITEST, 'src', join('test', 'src-imports.test.ts'), ...without, ...more], inMemory(process.env));
}

/** Returns the environment of tests that write into a folder in memory, if there is room. */
function inMemory(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folder = folderInMemory();
  return folder === null ? env : { ...env, TMPDIR: folder };
}

/**
 * Returns a new folder in memory for what the tests write, where Linux has enough room there: the stores of a thousand
 * nodes cost a tenth of the processor time on a disk. null if there is none, or if the environment has a TMPDIR.
 */
function folderInMemory(): string | null {
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return null;
  const [, options = ''] = readFileSync('/proc/mounts', 'utf8').match(/^tmpfs \/dev\/shm tmpfs (\S+)/m) ?? [];
  if (!options.startsWith('rw') || options.split(',').includes('noexec')) return null;
  const { bavail, bsize } = statfsSync('/dev/shm');
  if (Math.min(bavail * bsize, freemem()) < ENOUGH_BYTES) return null;
  const folder = mkdtempSync('/dev/shm/wellhouse-test-');
  // Servers of tests run as other users.
  chmodSync(folder, 0o755);
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      console.error(`wellhouse: not removed: ${folder} (${(error as Error).message})`);
    }
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return folder;
}

/**
 * Runs one layer. V8 can abort a process that starts and ends many threads ("Check failed: jit_page.has_value()", a
 * defect of Node 24 that no flag avoids): the files of such a process run again. A failed test is never run again here.
 */
async function runLayer(
  command: readonly string[],
  files: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'wellhouse-test-'));
  const path = join(folder, 'aborted.json');
  const run = (chosen: readonly string[]) => node([...command, ...chosen], { ...env, ABORTED_FILES: path });
  try {
    if (await run(files)) return true;
    if (!existsSync(path)) return false;
    const aborted: string[] = JSON.parse(readFileSync(path, 'utf8'));
    rmSync(path);
    console.error(`wellhouse: V8 aborted the process of ${aborted.join(', ')}; running it again`);
    return await run(aborted);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a script with its output in this one's. Returns whether it succeeded. */
function node(args: readonly string[], env = process.env): Promise<boolean> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  return new Promise((resolve) => child.on('close', (code) => resolve(code === 0)));
}

function testFiles({ folders, isTest, isLong }: Layer): string[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path).replaceAll('\\', '/'),
      ),
    )
    .filter((path) => isTest.test(path) && LONG.test(path) === isLong);
}

function isChosen(path: string, filters: readonly string[]): boolean {
  return filters.length === 0 || filters.some((filter) => path.includes(filter));
}

/**
 * Runs the checks and the build at the same time: none of them keeps two cores busy. Prints the output of each when it
 * ends. The types take the longest, on one core: `isReady` does not wait for them, so tests run meanwhile, and
 * `isSound` is their result.
 */
function checkAndBuild(): { readonly isReady: Promise<boolean>; readonly isSound: Promise<boolean> } {
  // The types and the build both need this file. Neither may read it while the other writes it.
  writeEnglishTypes();
  const isSound = npm('typecheck');
  const isReady = Promise.all(['lint', 'language', 'build'].map(npm)).then((all) => all.every((isRight) => isRight));
  return { isReady, isSound };
}

/** Runs an npm script with the npm that runs this script, and prints its output. Returns whether it succeeded. */
function npm(script: string): Promise<boolean> {
  const cli = process.env.npm_execpath;
  if (cli === undefined) throw new Error('to be run by npm');
  const child = spawn(process.execPath, [cli, 'run', '-s', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code) => {
      if (output !== '') process.stdout.write(output);
      if (code !== 0) console.error(`wellhouse: npm run ${script} failed`);
      resolve(code === 0);
    });
  });
}

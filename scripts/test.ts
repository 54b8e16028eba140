import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeEnglishTypes } from './texts.ts';

// npm test                everything that CI runs: lint, types, a build, then each layer of tests
// npm test -- intake      the tests of a room, in each layer that has any
// npm run test:all        npm test, then the long tests
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
const LONG = /^(?:test|e2e)\/long\//;

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
  care: ['backup', 'restore', 'retention', 'e2e/space', 'export'],
  door: ['people'],
};

const [filters, isAll] = read(process.argv.slice(2));
process.exitCode = (await run(filters, isAll)) ? 0 : 1;

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
  const isReady =
    filters.length === 0
      ? await checkAndBuild()
      : spawnSync(process.execPath, ['scripts/build-if-needed.ts'], { stdio: 'inherit' }).status === 0;
  if (!isReady) return false;
  // test/support/thorough.ts reads it.
  const env = isAll ? { ...process.env, THOROUGH: '4' } : process.env;
  const failed = layers.filter(({ command, files }) => {
    return !runLayer(command, filters.length === 0 ? [] : files, env);
  });
  if (failed.length > 0) console.error(`wellhouse: failed: ${failed.map(({ name }) => name).join(', ')} tests`);
  return failed.length === 0;
}

/**
 * Runs one layer. V8 can abort a process that starts and ends many threads ("Check failed: jit_page.has_value()", a
 * defect of Node 24 that no flag avoids): the files of such a process run again. A failed test is never run again here.
 */
function runLayer(command: readonly string[], files: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'wellhouse-test-'));
  const path = join(folder, 'aborted.json');
  const run = (chosen: readonly string[]) =>
    spawnSync(process.execPath, [...command, ...chosen], { stdio: 'inherit', env: { ...env, ABORTED_FILES: path } })
      .status === 0;
  try {
    if (run(files)) return true;
    if (!existsSync(path)) return false;
    const aborted: string[] = JSON.parse(readFileSync(path, 'utf8'));
    rmSync(path);
    console.error(`wellhouse: V8 aborted the process of ${aborted.join(', ')}; running it again`);
    return run(aborted);
  } finally {
    rmSync(folder, { recursive: true });
  }
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
 * ends. All end, so that one run shows everything.
 */
async function checkAndBuild(): Promise<boolean> {
  // The types and the build both need this file. Neither may read it while the other writes it.
  writeEnglishTypes();
  const results = await Promise.all(['lint', 'language', 'typecheck', 'build'].map(npm));
  return results.every((isRight) => isRight);
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

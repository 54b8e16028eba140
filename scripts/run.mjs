import { spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { problemHere } from './preflight.mjs';

// node scripts/run.mjs [--built] FILE [ARGUMENT…]: starts the programs of the npm scripts on every system. It prints
// what this machine lacks, builds out/ with --built if it is older than its sources, and runs the file. npm runs a
// script in a shell. A signal to npm ends that shell, which may not pass it on, so this ends the program when the shell
// is gone. Old versions of Node must be able to read this file, like the preflight.

const LOOK_FOR_PARENT_MS = 250;
const TERMINATED = 128 + constants.signals.SIGTERM;

const parent = process.ppid;
const isOrphan = () => process.platform !== 'win32' && process.ppid !== parent;

/** @param {string[]} args */
function main(args) {
  const isBuilt = args[0] === '--built';
  if (isBuilt) {
    const { status } = spawnSync(process.execPath, ['scripts/build-if-needed.ts'], { stdio: 'inherit' });
    if (status !== 0) process.exit(status === null ? 1 : status);
    if (isOrphan()) process.exit(TERMINATED);
  }
  run(isBuilt ? args.slice(1) : args);
}

/** @param {string[]} args */
function run(args) {
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  // A terminal, or a console of Windows, sends the signal to all its processes. Without one, only this process got it,
  // from a shell that runs it in its own place; dash does not pass on SIGINT.
  const isToldToAll = process.platform === 'win32' || process.stdin.isTTY;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGHUP'])) {
    process.on(signal, () => {
      if (!isToldToAll) child.kill(signal);
    });
  }
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const timer = setInterval(() => {
    if (!isOrphan()) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, LOOK_FOR_PARENT_MS);
  child.on('close', (code, signal) => {
    clearInterval(timer);
    process.exitCode = code === null && signal !== null ? 128 + constants.signals[signal] : Number(code);
  });
}

const problem = problemHere({ isInstalled: true });
if (problem === null) main(process.argv.slice(2));
else {
  console.error(`wellhouse: ${problem}`);
  process.exitCode = 1;
}

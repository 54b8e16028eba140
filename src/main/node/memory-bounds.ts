import { setFlagsFromString } from 'node:v8';

/**
 * V8 sizes its heaps by the machine's memory and lets garbage accumulate for speed: several hundred megabytes under
 * load on a desktop. These bounds keep the node small enough for a Raspberry Pi, for about 5 % more CPU
 * (docs/decisions/measurements.md). Sparkplug is V8's compiler between the interpreter and Maglev: its code takes 2 MB
 * at the start, and nothing is slower without it.
 */
const V8_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=256', '--v8-pool-size=1', '--no-sparkplug'];
/**
 * Flags for the start, each with V8's default, which holds once the node runs: both would cost speed under load. A
 * start does not compile with TurboFan, which takes 6 MB of the program file into memory. The first collection drops
 * bytecode that only the start needed.
 */
const START_FLAGS = new Map([
  ['--invocation-count-for-turbofan=30000', '--invocation-count-for-turbofan=3000'],
  ['--bytecode-old-age=1', '--bytecode-old-age=6'],
]);
/** glibc keeps freed memory in one arena per thread. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };

/**
 * Replaces this process by a new one (same pid, files and arguments) with the bounds, which V8 accepts only at its
 * start. Does nothing if that is not possible, or if one of them is set already.
 */
export function boundMemory(): void {
  const names = V8_FLAGS.map((flag) => flag.replace(/=.*/, ''));
  const isSet = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((text) =>
    names.some((name) => text.includes(name)),
  );
  // Replacing the process would close an inherited message channel.
  if (isSet || process.platform !== 'linux' || process.connected || process.execve === undefined) return;
  const flags = [...V8_FLAGS, ...START_FLAGS.keys(), '--expose-gc'];
  const args = [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...ENVIRONMENT, ...process.env });
}

/** Long enough for the first answers, which must not wait for the collection (about 50 ms). */
const COLLECT_AFTER_MS = 1000;

/**
 * Soon frees memory that only the start needed, because V8 would keep the pages, and ends the flags for the start. Does
 * nothing without the bounds.
 */
export function collectAfterStart(): void {
  setTimeout(() => {
    void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    for (const [flag, byDefault] of START_FLAGS) if (process.execArgv.includes(flag)) setFlagsFromString(byDefault);
  }, COLLECT_AFTER_MS).unref();
}

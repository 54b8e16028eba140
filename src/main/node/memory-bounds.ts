/**
 * V8 sizes its heaps by the machine's memory and lets garbage accumulate for speed: several hundred megabytes under
 * load on a desktop. These bounds keep the node small enough for a Raspberry Pi, for about 5 % more CPU
 * (docs/decisions/measurements.md). Sparkplug is V8's compiler between the interpreter and Maglev: its code takes 2 MB
 * at the start, and nothing is slower without it. TurboFan, the compiler after Maglev, takes 6 MB of the program file
 * into memory: it starts after ten times as many calls as by default, which a start never reaches and a load soon does.
 * Bytecode that ran only at the start is dropped by the first collection after it.
 */
const V8_FLAGS = [
  '--max-semi-space-size=4',
  '--max-old-space-size=256',
  '--v8-pool-size=1',
  '--no-sparkplug',
  '--invocation-count-for-turbofan=30000',
  '--bytecode-old-age=1',
];
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
  const args = [process.execPath, ...V8_FLAGS, '--expose-gc', ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...ENVIRONMENT, ...process.env });
}

/** Frees memory that only the start needed; V8 would keep the pages. Does nothing without the bounds. */
export function collectAfterStart(): void {
  void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * V8 sizes its heaps by the machine's memory and lets garbage pile up for speed: several hundred megabytes under load on
 * a desktop. These bounds keep the node small enough for a Raspberry Pi, for about 5 % more CPU (docs/decisions/measurements.md). Sparkplug is V8's
 * compiler between interpreter and Maglev: its code takes 2 MB at the start, and without it nothing is slower.
 */
const V8_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=256', '--v8-pool-size=1', '--no-sparkplug'];
/** glibc keeps freed memory in an arena for each thread. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2' };

/**
 * Starts this process again, in its place (same pid, files and arguments), with the bounds, which V8 takes only at its
 * start. Does nothing where that can't be done, or where any of them is set already.
 */
export function boundMemory(): void {
  const names = V8_FLAGS.map((flag) => flag.replace(/=.*/, ''));
  const isSet = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].some((text) =>
    names.some((name) => text.includes(name)),
  );
  // An inherited message channel would be closed on the way.
  if (isSet || process.platform !== 'linux' || process.connected || process.execve === undefined) return;
  const args = [process.execPath, ...V8_FLAGS, '--expose-gc', ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...ENVIRONMENT, ...process.env });
}

/** Gives back what the start used and the node does not: V8 would keep the pages. Only where the bounds are in force. */
export function collectAfterStart(): void {
  void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

const WORK_MS = 100;

/**
 * How many times longer than on a quiet machine work takes here and now: the time on the clock for a piece of work by the
 * processor time that it took. 1 or more. Other threads of the process, such as those of a node, don't count.
 */
export function slowness(): number {
  const [since, before] = [performance.now(), process.threadCpuUsage()];
  let used = 0;
  while (used < WORK_MS) {
    const { user, system } = process.threadCpuUsage(before);
    used = (user + system) / 1000;
  }
  return Math.max(1, (performance.now() - since) / used);
}

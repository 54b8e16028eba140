const WORK_MS = 100;

/**
 * Returns how many times longer work takes now than on a quiet machine: the elapsed time of a piece of work divided by
 * its processor time; 1 or more. Other threads of the process, such as a node's, don't count.
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

import fs from 'node:fs';

/** Locks of this process. A container gives a restarted process its old id, so the id alone does not say whose it is. */
const held = new Set<string>();

/**
 * Takes a lock file that holds this process's id, or returns the id of the living process that has it. A lock that a
 * killed process left is taken over. Throws what the file system throws.
 */
export function takeLock(lock: string): number | null {
  for (let attempt = 0; ; attempt += 1) {
    try {
      fs.writeFileSync(lock, String(process.pid), { mode: 0o600, flag: 'wx' });
      held.add(lock);
      return null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(fs.readFileSync(lock, 'utf8'));
    const isTaken = holder === process.pid ? held.has(lock) : isAlive(holder);
    if (isTaken || attempt > 0) return holder;
    fs.rmSync(lock, { force: true });
  }
}

/** Lets go of a lock that this process has taken. */
export function releaseLock(lock: string): void {
  if (held.delete(lock)) fs.rmSync(lock, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

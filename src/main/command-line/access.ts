import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDataFile } from '../state-files/data-files.ts';
import { CommandError, EXIT } from './exit-codes.ts';

/**
 * An error that says whose the data folder is, where this user may not use it; null where that is not what is wrong. A
 * folder below one that can't be entered is told as that one.
 */
export function accessProblem(dataDir: string): CommandError | null {
  const path = refusedPath(dataDir);
  if (path === null) return null;
  const { uid } = statSync(path);
  const owner = nameOf(uid);
  const isOwn = uid === process.getuid?.();
  return new CommandError(
    isOwn
      ? `${path} can't be used with its present mode (EACCES)`
      : `${path} belongs to ${owner}: this user may not use it (EACCES)`,
    EXIT.key,
    isOwn ? `give it back its rights: chmod u+rwX ${path}` : `run the command as that user: sudo -u ${owner} …`,
    'no_access',
  );
}

function refusedPath(dataDir: string): string | null {
  let folder = dataDir;
  // What lies in a folder that can't be entered does not seem to exist.
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const { R_OK, W_OK, X_OK } = constants;
  if (folder !== dataDir) return isRefused(folder, X_OK) ? folder : null;
  if (isRefused(folder, R_OK | W_OK | X_OK)) return folder;
  const files = readdirSync(folder).filter(isDataFile);
  return files.map((name) => join(folder, name)).find((file) => isRefused(file, R_OK)) ?? null;
}

function isRefused(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

/** A user's name, or the number with a hash where the system has no name, as sudo takes it. */
function nameOf(uid: number): string {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    const line = lines.find((each) => each.split(':')[2] === String(uid));
    return line?.split(':')[0] ?? `#${uid}`;
  } catch {
    return `#${uid}`;
  }
}

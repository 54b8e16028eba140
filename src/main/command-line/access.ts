import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDataFile } from '../state-files/data-files.ts';
import { CommandError, EXIT } from './exit-codes.ts';

/**
 * Returns an error that names the owner of the data folder if this user may not use it; null if access is not the
 * problem. If a parent folder can't be entered, the error is about that one.
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
  // Contents of a folder that can't be entered seem not to exist.
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

/** Returns a user's name. If the system has none, returns the number with a hash, as sudo accepts it. */
function nameOf(uid: number): string {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    const line = lines.find((each) => each.split(':')[2] === String(uid));
    return line?.split(':')[0] ?? `#${uid}`;
  } catch {
    return `#${uid}`;
  }
}

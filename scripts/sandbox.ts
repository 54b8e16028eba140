import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

// Chromium's sandbox on Linux needs either a user namespace or its own helper, `chrome-sandbox`, which must belong to
// root and be SUID. If it has neither, it ends with a fatal error. --no-sandbox is not acceptable for a program that
// has keys.

/** The system's settings of user namespaces; tests use their own. */
export interface SystemFiles {
  /** The folder of kernel settings, /proc/sys. */
  readonly sysctl: string;
  /** The folder of AppArmor's profiles. */
  readonly profiles: string;
}

const SYSTEM_FILES: SystemFiles = { sysctl: '/proc/sys', profiles: '/etc/apparmor.d' };
const SUID = 0o4000;
const RUNS_FOR_ALL = 0o111;

/** Returns why Chromium's sandbox can't be set up for this binary, as a part of a sentence; null if it can. */
export function sandboxProblem(binary: string, files: SystemFiles = SYSTEM_FILES): string | null {
  const helper = join(dirname(binary), 'chrome-sandbox');
  if (isRootsSuid(helper)) return null;
  const isRestricted =
    sysctl(files, 'kernel/apparmor_restrict_unprivileged_userns') === '1' && !hasProfile(binary, files.profiles);
  const isOff =
    sysctl(files, 'kernel/unprivileged_userns_clone') === '0' || sysctl(files, 'user/max_user_namespaces') === '0';
  if (!isRestricted && !isOff) return null;
  const how = `sudo chown root:root ${helper} && sudo chmod 4755 ${helper}`;
  return `this system restricts user namespaces, which Electron’s sandbox needs (to allow it: ${how})`;
}

function isRootsSuid(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.uid === 0 && (stats.mode & SUID) !== 0 && (stats.mode & RUNS_FOR_ALL) === RUNS_FOR_ALL;
}

function sysctl(files: SystemFiles, name: string): string | null {
  try {
    return readFileSync(join(files.sysctl, name), 'utf8').trim();
  } catch {
    // A kernel without this setting restricts nothing.
    return null;
  }
}

/**
 * Returns whether a profile allows exactly this binary to use user namespaces. A profile that names it by a pattern is
 * not found.
 */
function hasProfile(binary: string, folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    if (!entry.isFile()) return false;
    try {
      const text = readFileSync(join(folder, entry.name), 'utf8');
      return text.includes(binary) && /\buserns\b/.test(text);
    } catch {
      return false;
    }
  });
}

import { tmpdir } from 'node:os';
import { posix, sep, win32 } from 'node:path';
import Database from 'better-sqlite3';
import 'sodium-native';

/**
 * Makes the main bundle believe that it runs on another system. The native modules choose their binary by the system,
 * so they are loaded first. Worker threads have the real system, and paths stay those of this machine.
 */
export function playSystem(system: string): void {
  new Database(':memory:').close();
  // The folder of temporary files: Windows reads these variables.
  process.env.TEMP ??= tmpdir();
  if (sep === posix.sep) Object.assign(win32, { join: posix.join });
  Object.defineProperty(process, 'platform', {
    ...Object.getOwnPropertyDescriptor(process, 'platform'),
    value: system,
  });
}

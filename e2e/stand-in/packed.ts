import { sep } from 'node:path';

/** An archive, and the folder beside it with what the system has to load itself. */
const ARCHIVE = `${sep}app.asar${sep}`;
const UNPACKED = `${sep}app.asar.unpacked${sep}`;

/**
 * Loads native modules from the folder beside the archive, as Electron does: what lies in the archive can't be loaded by
 * the system. `folder` holds the resources of the packed app.
 */
export function loadUnpacked(folder: string): void {
  const { dlopen } = process;
  process.dlopen = (module: object, path: string, ...flags: never[]) => {
    if (!path.startsWith(folder) || !path.includes(ARCHIVE)) throw new Error(`not of the packed app: ${path}`);
    return dlopen.call(process, module, path.replace(ARCHIVE, UNPACKED), ...flags);
  };
}

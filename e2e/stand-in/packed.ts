import { sep } from 'node:path';

/** An archive, and the folder next to it with the files that the system loads itself. */
const ARCHIVE = `${sep}app.asar${sep}`;
const UNPACKED = `${sep}app.asar.unpacked${sep}`;

/**
 * Loads native modules from the folder next to the archive, as Electron does, because the system can't load files in
 * the archive. `folder` has the resources of the packed app.
 */
export function loadUnpacked(folder: string): void {
  const { dlopen } = process;
  process.dlopen = (module: object, path: string, ...flags: never[]) => {
    if (!path.startsWith(folder) || !path.includes(ARCHIVE)) throw new Error(`not of the packed app: ${path}`);
    return dlopen.call(process, module, path.replace(ARCHIVE, UNPACKED), ...flags);
  };
}

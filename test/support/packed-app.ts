import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import asar from '@electron/asar';
import { fakeDistribution } from './electron-dist.ts';
import { isolatedHome } from './isolated-home.ts';

// electron-builder packs the real build with the real configuration. The Electron binary is not available everywhere,
// so a file replaces it that has the part in which the fuses are set: Electron's sentinel, the version and length of
// the fuse wire, and the default fuses.

const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const AS_THEY_COME = '101100010';

/**
 * Packs the app into a folder with the script of `npm run package`. Returns the folder of the unpacked app. Throws with
 * the script's output.
 */
export function packApp(root: string, ...args: readonly string[]): string {
  const wire = [Buffer.from(SENTINEL), Buffer.from([1, AS_THEY_COME.length]), Buffer.from(AS_THEY_COME)];
  const binary = fakeDistribution(join(root, 'electron'), Buffer.concat(wire));
  const out = join(root, 'out');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/package.ts', '--dir', `-c.directories.output=${out}`, ...args],
    { encoding: 'utf8', env: { ...process.env, ...isolatedHome(root), ELECTRON_PATH: binary } },
  );
  if (status !== 0) throw new Error(`the app was not packed: ${stdout}${stderr}`);
  return join(out, process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked');
}

/**
 * Unpacks the archive of a packed app into a folder, because Node reads no archive. The native modules, which the
 * system must load from files next to the archive, are only empty files in it. Returns the entry.
 */
export function layOutPacked(resources: string, to: string): string {
  const folder = join(to, 'app.asar');
  asar.extractAll(join(resources, 'app.asar'), folder);
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.node')) writeFileSync(join(folder, path), '');
  }
  return join(folder, 'out', 'main', 'index.js');
}

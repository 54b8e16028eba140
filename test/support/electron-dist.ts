import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Creates a folder that looks like a distribution of Electron for Linux, with `binary` as its binary. Returns the
 * binary's path.
 */
export function fakeDistribution(folder: string, binary: string | Buffer): string {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'icudtl.dat', 'version']) {
    writeFileSync(join(folder, name), '45.4.1');
  }
  const path = join(folder, 'electron');
  writeFileSync(path, binary, { mode: 0o755 });
  return path;
}

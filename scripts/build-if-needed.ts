import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt } from './is-built.ts';
import { writeEnglishTypes } from './texts.ts';

// Builds out/ if it is older than its sources, or always with --force.

// The types are part of src: written now, they can't make the build look out of date later.
writeEnglishTypes();

if (process.argv.includes('--force') || !isBuilt()) {
  const cli = join('node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const { status } = spawnSync(process.execPath, [cli, 'build', '--logLevel', 'warn'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

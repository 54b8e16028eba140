import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeEnglishTypes } from './texts.ts';

// Builds out/ if it is older than its sources, or always with --force.

const SOURCES = [
  'src',
  'resources/icon.svg',
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
  'scripts/compress-page.ts',
];
const NEWEST_OUTPUT = 'out/renderer/index.html';

function newest(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

// The types are part of src: written now, they can't make the build look out of date later.
writeEnglishTypes();

const builtAt = statSync(NEWEST_OUTPUT, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
if (process.argv.includes('--force') || SOURCES.some((source) => newest(source) > builtAt)) {
  const cli = join('node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const { status } = spawnSync(process.execPath, [cli, 'build', '--logLevel', 'warn'], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

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

/** Returns whether out/ has a build of the present sources. Paths are relative to the working directory. */
export function isBuilt(): boolean {
  const builtAt = statSync(NEWEST_OUTPUT, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
  return SOURCES.every((source) => newest(source) <= builtAt);
}

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { findElectron } from './find-electron.ts';

// Makes packages of the desktop app by electron-builder.yml. `--dir` makes the unpacked app for this machine, from the
// Electron binary that is here; without it electron-builder fetches a binary for each system and architecture.

const args = process.argv.slice(2);
const isLocal = args.includes('--dir');
const electron = isLocal ? findElectron() : null;
if (isLocal && electron === null) {
  console.error(
    'package: there is no Electron binary here: run npx install-electron, or set ELECTRON_PATH or ELECTRON_OVERRIDE_DIST_PATH',
  );
  process.exit(1);
}

function run(script: string, ...given: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [script, ...given], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

run('scripts/build-if-needed.ts');
const dist = electron === null ? [] : [`-c.electronDist=${dirname(electron)}`];
run(join('node_modules', 'electron-builder', 'cli.js'), ...args, ...dist);

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { distributionOf, findElectron, NoElectronError } from './find-electron.ts';

// Creates packages of the desktop app with electron-builder.yml. `--dir` creates the unpacked app for this machine,
// with the Electron binary that is installed here; without it, electron-builder fetches a binary for each system and
// architecture.

// For other systems, it would pack the native modules of this one.
const FLAGS = {
  linux: ['linux', 'l'],
  darwin: ['mac', 'macos', 'm', 'o'],
  win32: ['win', 'windows', 'w'],
};

const args = process.argv.slice(2);
const foreign = Object.entries(FLAGS).flatMap(([platform, flags]) => (platform === process.platform ? [] : flags));
const refused = args.find((arg) => optionsIn(arg).some((option) => foreign.includes(option)));
if (refused !== undefined) {
  console.error(`package: the package of a system is made on that system: leave ${refused} out`);
  process.exit(1);
}
const distribution = args.includes('--dir') ? localDistribution() : null;

/**
 * Returns the options in an argument of the command line, as electron-builder reads it: `--win=nsis`, `-wl`,
 * `-c.win.icon=…`.
 */
function optionsIn(arg: string): readonly string[] {
  const [, dashes, names = ''] = /^(--?)([\w-]+)/.exec(arg) ?? [];
  return dashes === '-' ? [...names] : [names];
}

function localDistribution(): string {
  try {
    const electron = findElectron();
    const found = electron === null ? null : distributionOf(electron);
    if (found !== null) return found;
    console.error(
      'package: there is no Electron binary here: run npx install-electron, or set ELECTRON_PATH or ELECTRON_OVERRIDE_DIST_PATH',
    );
  } catch (error) {
    if (!(error instanceof NoElectronError)) throw error;
    console.error(`package: ${error.message}`);
  }
  process.exit(1);
}

function run(script: string, ...given: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [script, ...given], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

run('scripts/build-if-needed.ts');
run('scripts/sbom.ts', join('out', 'sbom.cdx.json'));
const dist = distribution === null ? [] : [`-c.electronDist=${distribution}`];
run(join('node_modules', 'electron-builder', 'cli.js'), ...args, ...dist);

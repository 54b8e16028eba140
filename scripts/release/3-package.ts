import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

// node scripts/release/3-package.ts: creates the packages of this system in dist/, and prints whether they are signed.
// Windows and macOS warn about unsigned programs; Linux has no such signature.

/** The secrets with which electron-builder signs, by system. It signs only if all of them are set. */
const SIGNING: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  win32: ['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'],
  darwin: ['CSC_LINK', 'CSC_KEY_PASSWORD', 'APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'],
};

const wanted = SIGNING[process.platform] ?? [];
const missing = wanted.filter((name) => !process.env[name]);
if (missing.length > 0 && missing.length < wanted.length) {
  console.error(`release: to sign, ${missing.join(' and ')} must be set too; unset ${wanted.join(', ')} to go without`);
  process.exit(1);
}
rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync(process.execPath, ['scripts/package.ts'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
if (wanted.length > 0) console.log(`release: the packages are ${missing.length === 0 ? '' : 'not '}signed`);

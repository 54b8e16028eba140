import { spawnSync } from 'node:child_process';
import { chooseLaunch, launchEnvironment, sayWhy, showHelp } from './launch.ts';

// Opens Wellhouse: builds if needed, then starts the desktop app, or only the node if no window can be opened.

if (showHelp(process.argv.slice(2))) process.exit();

const build = spawnSync(process.execPath, ['scripts/build-if-needed.ts'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(build.status ?? 1);

const launch = await chooseLaunch(process.argv.slice(2));
sayWhy(launch);
const { command, args } = launch;
// Replaces this process, so that signals and the exit code are the app's own.
if (process.platform !== 'win32' && process.execve !== undefined) {
  process.execve(command, [command, ...args], launchEnvironment());
}
process.exitCode = spawnSync(command, args, { stdio: 'inherit', env: launchEnvironment() }).status ?? 1;

import { spawnSync } from 'node:child_process';
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// Says in one sentence what this machine lacks to run Wellhouse from a clone. Written in plain JavaScript of 2019 and
// without packages, because it must run where `npm ci` would fail.

const NODE = 24;
/** Older versions can't run npm 11, which installs the project's own Node. */
const OLDEST_NODE = [20, 17];
const OLDEST_GLIBC = [2, 34];
/** The systems for which package.json includes Node. */
const WITH_NODE = ['linux-x64', 'linux-arm64', 'win32-x64'];
const SYSTEMS = ['linux', 'darwin', 'win32'];
const INSTALL = `install Node ${NODE} or newer for this system from https://nodejs.org/`;
/** `npm ci` and the build use up to 1 GB; a machine of that size reports a little less. */
const LEAST_MEMORY = 900e6;
const PACKAGE = 'the package wellhouse-node, which needs neither Node nor npm (docs/raspberry-pi.md)';

/**
 * Returns in one sentence why `npm ci` or `npm start` would fail here; null if nothing is known to be missing.
 *
 * @param {object} machine
 * @param {string} machine.platform The value of `process.platform`.
 * @param {string} machine.arch The value of `process.arch`.
 * @param {string} machine.node The version of the Node that runs, without the `v`.
 * @param {string | null} machine.npm The version of npm; null if it is unknown or no longer matters.
 * @param {number | null} machine.memory Bytes of memory; null if they no longer matter.
 * @param {string | null} machine.glibc The version of the C library; '' on Linux without glibc, null if it is unknown.
 * @returns {string | null}
 */
export function problemOf({ platform, arch, node, npm, memory, glibc }) {
  if (!SYSTEMS.includes(platform)) return `Wellhouse runs on Linux, macOS and Windows; this system is ${platform}.`;
  if (arch === 'arm' || arch === 'ia32' || arch === 'x32') {
    const system = 'install a 64-bit system (also where the kernel has 64 bits already), whose Node is one of 64 bits';
    const how = platform === 'linux' ? system : INSTALL;
    return `this Node is a program of 32 bits (${arch}), and Wellhouse needs 64: ${how}.`;
  }
  if (arch !== 'x64' && arch !== 'arm64') {
    return `Wellhouse runs on x64 and arm64 processors; this Node is made for ${arch}.`;
  }
  if (platform === 'linux' && glibc === '') {
    return 'Wellhouse needs a Linux with glibc, such as Debian, Ubuntu or Fedora; this one has another C library.';
  }
  if (platform === 'linux' && glibc !== null && isBelow(glibc, OLDEST_GLIBC)) {
    const such = 'such as Debian 12, Ubuntu 22.04 or Raspberry Pi OS 12';
    return `Wellhouse needs glibc ${OLDEST_GLIBC.join('.')} or newer, and this system has ${glibc}: use a newer release of it, ${such}.`;
  }
  if (memory !== null && memory < LEAST_MEMORY) {
    const megabytes = Math.round(memory / 1e6);
    const instead = platform === 'linux' ? `install ${PACKAGE}` : 'use a larger machine';
    return `npm ci and the build take up to 1 GB of memory, and this machine has ${megabytes} MB: ${instead}.`;
  }
  if (!isBelow(node, [NODE])) return null;
  const or = platform === 'linux' ? `, or ${PACKAGE}` : '';
  const bringsNode = npm !== null && WITH_NODE.includes(`${platform}-${arch}`);
  if (!bringsNode || isBelow(node, OLDEST_NODE)) {
    return `Wellhouse needs Node ${NODE} or newer here, and this is Node ${node}: ${INSTALL}${or}.`;
  }
  if (isBelow(npm, [11])) {
    return `npm ${npm} does not put the project's own Node ${NODE} in place of Node ${node}: ${INSTALL}${or}, or npm 11.`;
  }
  return null;
}

/**
 * Returns whether a version is older than these numbers.
 *
 * @param {string} version
 * @param {readonly number[]} numbers
 */
function isBelow(version, numbers) {
  const parts = version.split('.').map(Number);
  for (const [place, number] of numbers.entries()) {
    const part = parts[place] || 0;
    if (part !== number) return part < number;
  }
  return false;
}

/**
 * Returns the same for this machine. An installed project (`npm run`) must run on the Node that runs now; before that,
 * npm may still install one.
 *
 * @param {{ isInstalled: boolean }} state
 * @returns {string | null}
 */
export function problemHere({ isInstalled }) {
  const { platform, arch, versions } = process;
  const [npm, memory] = isInstalled ? [null, null] : [npmVersion(), totalmem()];
  return problemOf({ platform, arch, node: versions.node, npm, memory, glibc: glibcHere() });
}

/** @returns {string | null} */
function npmVersion() {
  // On Windows, npm is a batch file that only a shell runs.
  const { status, stdout } = spawnSync('npm --version', { shell: true, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** @returns {string | null} */
function glibcHere() {
  if (process.platform !== 'linux' || process.report === undefined) return null;
  // Otherwise the report would look up the names of open connections. Node's typings have neither property.
  Object.assign(process.report, { excludeNetwork: true });
  const { glibcVersionRuntime } = /** @type {any} */ (process.report.getReport()).header;
  return glibcVersionRuntime === undefined ? '' : glibcVersionRuntime;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const problem = problemHere({ isInstalled: process.argv.includes('--installed') });
  if (problem !== null) console.error(`wellhouse: ${problem}`);
  process.exitCode = problem === null ? 0 : 1;
}

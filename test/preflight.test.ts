import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemOf } from '../scripts/preflight.mjs';

const DEBIAN = { platform: 'linux', arch: 'x64', node: '20.20.2', npm: '11.19.1', memory: 1e9, glibc: '2.36' };
const MAC = { platform: 'darwin', arch: 'arm64', node: '24.21.0', npm: '11.19.1', memory: 1e9, glibc: null };
const WINDOWS = { platform: 'win32', arch: 'x64', node: '24.21.0', npm: '11.19.1', memory: 1e9, glibc: null };

describe('the check of the machine finds nothing missing', () => {
  it.each([
    ['where the project brings its own Node', DEBIAN],
    ['with Node 24', { ...DEBIAN, node: '24.0.0', npm: '10.9.0' }],
    ['with Node 24, once installed', { ...DEBIAN, node: '24.0.0', npm: null, memory: null }],
    ['with a newer Node', { ...DEBIAN, node: '30.1.0', npm: '14.0.0' }],
    ['on a 64-bit Raspberry Pi', { ...DEBIAN, arch: 'arm64' }],
    ['on a Mac', MAC],
    ['on a Mac with an Intel processor', { ...MAC, arch: 'x64' }],
    ['on Windows', WINDOWS],
    ['on Windows with Node 20 and npm 11', { ...WINDOWS, node: '20.17.0' }],
    ['on Windows for arm64', { ...WINDOWS, arch: 'arm64' }],
    ['where the C library is not known', { ...DEBIAN, glibc: null }],
  ])('%s', (_where, machine) => {
    expect(problemOf(machine)).toBeNull();
  });
});

describe('the check of the machine names the remedy in one sentence', () => {
  it.each([
    [
      'on a Mac with Node 20',
      { ...MAC, node: '20.20.2' },
      /Node 24 or newer here, and this is Node 20\.20\.2: install/,
    ],
    ['on Windows for arm64 with Node 22', { ...WINDOWS, arch: 'arm64', node: '22.20.0' }, /install Node 24/],
    ['with npm 10 and Node 20', { ...DEBIAN, npm: '10.9.0' }, /^npm 10\.9\.0 does not put .* or npm 11\.$/],
    [
      'on Raspberry Pi OS as it comes, with Node 18 and npm 9',
      { ...DEBIAN, arch: 'arm64', node: '18.19.0', npm: '9.2.0' },
      /install Node 24 .* or the package wellhouse-node/,
    ],
    ['with too little memory for npm', { ...DEBIAN, memory: 478e6 }, /has 478 MB: install the package wellhouse-node/],
    ['with too little memory for npm on a Mac', { ...MAC, memory: 478e6 }, /has 478 MB: use a larger machine/],
    ['with Node 20, once installed', { ...DEBIAN, npm: null }, /install Node 24/],
    ['where the Node is of 32 bits', { ...DEBIAN, arch: 'arm' }, /32 bits \(arm\).*64-bit system.*kernel/],
    ['where Windows’ Node is of 32 bits', { ...WINDOWS, arch: 'ia32' }, /32 bits \(ia32\).*nodejs\.org/],
    ['on another processor', { ...DEBIAN, arch: 'riscv64' }, /x64 and arm64 .* riscv64/],
    ['on another system', { ...DEBIAN, platform: 'freebsd' }, /Linux, macOS and Windows; this system is freebsd/],
    ['without glibc', { ...DEBIAN, glibc: '' }, /glibc/],
    ['with an old glibc', { ...DEBIAN, glibc: '2.31' }, /glibc 2\.34 or newer, and this system has 2\.31/],
  ])('%s', (_where, machine, sentence) => {
    const problem = problemOf(machine);
    expect(problem).toMatch(sentence);
    expect(problem).toMatch(/^[^\n]+\.$/);
  });
});

describe.each(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'])(
  'on %s',
  (system) => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, object> };
    const [platform, arch] = system.split('-') as [string, string];
    const vendor = { linux: '-gnu', darwin: '', win32: '-msvc' }[platform];

    it('the lockfile has the binary of each native tool for npm', () => {
      expect(Object.keys(packages)).toEqual(
        expect.arrayContaining([
          `node_modules/@biomejs/cli-${system}`,
          `node_modules/@typescript/typescript-${system}`,
          `node_modules/@rolldown/binding-${system}${vendor}`,
          `node_modules/lightningcss-${system}${vendor}`,
        ]),
      );
    });

    it('the native modules have their binary', () => {
      expect(existsSync(`node_modules/better-sqlite3/prebuilds/${system}.node`)).toBe(true);
      expect(existsSync(`node_modules/sodium-native/prebuilds/${platform}-${arch}/sodium-native.node`)).toBe(true);
    });
  },
);

it('finds nothing missing here', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/preflight.mjs', '--installed'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

// Node 12 reads modules, but none of these.
it.each(['scripts/preflight.mjs', 'scripts/run.mjs'])('%s can be read by old versions of Node', (file) => {
  const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  expect(code).not.toMatch(
    /\?\?|\?\.[a-z[(]|\|\|=|&&=|^\s*await |#[a-z]|\.at\(|replaceAll|Object\.hasOwn|import\.meta\.(dirname|filename|main)/m,
  );
  expect(code).not.toMatch(/from '(?!node:|\.\/)/);
});

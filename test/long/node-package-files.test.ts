import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { debianVersion } from '../../scripts/node-package/deb.ts';
import { PLACES, settingsFile, template, unitFor } from '../../scripts/node-package/files.ts';
import { isKept } from '../../scripts/node-package/modules.ts';
import { valuesOf } from '../../scripts/node-package/stage.ts';
import { GLIBC_MINOR, TARGETS } from '../../scripts/node-package/target.ts';
import { problemOf } from '../../scripts/preflight.mjs';
import { SETTINGS, type SettingsTable } from '../../src/shared/settings/table.ts';

const [arm64, x64] = TARGETS as [(typeof TARGETS)[0], (typeof TARGETS)[0]];

describe('the settings of a package', () => {
  const file = settingsFile();

  it('are every setting of a node, commented, with its default', () => {
    const table: SettingsTable = SETTINGS;
    const wanted = Object.values(table).filter(({ scope, variable }) => scope === 'node' && variable !== null);
    expect(wanted.length).toBeGreaterThan(15);
    const lines = file.split('\n');
    for (const { variable, isSecret, default: value } of wanted) {
      const [line, ...more] = lines.filter((each) => each.startsWith(`#${variable}=`));
      expect(more).toEqual([]);
      if (isSecret === true) expect(line).toBe(`#${variable}=`);
      else
        expect(line!.slice(line!.indexOf('=') + 1)).toBe(Array.isArray(value) ? value.join(',') : String(value ?? ''));
    }
  });

  it('say nothing until somebody takes a # away, and are read by Node as by systemd then', () => {
    expect(parseEnv(file)).toEqual({});
    expect(parseEnv(file.replace('#GATE_PORT=', 'GATE_PORT='))).toEqual({ GATE_PORT: '8080' });
  });
});

describe('the unit of a package', () => {
  const before = readFileSync('resources/wellhouse.service', 'utf8').split('\n');

  it.each(['deb', 'tar'] as const)('is that of a clone except its paths and the page (%s)', (kind) => {
    const place = PLACES[kind];
    const directives = (lines: readonly string[]) => lines.filter((line) => /^[A-Z[]/.test(line));
    const after = directives(unitFor(place).split('\n'));
    expect(after.length).toBe(directives(before).length);
    expect(after.filter((line) => !before.includes(line))).toEqual([
      `WorkingDirectory=${place.lib}`,
      `ExecStart=${place.lib}/bin/node out/main/headless.js --ui`,
      'EnvironmentFile=-/etc/default/wellhouse',
    ]);
    expect(unitFor(place)).not.toContain('/opt/');
  });
});

describe.skipIf(process.platform === 'win32').each(['deb', 'tar'] as const)('the scripts of the %s', (kind) => {
  const scripts = {
    deb: ['wellhouse.sh', 'rollback.sh', 'deb/preinst', 'deb/postinst', 'deb/prerm', 'deb/postrm'],
    tar: ['wellhouse.sh', 'rollback.sh', 'tar-install.sh', 'tar-install-files.sh'],
  }[kind];

  it.each(scripts)('%s is one that a shell reads, whole', (name) => {
    const text = template(name, valuesOf({ version: '1.2.3', target: arm64, place: PLACES[kind] }));
    expect(text).toMatch(/^#!\/bin\/sh\n/);
    expect(text).not.toMatch(/@[A-Za-z_]+@|@include/);
    expect(spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
});

it('uses every file of packaging/node', () => {
  const sources = ['node-package/deb.ts', 'node-package/files.ts', 'node-package/stage.ts', 'package-node.ts'].map(
    (name) => `scripts/${name}`,
  );
  const templates = readdirSync('packaging/node', { withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'Containerfile',
  );
  const named = [...sources, 'packaging/node/rollback.sh', 'packaging/node/deb/preinst']
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  for (const { name } of templates) expect(named).toContain(name.replace(/-(?:deb|tar)\.sh$/, '-'));
});

it('orders versions as Debian does', () => {
  expect(debianVersion('1.0.0')).toBe('1.0.0');
  expect(debianVersion('1.0.0-beta.1')).toBe('1.0.0~beta.1');
});

it('asks for the C library that a clone needs', () => {
  const machine = { platform: 'linux', arch: 'x64', node: '24.0.0', npm: null, memory: null };
  expect(problemOf({ ...machine, glibc: `2.${GLIBC_MINOR}` })).toBeNull();
  expect(problemOf({ ...machine, glibc: `2.${GLIBC_MINOR - 1}` })).toContain('glibc');
});

describe('of a module', () => {
  it.each([
    'node_modules/a',
    'node_modules/a/lib/index.js',
    'node_modules/a/LICENSE',
    'node_modules/a/dist/tests.js',
    'node_modules/@b/c/index.cjs',
    'node_modules/better-sqlite3/lib/database.js',
    'node_modules/better-sqlite3/prebuilds',
    'node_modules/better-sqlite3/prebuilds/linux-arm64.node',
    'node_modules/sodium-native/prebuilds/linux-arm64/sodium-native.node',
  ])('%s goes along', (path) => {
    expect(isKept(path, arm64)).toBe(true);
  });

  it.each([
    'node_modules/a/index.js.map',
    'node_modules/a/index.d.ts',
    'node_modules/a/index.d.cts',
    'node_modules/@b/c/README.md',
    'node_modules/@b/c/.github',
    'node_modules/a/test',
    'node_modules/better-sqlite3/deps',
    'node_modules/better-sqlite3/src/better_sqlite3.cpp',
    'node_modules/better-sqlite3/prebuilds/linux-x64.node',
    'node_modules/better-sqlite3/prebuilds/linuxmusl-arm64.node',
    'node_modules/sodium-native/prebuilds/android-arm64/sodium-native.node',
  ])('%s does not', (path) => {
    expect(isKept(path, arm64)).toBe(false);
  });

  it('binaries of the other processor do not', () => {
    expect(isKept('node_modules/better-sqlite3/prebuilds/linux-arm64.node', x64)).toBe(false);
  });
});

it.skipIf(process.platform !== 'linux').each([
  [['--arch', 'riscv64'], 'package:node: there is no package for riscv64: use arm64 or x64\n'],
  [['--arhc', 'x64'], "package:node: Unknown option '--arhc'; see --help\n"],
])('package:node %s is refused in one line', (args, said) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/package-node.ts', ...args], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, said]);
});

it('says in one line which program is missing to make packages', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/package-node.ts'], {
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^package:node: dpkg-deb, tar, xz missing: .*\n$/);
});

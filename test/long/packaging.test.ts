import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import asar from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isolatedHome } from '../support/isolated-home.ts';
import { packApp } from '../support/packed-app.ts';

const root = mkdtempSync(join(tmpdir(), 'wellhouse-packaging-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>;
}

/** The packages of a node_modules folder, by their place in the lockfile. */
function packagesIn(folder: Entry, prefix = 'node_modules/'): string[] {
  return Object.entries(folder.files ?? {}).flatMap(([name, entry]) => {
    if (name.startsWith('@')) return packagesIn(entry, `${prefix}${name}/`);
    const nested = entry.files?.node_modules;
    return [`${prefix}${name}`, ...(nested === undefined ? [] : packagesIn(nested, `${prefix}${name}/node_modules/`))];
  });
}

describe.skipIf(process.platform !== 'linux')('the packaged app', () => {
  let unpacked = '';

  beforeAll(() => {
    unpacked = packApp(root);
  }, 120_000);

  it('has its fuses flipped', async () => {
    const {
      version: _,
      resetAdHocDarwinSignature: __,
      ...wire
    } = await getCurrentFuseWire(join(unpacked, 'wellhouse'));
    const states = Object.fromEntries(
      Object.entries(wire).map(([index, state]) => [FuseV1Options[Number(index)], state === FuseState.ENABLE]),
    );
    expect(states).toMatchObject({
      RunAsNode: false,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      GrantFileProtocolExtraPrivileges: false,
      EnableCookieEncryption: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
    });
  });

  it('holds the build, its runtime dependencies, and nothing else', () => {
    const contents = asar.getRawHeader(join(unpacked, 'resources', 'app.asar')).header as Entry;
    expect(Object.keys(contents.files!).sort()).toEqual([
      'LICENSE',
      'node_modules',
      'out',
      'package.json',
      'resources',
    ]);
    const resources = contents.files!.resources!.files!;
    expect(Object.keys(resources.icons!.files!)).toEqual(['256x256.png']);
    expect(Object.keys(resources.tray!.files!).sort()).toEqual([
      'tray.png',
      'tray@2x.png',
      'trayAlert.png',
      'trayAlert@2x.png',
      'trayAlertTemplate.png',
      'trayAlertTemplate@2x.png',
      'trayTemplate.png',
      'trayTemplate@2x.png',
    ]);
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { dev?: boolean; optional?: boolean }>;
    };
    const name = (place: string) => place.replace(/^.*node_modules\//, '');
    // electron-builder puts a package in another place than npm; what npm installs without --omit=dev alone has `dev`.
    const runtime = new Set(
      Object.keys(packages)
        .filter((place) => packages[place]!.dev !== true)
        .map(name),
    );
    const packed = packagesIn(contents.files!.node_modules!).map(name);
    expect(packed).toContain('fastify');
    expect(packed.filter((each) => !runtime.has(each))).toEqual([]);
    expect(packed.filter((each) => /^(?:node-(?:linux|win)|electron$|vite|playwright)/.test(each))).toEqual([]);
  });

  it('has the native modules of this system alone, outside the archive, where the system can load them', () => {
    const modules = join(unpacked, 'resources', 'app.asar.unpacked', 'node_modules');
    const found = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.(?:node|bare)$/.test(path),
    );
    const architectures = ['arm64', 'x64'];
    expect(found.sort()).toEqual([
      ...architectures.map((arch) => join('better-sqlite3', 'prebuilds', `linux-${arch}.node`)),
      ...architectures.map((arch) => join('sodium-native', 'prebuilds', `linux-${arch}`, 'sodium-native.node')),
    ]);
    for (const path of found) expect(readFileSync(join(modules, path)).subarray(1, 4).toString()).toBe('ELF');
    const archive = asar.listPackage(join(unpacked, 'resources', 'app.asar'), { isPack: false });
    expect(archive.filter((path) => path.endsWith('.bare'))).toEqual([]);
  });

  it('is known to a desktop by the name of its entry', () => {
    const path = join(unpacked, 'resources', 'app.asar');
    const { desktopName } = JSON.parse(asar.extractFile(path, 'package.json').toString()) as { desktopName: string };
    expect(desktopName).toBe('wellhouse.desktop');
  });
});

// What electron-builder does for macOS needs a Mac: here only its configuration can be checked.
it('is signed again on macOS after its fuses were flipped', () => {
  const config = readFileSync('electron-builder.yml', 'utf8');
  expect(/^electronFuses:\n(?: {2}.*\n)*? {2}resetAdHocDarwinSignature: true$/m.test(config)).toBe(true);
});

/** The output and exit code of `npm run package -- --dir` when it must not get as far as packing. */
function refusedPackage(env: Readonly<Record<string, string>>, ...args: readonly string[]): string {
  const { ELECTRON_PATH: _, ...rest } = process.env;
  const { status, stderr } = spawnSync(process.execPath, ['scripts/package.ts', '--dir', ...args], {
    encoding: 'utf8',
    env: { ...rest, ...isolatedHome(root), ...env },
    timeout: 20_000,
  });
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  return stderr;
}

it('says in one line where there is no Electron binary to pack', () => {
  expect(refusedPackage({ ELECTRON_OVERRIDE_DIST_PATH: join(root, 'nothing') })).toContain(
    'which contains no Electron distribution',
  );
});

describe.skipIf(process.platform !== 'linux')('packs for this system alone', () => {
  it.each(['--win', '--win=nsis', '--windows=nsis', '--windows', '-w', '-wl', '-lw', '-w=nsis', '--mac=dmg', '-o'])(
    'not with %s',
    (flag) => {
      const { status, stderr } = spawnSync(process.execPath, ['scripts/package.ts', flag], { encoding: 'utf8' });
      const said = `package: the package of a system is made on that system: leave ${flag} out\n`;
      expect([status, stderr]).toEqual([1, said]);
    },
  );

  // What stops it is the missing binary: these options are this system's own, or of no system.
  it.each(['-l', '--linux=deb', '--linux', '-c.win.icon=x', '--config.mac.icon=x', '--x64'])('with %s', (flag) => {
    expect(refusedPackage({ ELECTRON_PATH: '/nowhere' }, flag)).toContain('ELECTRON_PATH names /nowhere');
  });
});

// Which name a package gets shows where electron-builder makes one, for which it fetches its own tools.
it('gives packages names that a release page keeps', () => {
  const [, pattern = ''] = /^artifactName: (.*)$/m.exec(readFileSync('electron-builder.yml', 'utf8')) ?? [];
  expect(pattern).toMatch(/^[\w.${}-]+$/);
  for (const macro of ['version', 'os', 'arch', 'ext']) expect(pattern).toContain(`\${${macro}}`);
});

// electron-builder copies the whole folder that it is given.
it('packs no folder that is not a distribution of Electron', () => {
  const folder = join(root, 'no-distribution');
  mkdirSync(folder);
  writeFileSync(join(folder, 'electron'), '', { mode: 0o755 });
  for (const path of [folder, join(folder, 'electron'), join(folder, 'nothing')]) {
    expect(refusedPackage({ ELECTRON_PATH: path })).toContain(`ELECTRON_PATH names ${path}, which is not`);
  }
});

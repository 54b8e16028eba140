import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeDistribution } from './support/electron-dist.ts';

// electron-builder packs the real build by the real configuration. In place of the Electron binary, which can't be had
// everywhere, it gets a file that holds what the fuses are flipped in: Electron's sentinel, the wire's version and length,
// and the fuses as they come.

const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const AS_THEY_COME = '101100010';

const root = mkdtempSync(join(tmpdir(), 'wellhouse-packaging-'));
const out = join(root, 'out');
const dist = join(root, 'electron');
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>;
}

/** The files of an asar: a header of JSON after four sizes. */
function contentsOf(path: string): Entry {
  const file = openSync(path, 'r');
  const sizes = Buffer.alloc(16);
  readSync(file, sizes, 0, 16, 0);
  const header = Buffer.alloc(sizes.readUInt32LE(12));
  readSync(file, header, 0, header.length, 16);
  closeSync(file);
  return JSON.parse(header.toString()) as Entry;
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
  const unpacked = join(out, process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked');

  beforeAll(() => {
    const wire = Buffer.concat([
      Buffer.from(SENTINEL),
      Buffer.from([1, AS_THEY_COME.length]),
      Buffer.from(AS_THEY_COME),
    ]);
    const binary = fakeDistribution(dist, wire);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['scripts/package.ts', '--dir', `-c.directories.output=${out}`],
      { encoding: 'utf8', env: { ...process.env, ELECTRON_PATH: binary } },
    );
    expect(status, stdout + stderr).toBe(0);
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
      EnableCookieEncryption: true,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
    });
  });

  it('holds the build, its runtime dependencies, and nothing else', () => {
    const contents = contentsOf(join(unpacked, 'resources', 'app.asar'));
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

  it('leaves native modules outside the archive, where the system can load them', () => {
    const asar = join(unpacked, 'resources', 'app.asar.unpacked', 'node_modules');
    const binary = join(asar, 'better-sqlite3', 'prebuilds', `linux-${process.arch}.node`);
    expect(readFileSync(binary).subarray(1, 4).toString()).toBe('ELF');
  });
});

// What electron-builder does for macOS needs a Mac: here no more than what it is told can be seen.
it('is signed anew on macOS after its fuses were flipped', () => {
  const config = readFileSync('electron-builder.yml', 'utf8');
  expect(/^electronFuses:\n(?: {2}.*\n)*? {2}resetAdHocDarwinSignature: true$/m.test(config)).toBe(true);
});

/** What `npm run package -- --dir` says and ends with where it must not get as far as packing. */
function refusedPackage(env: Readonly<Record<string, string>>): string {
  const { ELECTRON_PATH: _, ...rest } = process.env;
  const { status, stderr } = spawnSync(process.execPath, ['scripts/package.ts', '--dir'], {
    encoding: 'utf8',
    env: { ...rest, ...env },
    timeout: 20_000,
  });
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  return stderr;
}

it('says in one line where there is no Electron binary to pack', () => {
  expect(refusedPackage({ ELECTRON_OVERRIDE_DIST_PATH: join(root, 'nothing') })).toContain('no Electron binary');
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

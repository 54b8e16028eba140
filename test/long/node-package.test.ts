import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packDeb } from '../../scripts/node-package/deb.ts';
import { sbomOf } from '../../scripts/node-package/sbom.ts';
import { isolatedHome } from '../support/isolated-home.ts';
import { HAS_DPKG, nextPackage, ScratchRoot, stageHere, TARGET } from '../support/node-package.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

// The package of this machine's processor, made of the modules that are installed here: what `npm ci` for another one does
// differently is npm's affair.

const folder = temporaryFolder();
const staged = join(folder, 'staged');
const lib = join(staged, 'usr/lib/wellhouse');
const file = join(folder, 'wellhouse-node.deb');
afterAll(() => removeFolder(folder));
beforeAll(() => {
  if (!HAS_DPKG) return;
  stageHere(staged);
  packDeb(staged, file, 'none');
}, 180_000);

describe.skipIf(!HAS_DPKG)('the Debian package of the node', () => {
  it('belongs to root, with modes that let all read and root write', () => {
    const { stdout } = spawnSync('dpkg-deb', ['--contents', file], { encoding: 'utf8', maxBuffer: 2 ** 26 });
    const lines = stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(500);
    expect(lines.filter((line) => !/^(?:drwxr-xr-x|-rw-r--r--|-rwxr-xr-x) root\/root /.test(line))).toEqual([]);
    const programs = lines.filter((line) => line.startsWith('-rwx')).map((line) => line.replace(/^.* \.\//, ''));
    expect(programs.sort()).toEqual(['usr/bin/wellhouse', 'usr/lib/wellhouse/bin/node', 'usr/lib/wellhouse/rollback']);
  });

  it('holds what runs, and nothing of the desktop, of development or of other systems', () => {
    const files = readdirSync(lib, { recursive: true, encoding: 'utf8' });
    const packages = files.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^@/]+)$/.exec(path)?.[1] ?? []);
    expect(packages).toEqual(expect.arrayContaining(['fastify', 'better-sqlite3', 'sodium-native', 'nodemailer']));
    const strange =
      /^(?:electron|dbus-native|typescript|vite|react|playwright|node-(?:linux|win)|@(?:types|typescript|mantine|biomejs))/;
    expect(packages.filter((name) => strange.test(name))).toEqual([]);
    expect(files.filter((path) => /\.(?:map|ts|cts|mts|md)$/.test(path))).toEqual([]);
    expect(files.filter((path) => path.endsWith('.node')).sort()).toEqual([
      `node_modules/better-sqlite3/prebuilds/linux-${TARGET.npm}.node`,
      `node_modules/sodium-native/prebuilds/linux-${TARGET.npm}/sodium-native.node`,
    ]);
    expect(readFileSync(join(lib, 'sbom.cdx.json'), 'utf8')).toBe(sbomOf('.'));
    const main = readdirSync(join(lib, 'out/main'));
    expect(main).toEqual(expect.arrayContaining(['headless.js', 'wellhouse.js', 'writer-worker.js', 'care-worker.js']));
    expect(main).not.toContain('index.js');
    expect(existsSync(join(lib, 'out/preload'))).toBe(false);
  });

  it('names its settings as a conffile, and checks all else by its sum', () => {
    expect(readFileSync(join(staged, 'DEBIAN/conffiles'), 'utf8')).toBe('/etc/default/wellhouse\n');
    const sums = spawnSync('md5sum', ['--check', '--quiet', 'DEBIAN/md5sums'], { cwd: staged, encoding: 'utf8' });
    expect([sums.status, sums.stdout]).toEqual([0, '']);
  });

  it('starts a node by itself, whose view is there, with a command line that knows it', async () => {
    const data = join(folder, 'data');
    const env = { ...isolatedHome(folder), DATA_DIR: data, PUBLIC_PORT: '0', LOCAL_PORT: '0' };
    const node = spawn(join(lib, 'bin/node'), ['out/main/headless.js', '--ui'], { cwd: lib, env });
    let said = '';
    node.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    node.stderr.resume();
    const ended = new Promise((resolve) => node.on('close', resolve));
    const wellhouse = (...args: readonly string[]) => {
      const done = spawnSync(join(lib, 'bin/node'), [join(lib, 'out/main/wellhouse.js'), ...args], {
        env,
        encoding: 'utf8',
      });
      return { code: done.status, said: done.stdout + done.stderr };
    };
    try {
      await expect.poll(() => said, { timeout: 60_000 }).toContain('node started');
      const { link } = JSON.parse(wellhouse('link').said) as { link: string };
      const page = await fetch(link);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
      const port = new URL(link).port;
      const over = JSON.parse(wellhouse('link', '--ssh', '--port', '14000').said) as { ssh: string; link: string };
      expect(over.ssh).toMatch(new RegExp(`^ssh -N -L 14000:127\\.0\\.0\\.1:${port} \\S+@\\S+$`));
      expect(over.link).toBe(link.replace(`:${port}/`, ':14000/'));
      expect(wellhouse('link', '--ssh', '--port', '70000')).toEqual({
        code: 2,
        said: 'wellhouse: 70000 is not a port: use a number from 1 to 65535\n',
      });
      expect(JSON.parse(wellhouse('status').said)).toMatchObject({ running: true, devices: 0 });
    } finally {
      node.kill('SIGTERM');
      await ended;
    }
  }, 180_000);
});

describe.skipIf(!HAS_DPKG)('installed in a scratch root, the package', () => {
  const root = new ScratchRoot(join(folder, 'root'));
  const data = root.at('var/lib/wellhouse');
  const settings = root.at('etc/default/wellhouse');
  const installed = () => root.run('dpkg', '--status', 'wellhouse-node').said.match(/^(?:Status|Version): .*$/gm);
  const version = () => readFileSync(root.at('usr/lib/wellhouse/version'), 'utf8').trim();
  const rollback = (...args: string[]) => root.run(root.at('usr/lib/wellhouse/rollback'), ...args);
  const backups = () => readdirSync(join(data, 'before-migration'));
  beforeAll(() => {
    // The Node that runs the tests instead of the package's own 120 MB, which would be written ten times.
    writeFileSync(join(lib, 'bin/node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    packDeb(staged, file, 'none');
  });

  it('is there whole, with its user, its service and a folder for its data', () => {
    expect(root.run('dpkg', '--install', file)).toMatchObject({ code: 0 });
    expect(installed()).toEqual(['Status: install ok installed', 'Version: 1.0.0']);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(root.calls()).toEqual(
      expect.arrayContaining([
        `systemd-sysusers --root=${root.path} wellhouse-node.conf`,
        'deb-systemd-helper --quiet was-enabled wellhouse.service',
        'deb-systemd-helper enable wellhouse.service',
      ]),
    );
    // Nothing of this machine's own systemd.
    expect(root.calls().filter((call) => /^(?:systemctl|deb-systemd-invoke) /.test(call))).toEqual([]);
  }, 180_000);

  it('refuses to go back where there is nothing to go back to', () => {
    const said = `wellhouse: there is no previous version in ${root.at('var/cache/wellhouse')}\n`;
    expect(rollback()).toEqual({ code: 1, said });
  });

  it('keeps the owner’s settings and the version before when it is updated', () => {
    writeFileSync(settings, 'GATE_PORT=8081\n');
    const next = nextPackage(staged, folder, '1.1.0', 0);
    const updated = root.run('dpkg', '--install', next);
    expect(updated).toMatchObject({ code: 0, said: expect.not.stringContaining('wellhouse:') });
    expect(version()).toBe('1.1.0');
    expect(readFileSync(settings, 'utf8')).toBe('GATE_PORT=8081\n');
    expect(existsSync(join(data, 'before-migration'))).toBe(false);
  }, 180_000);

  it('goes back to it, and forward again', () => {
    expect(rollback()).toMatchObject({ code: 0, said: expect.stringContaining('version 1.0.0 is installed') });
    expect(installed()).toEqual(['Status: install ok installed', 'Version: 1.0.0']);
    expect(readFileSync(settings, 'utf8')).toBe('GATE_PORT=8081\n');
    expect(root.run('dpkg', '--verify', 'wellhouse-node').said).toMatch(/^..5......? c \/etc\/default\/wellhouse\n$/);
    expect(rollback()).toMatchObject({ code: 0, said: expect.stringContaining('version 1.1.0 is installed') });
  }, 180_000);

  it('backs up before stores change, and brings the backup back with the version', () => {
    makeData(data);
    const identity = readFileSync(join(data, 'identity.mnemonic'), 'utf8');
    const next = nextPackage(staged, folder, '1.2.0', 1);
    expect(root.run('dpkg', '--install', next)).toMatchObject({
      code: 0,
      said: expect.stringContaining('this version upgrades the stores: making a backup first'),
    });
    expect(backups()).toEqual([expect.stringMatching(/^wellhouse-.*-before-migration\.tar\.zst$/)]);
    const asked = rollback();
    expect(asked).toMatchObject({ code: 1, said: expect.stringContaining('wellhouse rollback --yes') });
    expect(version()).toBe('1.2.0');
    writeFileSync(join(data, 'alerts.json'), 'what came later');
    expect(rollback('--yes')).toMatchObject({ code: 0, said: expect.stringContaining('version 1.1.0 is installed') });
    expect(readFileSync(join(data, 'alerts.json'), 'utf8')).not.toBe('what came later');
    expect(readFileSync(join(data, 'identity.mnemonic'), 'utf8')).toBe(identity);
    const aside = readdirSync(data).find((name) => name.startsWith('before-restore-'))!;
    expect(readFileSync(join(data, aside, 'alerts.json'), 'utf8')).toBe('what came later');
  }, 240_000);

  it('is not updated where the backup can’t be made', () => {
    const phrase = join(data, 'identity.mnemonic');
    const kept = readFileSync(phrase);
    writeFileSync(phrase, 'no phrase');
    const next = join(folder, '1.2.0.deb');
    const refused = root.run('dpkg', '--install', next);
    expect(refused.code).not.toBe(0);
    expect(refused.said).toContain('identity.mnemonic contains no phrase');
    expect(refused.said).toContain('nothing was upgraded');
    expect(installed()).toEqual(['Status: install ok installed', 'Version: 1.1.0']);
    writeFileSync(phrase, kept);
  }, 180_000);

  it('leaves the data when it is removed and purged, unless it is asked to take it', () => {
    expect(root.run('dpkg', '--remove', 'wellhouse-node')).toMatchObject({ code: 0 });
    expect(existsSync(root.at('usr/lib/wellhouse'))).toBe(false);
    expect(existsSync(settings)).toBe(true);
    const purged = root.run('dpkg', '--purge', 'wellhouse-node');
    expect(purged).toMatchObject({ code: 0, said: expect.stringContaining(`the data stays in ${data}`) });
    expect([existsSync(settings), existsSync(root.at('var/cache/wellhouse'))]).toEqual([false, false]);
    expect(existsSync(join(data, 'private.db'))).toBe(true);
    root.run('dpkg', '--install', file);
    writeFileSync(join(data, 'purge-data'), '');
    expect(root.run('dpkg', '--purge', 'wellhouse-node')).toMatchObject({ code: 0 });
    expect(existsSync(data)).toBe(false);
  }, 180_000);
});

/** A node's data, as a first start leaves it. */
function makeData(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true });
  const env = { ...isolatedHome(folder), DATA_DIR: dataDir, PUBLIC_PORT: '0', LOCAL_PORT: '0', LOG_LEVEL: 'info' };
  const script = `
    import { spawn } from 'node:child_process';
    const node = spawn(process.execPath, ['out/main/headless.js']);
    node.stdout.on('data', (text) => { if (String(text).includes('node started')) node.kill('SIGTERM'); });
    node.on('close', (code) => { process.exitCode = code; });`;
  const done = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: lib, env });
  expect(done.status).toBe(0);
}

import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { distributionOf, findElectron, hasDisplay, NoElectronError } from '../scripts/find-electron.ts';
import { chooseLaunch, type Machine } from '../scripts/launch.ts';
import { fakeDistribution } from './support/electron-dist.ts';
import { desktopFolderIn, isolatedHome } from './support/isolated-home.ts';
import { removeFolder, temporaryFolder } from './support/node-process.ts';

let home: string;
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => removeFolder(home));

/** Runs `npm start`'s script until it says `until`, then ends it; resolves with all that it said. */
async function start(
  env: Record<string, string>,
  until: RegExp,
  args: readonly string[] = [],
): Promise<{ output: string; code: number | null }> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['scripts/start.ts', ...args], {
    env: { PATH, ...isolatedHome(home), LOCAL_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const look = (text: string) => {
    output += text;
    if (until.test(output)) child.kill('SIGTERM');
  };
  child.stdout.setEncoding('utf8').on('data', look);
  child.stderr.setEncoding('utf8').on('data', look);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { output, code };
}

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  it('without a display says so in one line and runs the node with the desktop’s defaults and a link', async () => {
    const { output, code } = await start({}, /#token=/);
    expect(output.split('\n')[0]).toBe(
      "wellhouse: no window, as there is no display; running the node with the owner's view in the browser instead",
    );
    expect(output).toMatch(/http:\/\/127\.0\.0\.1:\d+\/ui\/#token=[\w-]{20,}/);
    expect(output).toContain('"publicUrl":null');
    const data = join(desktopFolderIn(home), 'data');
    expect(existsSync(join(data, 'private.db'))).toBe(true);
    expect(existsSync(join(data, 'public.db'))).toBe(false);
    expect(code).toBe(0);
  });

  it('shows its help before anything else, with and without a display', async () => {
    for (const env of [{}, { DISPLAY: ':1', ELECTRON_PATH: '/nowhere' }]) {
      const { output, code } = await start(env, /never/, ['--help']);
      expect(output).toMatch(/^Opens Wellhouse: .*\n\nUsage: npm start \[/);
      expect(output).not.toContain('no window, as');
      expect(code).toBe(0);
    }
    expect(existsSync(desktopFolderIn(home))).toBe(false);
  });

  it.skipIf(process.getuid?.() === 0)('with a display and a binary starts that', async () => {
    const binary = fakeDistribution(join(home, 'dist'), '#!/bin/sh\necho "electron $@"\n');
    const { output } = await start({ DISPLAY: ':1', ELECTRON_PATH: binary }, /never/);
    expect(output).toBe('electron .\n');
  });
});

describe.skipIf(process.platform !== 'linux')('the Electron binary', () => {
  const refused = (ELECTRON_PATH: string) =>
    expect(() => findElectron({ ELECTRON_PATH })).toThrow(/^ELECTRON_PATH names/);

  it('is the one in ELECTRON_PATH, through links', () => {
    const binary = realpathSync(fakeDistribution(join(home, 'dist'), ''));
    expect(findElectron({ ELECTRON_PATH: binary })).toBe(binary);
    const link = join(home, 'electron');
    symlinkSync(binary, link);
    expect(findElectron({ ELECTRON_PATH: link })).toBe(binary);
    expect(distributionOf(findElectron({ ELECTRON_PATH: link })!)).toBe(realpathSync(join(home, 'dist')));
  });

  it('is not a folder, a missing file, or a program outside of a distribution', () => {
    fakeDistribution(join(home, 'dist'), '');
    for (const path of ['/nowhere/electron', '/', home, join(home, 'dist'), join(home, 'dist', 'resources')])
      refused(path);
    refused(join(home, 'dist', 'version'));
    refused(process.execPath);
    refused('/bin/sh');
  });

  it('has the name that each system gives it in the folder of ELECTRON_OVERRIDE_DIST_PATH', () => {
    const folder = join(home, 'dist');
    const own = { ELECTRON_OVERRIDE_DIST_PATH: folder };
    fakeDistribution(folder, '');
    expect(() => findElectron(own, 'win32')).toThrow(NoElectronError);
    writeFileSync(join(folder, 'electron.exe'), '', { mode: 0o755 });
    expect(findElectron(own, 'win32')).toBe(realpathSync(join(folder, 'electron.exe')));
    const contents = join(folder, 'Electron.app', 'Contents');
    mkdirSync(join(contents, 'Frameworks', 'Electron Framework.framework'), { recursive: true });
    mkdirSync(join(contents, 'MacOS'));
    expect(() => findElectron(own, 'darwin')).toThrow(NoElectronError);
    writeFileSync(join(contents, 'MacOS', 'Electron'), '', { mode: 0o755 });
    expect(findElectron(own, 'darwin')).toBe(realpathSync(join(contents, 'MacOS', 'Electron')));
  });

  it('is searched in the folder of ELECTRON_OVERRIDE_DIST_PATH', () => {
    const folder = join(home, 'dist');
    mkdirSync(folder);
    expect(() => findElectron({ ELECTRON_OVERRIDE_DIST_PATH: folder })).toThrow(NoElectronError);
    const binary = fakeDistribution(folder, '');
    expect(findElectron({ ELECTRON_OVERRIDE_DIST_PATH: folder })).toBe(realpathSync(binary));
  });
});

describe.skipIf(process.platform !== 'linux')('where a window can be', () => {
  /** A machine with these kernel settings and AppArmor profiles. */
  function machine(env: Machine['env'], sysctl: Record<string, string> = {}, profile = ''): Machine {
    const systemFiles = { sysctl: join(home, 'sys'), profiles: join(home, 'apparmor.d') };
    for (const folder of ['sys/kernel', 'sys/user', 'apparmor.d']) mkdirSync(join(home, folder), { recursive: true });
    for (const [name, value] of Object.entries(sysctl)) writeFileSync(join(home, 'sys', name), `${value}\n`);
    writeFileSync(join(home, 'apparmor.d', 'electron'), profile);
    return { env: { DISPLAY: ':1', ...env }, platform: 'linux', uid: 1000, systemFiles };
  }
  const headless = [process.execPath, [join('out', 'main', 'headless.js'), '--desktop']];
  const restricted = { 'kernel/apparmor_restrict_unprivileged_userns': '1' };

  it('the app starts in the existing binary', async () => {
    const binary = realpathSync(fakeDistribution(join(home, 'dist'), ''));
    const free = { 'kernel/apparmor_restrict_unprivileged_userns': '0', 'user/max_user_namespaces': '63000' };
    const launch = await chooseLaunch(['--hidden'], machine({ ELECTRON_PATH: binary }, free));
    expect(launch).toEqual({ command: binary, args: ['.', '--hidden'], why: null });
  });

  it('--browser starts only the node, and is not an option of it', async () => {
    const binary = fakeDistribution(join(home, 'dist'), '');
    const launch = await chooseLaunch(['--browser', '--new-ui-token'], machine({ ELECTRON_PATH: binary }));
    expect(launch).toEqual({
      command: process.execPath,
      args: [join('out', 'main', 'headless.js'), '--desktop', '--new-ui-token'],
      why: '--browser was given',
    });
  });

  it.each(['/nowhere/electron', '/tmp'])('an ELECTRON_PATH of %s starts only the node, with one line', async (path) => {
    const { command, args, why } = await chooseLaunch([], machine({ ELECTRON_PATH: path }));
    expect([command, args]).toEqual(headless);
    expect(why).toBe(`ELECTRON_PATH names ${path}, which is not the binary of an Electron distribution`);
  });

  it('an ELECTRON_OVERRIDE_DIST_PATH without Electron starts only the node, and downloads nothing', async () => {
    const asked: string[] = [];
    const mirror = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = mirror.address() as AddressInfo;
      const env = { ELECTRON_OVERRIDE_DIST_PATH: home, ELECTRON_MIRROR: `http://127.0.0.1:${port}/` };
      const { command, args, why } = await chooseLaunch([], machine({ ...isolatedHome(home), ...env }));
      expect([command, args]).toEqual(headless);
      expect(why).toBe(`ELECTRON_OVERRIDE_DIST_PATH names ${home}, which contains no Electron distribution`);
      expect(asked).toEqual([]);
    } finally {
      mirror.close();
    }
  });

  it.each([restricted, { 'kernel/unprivileged_userns_clone': '0' }, { 'user/max_user_namespaces': '0' }])(
    'a system with %o starts only the node, and prints how to allow the sandbox',
    async (sysctl) => {
      const binary = realpathSync(fakeDistribution(join(home, 'dist'), ''));
      const { command, args, why } = await chooseLaunch([], machine({ ELECTRON_PATH: binary }, sysctl));
      expect([command, args]).toEqual(headless);
      expect(why).toContain(`sudo chmod 4755 ${join(home, 'dist', 'chrome-sandbox')})`);
      expect(why).not.toContain('\n');
    },
  );

  it('a profile that names the binary, or the owner’s own --no-sandbox, opens the window', async () => {
    const binary = realpathSync(fakeDistribution(join(home, 'dist'), ''));
    const profile = `abi <abi/4.0>,\nprofile wellhouse ${binary} flags=(unconfined) {\n  userns,\n}\n`;
    expect((await chooseLaunch([], machine({ ELECTRON_PATH: binary }, restricted, profile))).why).toBeNull();
    const other = machine({ ELECTRON_PATH: binary }, restricted, profile.replace(binary, '/opt/other/electron'));
    expect((await chooseLaunch([], other)).why).not.toBeNull();
    expect((await chooseLaunch(['--no-sandbox'], other)).command).toBe(binary);
  });

  it.skipIf(process.getuid?.() !== 0)('a sandbox helper that is root’s and SUID opens the window', async () => {
    const binary = realpathSync(fakeDistribution(join(home, 'dist'), ''));
    const helper = join(home, 'dist', 'chrome-sandbox');
    writeFileSync(helper, '');
    const why = async () => (await chooseLaunch([], machine({ ELECTRON_PATH: binary }, restricted))).why;
    chmodSync(helper, 0o755);
    expect(await why()).not.toBeNull();
    chownSync(helper, 65_534, 65_534);
    chmodSync(helper, 0o4755);
    expect(await why()).not.toBeNull();
    chownSync(helper, 0, 0);
    chmodSync(helper, 0o4755);
    expect(await why()).toBeNull();
  });
});

it('recognises a session with windows', () => {
  expect(hasDisplay({}, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: ':0' }, 'linux')).toBe(true);
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
  expect(hasDisplay({}, 'darwin')).toBe(true);
});

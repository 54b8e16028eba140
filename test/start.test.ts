import { spawn } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findElectron, hasDisplay } from '../scripts/find-electron.ts';
import { removeFolder, temporaryFolder } from './support/node-process.ts';

let home: string;
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => removeFolder(home));

/** Runs `npm start`'s script until it says `until`, then ends it; resolves with all that it said. */
async function start(env: Record<string, string>, until: RegExp): Promise<{ output: string; code: number | null }> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    env: { PATH, HOME, XDG_CONFIG_HOME: home, LOCAL_PORT: '0', ...env },
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
    expect(existsSync(join(home, 'Wellhouse', 'data', 'private.db'))).toBe(true);
    expect(existsSync(join(home, 'Wellhouse', 'data', 'public.db'))).toBe(false);
    expect(code).toBe(0);
  });

  it.skipIf(process.getuid?.() === 0)('with a display and a binary starts that', async () => {
    const binary = join(home, 'electron');
    writeFileSync(binary, '#!/bin/sh\necho "electron $@"\n');
    chmodSync(binary, 0o755);
    const { output } = await start({ DISPLAY: ':1', ELECTRON_PATH: binary }, /never/);
    expect(output).toBe('electron .\n');
  });
});

describe('the Electron binary', () => {
  it('is the one that ELECTRON_PATH names, which must run', () => {
    expect(findElectron({ ELECTRON_PATH: process.execPath })).toBe(process.execPath);
    expect(() => findElectron({ ELECTRON_PATH: '/nowhere/electron' })).toThrow(/^ELECTRON_PATH names/);
  });

  it('is looked for in the folder of ELECTRON_OVERRIDE_DIST_PATH', () => {
    const binary = join(home, 'electron');
    expect(findElectron({ ELECTRON_OVERRIDE_DIST_PATH: home })).toBeNull();
    writeFileSync(binary, '');
    chmodSync(binary, 0o755);
    expect(findElectron({ ELECTRON_OVERRIDE_DIST_PATH: home })).toBe(binary);
  });
});

it('knows a session that shows windows', () => {
  expect(hasDisplay({}, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: ':0' }, 'linux')).toBe(true);
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
  expect(hasDisplay({}, 'darwin')).toBe(true);
});

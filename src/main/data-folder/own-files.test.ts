import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { desktopFolder } from './own-files.ts';

const EVERYTHING = { XDG_CONFIG_HOME: '/config', APPDATA: 'D:\\Profiles\\ana\\AppData\\Roaming' };

describe('desktopFolder', () => {
  it.each([
    ['linux', {}, '/home/ana', '/home/ana/.config/Wellhouse'],
    ['linux', EVERYTHING, '/home/ana', '/config/Wellhouse'],
    ['freebsd', {}, '/home/ana', '/home/ana/.config/Wellhouse'],
    ['darwin', {}, '/Users/ana', '/Users/ana/Library/Application Support/Wellhouse'],
    ['darwin', EVERYTHING, '/Users/ana', '/Users/ana/Library/Application Support/Wellhouse'],
    ['win32', {}, 'C:\\Users\\ana', 'C:\\Users\\ana\\AppData\\Roaming\\Wellhouse'],
    ['win32', { APPDATA: '' }, 'C:\\Users\\ana', 'C:\\Users\\ana\\AppData\\Roaming\\Wellhouse'],
    ['win32', EVERYTHING, 'C:\\Users\\ana', 'D:\\Profiles\\ana\\AppData\\Roaming\\Wellhouse'],
  ] as const)('on %s with %o', (platform, env, user, folder) => {
    expect(desktopFolder(env, platform, user)).toBe(folder);
  });

  it('ignores a relative XDG_CONFIG_HOME', () => {
    for (const XDG_CONFIG_HOME of ['', 'config', './config', '~/config'])
      expect(desktopFolder({ XDG_CONFIG_HOME }, 'linux', '/home/ana')).toBe('/home/ana/.config/Wellhouse');
  });

  it('is in the home of the user who runs the app', () => {
    expect(desktopFolder({ APPDATA: undefined }, process.platform).startsWith(join(homedir(), ''))).toBe(true);
  });
});

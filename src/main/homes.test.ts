import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { desktopFolder } from './homes.ts';

describe('desktopFolder', () => {
  const inHome = join(homedir(), '.config', 'Wellhouse');

  it('is in XDG_CONFIG_HOME, which a relative path does not name', () => {
    expect(desktopFolder({ XDG_CONFIG_HOME: '/config' }, 'linux')).toBe('/config/Wellhouse');
    for (const XDG_CONFIG_HOME of [undefined, '', 'config', './config', '~/config']) {
      expect(desktopFolder({ XDG_CONFIG_HOME }, 'linux')).toBe(inHome);
    }
  });
});

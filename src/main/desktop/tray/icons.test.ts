import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { iconsIn } from './icons.ts';

/** Returns width and height of a PNG in pixels. */
function sizeOf(path: string): number[] {
  const bytes = readFileSync(path);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

it.each([
  ['linux', 'tray.png', [256, 256]],
  ['darwin', 'trayTemplate.png', null],
  ['win32', 'tray.png', null],
] as const)('exist for %s, the tray’s for high-resolution screens too', (platform, name, windowSize) => {
  const { tray, window } = iconsIn('resources', platform);
  expect(tray).toBe(join('resources', 'tray', name));
  expect(sizeOf(tray)).toEqual([16, 16]);
  expect(sizeOf(join(dirname(tray), name.replace('.png', '@2x.png')))).toEqual([32, 32]);
  expect(window === null ? null : sizeOf(window)).toEqual(windowSize);
});

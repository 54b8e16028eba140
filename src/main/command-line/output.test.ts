import { expect, it } from 'vitest';
import { escapedJson, printable } from './output.ts';

const HOSTILE = 'a\u009b31m\u202eb\u{e0041}\u0007';

it('no control or format character reaches a terminal', () => {
  expect(printable(HOSTILE)).toBe('a\\u{9b}31m\\u{202e}b\\u{e0041}\\u{7}');
  const json = escapedJson(JSON.stringify({ name: HOSTILE }, null, 2));
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(json)).toEqual({ name: HOSTILE });
});

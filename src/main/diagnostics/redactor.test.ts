import { describe, expect, it } from 'vitest';
import { createPhrase } from '../../shared/crypto/phrase.ts';
import { Redactor } from './redactor.ts';

const redactor = () =>
  new Redactor({
    paths: [
      ['/srv/water/wellhouse', '<data folder>'],
      ['/home/ana', '~'],
    ],
    names: ['Tomato bed', 'Ana (garden)', 'x', 'well-pi'],
  });

describe('Redactor', () => {
  it.each([
    ['/home/ana/notes', '~/notes'],
    ['/srv/water/wellhouse/private.db is damaged', '<data folder>/private.db is damaged'],
    ['file:///home/bob/app/main.js:3', 'file://~/app/main.js:3'],
    ['/Users/carla/Library', '~/Library'],
    ['C:\\Users\\dora\\AppData', '~\\AppData'],
    ['the tomato bed is silent', 'the <name-1> is silent'],
    ['Ana (garden)', '<name-1>'],
    ['x', '<name-1>'],
    ['on well-pi now', 'on <name-1> now'],
    [`Device not found: ${'ab'.repeat(32)}`, 'Device not found: <id-1>'],
    ['mac aa:bb:cc:dd:ee:0f', 'mac <mac-1>'],
    ['AABBCCDDEE0F', '<id-1>'],
    ['cell 622485130170302463', 'cell <number-1>'],
    [`#token=${'aB3_'.repeat(11)}`, '#token=<secret-1>'],
    ['from 192.168.1.20 to 127.0.0.1', 'from <address-1> to 127.0.0.1'],
    ['at 2001:db8::7', 'at <address-1>'],
    ['http://0.0.0.0:3000', 'http://0.0.0.0:3000'],
  ])('%j becomes %j', (text, expected) => {
    expect(redactor().text(text)).toBe(expected);
  });

  it('takes out a phrase, wherever it stands', () => {
    const phrase = createPhrase();
    const text = redactor().text(`the phrase is ${phrase} and no more`);
    for (const run of [phrase, phrase.split(' ').slice(0, 4).join(' ')]) expect(text).not.toContain(run);
    expect(redactor().text(`"${phrase}"`)).not.toContain(phrase.split(' ').slice(2, 6).join(' '));
  });

  it('leaves what helps: messages, counts, times, versions, code', () => {
    const text =
      'port 3000 is taken; stop the program that uses it, or set PUBLIC_PORT to another port (1763673000123 ms, 24.21.0) ' +
      'at Store.append (src/main/store/store.ts:60:21) SQLITE_FULL EADDRINUSE 12:34:56';
    expect(redactor().text(text)).toBe(text);
  });

  it('gives the same thing the same stand-in, whatever its case', () => {
    const one = redactor();
    const [a, b] = ['ab'.repeat(32), 'cd'.repeat(32)];
    expect([one.text(a), one.text(b), one.text(a.toUpperCase())]).toEqual(['<id-1>', '<id-2>', '<id-1>']);
  });

  it('reads the lines of a log as JSON, so that escapes hide nothing', () => {
    const name = 'Beet "7"\u{1F955}';
    const one = new Redactor({ paths: [], names: [name] });
    const line = JSON.stringify({ level: 30, msg: `hello ${name}`, [name]: [name] }).replace('Beet', '\\u0042eet');
    expect(JSON.parse(one.lines(`${line}\nplain ${name}`).split('\n')[0]!)).toEqual({
      level: 30,
      msg: 'hello <name-1>',
      '<name-1>': ['<name-1>'],
    });
    expect(one.lines(`${line}\nplain ${name}`)).not.toContain('eet');
  });
});

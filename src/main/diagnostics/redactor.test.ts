import { describe, expect, it } from 'vitest';
import { createPhrase } from '../../shared/crypto/phrase/phrase.ts';
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
    ['proxy http://ana:s3cret@10.0.0.7:8080/x', 'proxy http://<login-1>@<address-1>:8080/x'],
    ['https://token@example.org/', 'https://<login-1>@example.org/'],
    ['write to ana.b+c@garden.example.org.', 'write to <mail-1>.'],
    ['/media/ana/My Disk/well/private.db is not writable', '<path-1> is not writable'],
    ['moved /mnt/old data/x to /run/media/ana/x, then on', 'moved <path-1> to <path-2>, then on'],
    ['{"dataDir":"/mnt/well"}', '{"dataDir":"<path-1>"}'],
    ["ENOENT: no such file, open '/var/tmp/well/identity'", "ENOENT: no such file, open '<path-1>'"],
    ['file:///mnt/well/out/main/index.js:3:7', 'file://<path-1>/out/main/index.js:3:7'],
    ['at run (/tmp/.mount_Well/resources/app.asar/out/main/a.js:3:7)', 'at run (<path-1>/app.asar/out/main/a.js:3:7)'],
    ['D:\\Data\\ana\\well is full', '<path-1> is full'],
    ['\\\\nas\\ana\\well', '<path-1>'],
  ])('%j becomes %j', (text, expected) => {
    expect(redactor().text(text)).toBe(expected);
  });

  it('removes a phrase anywhere in the text', () => {
    const phrase = createPhrase();
    const text = redactor().text(`the phrase is ${phrase} and no more`);
    for (const run of [phrase, phrase.split(' ').slice(0, 4).join(' ')]) expect(text).not.toContain(run);
    expect(redactor().text(`"${phrase}"`)).not.toContain(phrase.split(' ').slice(2, 6).join(' '));
  });

  it('keeps useful content: messages, counts, times, versions, code', () => {
    const text =
      'port 3000 is taken; stop the program that uses it, or set PUBLIC_PORT to another port (1763673000123 ms, 24.21.0) ' +
      'at Store.append (src/main/store/store.ts:60:21) SQLITE_FULL EADDRINUSE 12:34:56';
    expect(redactor().text(text)).toBe(text);
    const more =
      'POST /v1/telemetry 503, GET /ui/api/events; /proc/net/tcp and /usr/lib/x.so; fastify@5.12.8; 3/4 of 1/2; and/or; ' +
      'https://example.org/a/b app://wellhouse/assets/a.js:3 node:internal/fs ./data ../x src/main/a.ts C:\\Windows\\x.dll';
    expect(redactor().text(more)).toBe(more);
  });

  it('replaces a path with the same placeholder everywhere', () => {
    expect(redactor().text('from /mnt/a to /mnt/b, back to /mnt/a')).toBe(
      'from <path-1> to <path-2>, back to <path-1>',
    );
  });

  it('replaces a value with the same placeholder in any case', () => {
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

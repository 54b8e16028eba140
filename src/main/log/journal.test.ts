import { fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { isJournal, journalLine, journalLines } from './journal.ts';

const folder = mkdtempSync(join(tmpdir(), 'wellhouse-journal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the lines that a logger writes into a journal. */
function said(log: (logger: pino.Logger) => void): string {
  let text = '';
  log(pino({ level: 'trace', base: null }, journalLines({ write: (line) => (text += line) })));
  return text;
}

it('is one line of text with a priority for each event', () => {
  expect(said((log) => log.info({ url: 'http://127.0.0.1:3001', devices: 3, to: null }, 'node started'))).toBe(
    '<6>node started url=http://127.0.0.1:3001 devices=3 to=null\n',
  );
  expect(said((log) => log.warn({ path: 'a b', of: ['x', 'y'] }, 'kept'))).toBe(
    '<4>kept path="a b" of="[\\"x\\",\\"y\\"]"\n',
  );
  const levels = (['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const).map((level) =>
    said((log) => log[level]('x')),
  );
  expect(levels).toEqual(['<7>x\n', '<7>x\n', '<6>x\n', '<4>x\n', '<3>x\n', '<2>x\n']);
});

it('includes an error’s message and origin', () => {
  const line = said((log) => log.error({ err: new Error('disk is full') }, 'failed'));
  expect(line).toMatch(
    /^<3>failed err\.type=Error err\.message="disk is full" err\.stack="Error: disk is full\\n +at [^\n]*\n$/,
  );
});

it('has no line break from any value, and fits journald’s limit for a line', () => {
  fc.assert(
    fc.property(fc.dictionary(hostile(), fc.oneof(hostile(), fc.array(hostile()))), hostile(), (values, message) => {
      const line = said((log) => log.error(values, message));
      expect(line).toMatch(/^<3>[^\p{Cc}\u2028\u2029]*\n$/u);
      expect(Buffer.byteLength(line)).toBeLessThan(48 * 1024);
    }),
  );
  const flood = said((log) =>
    log.error({ name: '\n<0>'.repeat(50_000), more: '漢'.repeat(100_000) }, '漢'.repeat(100_000)),
  );
  expect(flood.split('\n')).toHaveLength(2);
  expect(Buffer.byteLength(flood)).toBeLessThan(48 * 1024);
});

function hostile() {
  return fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\n<0>panic', '\r\n', '\u0085', '\u2028', '\0', '" x=1'),
  );
}

it('passes text that is not JSON unchanged', () => {
  expect(journalLine('a torn {line\n')).toBe('<6>a torn {line\n');
});

it('is used only if the descriptor is the one that systemd named', () => {
  const path = join(folder, 'journal');
  writeFileSync(path, '');
  const fd = openSync(path, 'a');
  const { dev, ino } = fstatSync(fd, { bigint: true });
  expect(isJournal(fd, { JOURNAL_STREAM: `${dev}:${ino}` })).toBe(true);
  for (const other of [undefined, '', '1:1', `${dev}:${ino + 1n}`])
    expect(isJournal(fd, { JOURNAL_STREAM: other })).toBe(false);
  expect(isJournal(987, { JOURNAL_STREAM: `${dev}:${ino}` })).toBe(false);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkChain, type Head, hashOf, type Link, lineAfter, readLine, START } from './chain.ts';

const entry = (kind: string, details = {}) => ({
  ...{ at: 1_790_000_000_000, who: { by: 'page' as const, name: null, id: null }, from: '127.0.0.1', kind, details },
});

/** Returns a log with `count` entries, and the note of its newest. */
function logOf(count: number): { text: string; head: Head } {
  let link: Link = START;
  let text = '';
  for (let index = 0; index < count; index += 1) {
    const line = lineAfter(link, entry('paired', { name: `Phone ${index} “ü”`, index }));
    text += `${line.text}\n`;
    link = line.link;
  }
  return { text, head: { ...link, oldest: 1, current: 1 } };
}
const check = (text: string, head: Head | null) => checkChain([{ name: 'audit.ndjson', text }], head);
const reasons = (text: string, head: Head | null) => check(text, head).breaks.map(({ reason }) => reason);

it('an unchanged log has no breaks, and is read as it was written', () => {
  const { text, head } = logOf(5);
  const { lines, breaks, torn } = check(text, head);
  expect([breaks, torn, lines.map(({ n }) => n)]).toEqual([[], 0, [1, 2, 3, 4, 5]]);
  expect(lines[2]!.entry).toEqual({ n: 3, ...entry('paired', { name: 'Phone 2 “ü”', index: 2 }) });
  expect(check('', null)).toEqual({ lines: [], breaks: [], torn: 0 });
});

describe('changes of the file are found', () => {
  const small = fc.integer({ min: 2, max: 6 }).map(logOf);

  it('any byte changed', () => {
    fc.assert(
      fc.property(small, fc.nat(), fc.integer({ min: 1, max: 255 }), ({ text, head }, at, by) => {
        // Without the last line break, which carries no information.
        const place = at % (text.length - 1);
        const changed = String.fromCharCode((text.charCodeAt(place) + by) % 256);
        const edited = text.slice(0, place) + changed + text.slice(place + 1);
        expect(check(edited, head).breaks).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('any cut, at the beginning, in the middle or at the end', () => {
    fc.assert(
      fc.property(small, fc.nat(), fc.nat(), ({ text, head }, from, length) => {
        const start = from % (text.length - 1);
        const cut = text.slice(0, start) + text.slice(start + 1 + (length % (text.length - start)));
        expect(check(cut, head).breaks).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('any other order of the lines, and any line twice', () => {
    fc.assert(
      fc.property(small, fc.nat(), fc.nat(), ({ text, head }, one, other) => {
        const lines = text.slice(0, -1).split('\n');
        const [a, b] = [one % lines.length, other % lines.length];
        fc.pre(a !== b);
        const swapped = lines.with(a, lines[b]!).with(b, lines[a]!);
        expect(check(`${swapped.join('\n')}\n`, head).breaks).not.toEqual([]);
        const doubled = lines.toSpliced(a, 0, lines[b]!);
        expect(check(`${doubled.join('\n')}\n`, head).breaks).not.toEqual([]);
      }),
    );
  });
});

it('each fault is named with its place', () => {
  const { text, head } = logOf(4);
  const lines = text.slice(0, -1).split('\n');
  expect(reasons(lines.slice(0, 3).join('\n'), head)).toEqual(['end']);
  expect(reasons(lines.slice(1).join('\n'), head)).toEqual(['start']);
  expect(check(lines.toSpliced(1, 1).join('\n'), head).breaks).toEqual([
    { file: 'audit.ndjson', line: 2, reason: 'order' },
  ]);
  expect(reasons(text.replace('Phone 1', 'Phone 9'), head)).toEqual(['edited']);
  expect(reasons(text, null)).toEqual(['head']);
});

it('half a line that a crash left is no break, also once it is recorded', () => {
  const { text, head } = logOf(2);
  const half = lineAfter(head, entry('paired')).text.slice(0, 40);
  expect(check(text + half, head)).toMatchObject({ breaks: [], torn: 1 });
  const next = lineAfter(head, entry('log_torn', { bytes: half.length, sha256: hashOf(half) }));
  const after = { ...head, ...next.link };
  expect(check(`${text}${half}\n${next.text}\n`, after)).toMatchObject({ breaks: [], torn: 1 });
  // The entry does not hide other damage.
  expect(reasons(`${text}other\n${next.text}\n`, after)).toEqual(['unreadable']);
  // A noted entry that is cut counts as a break.
  expect(reasons(text.slice(0, -20), head)).toContain('end');
});

it('a rotated log is complete from its older file on, also without the note of the rotation', () => {
  const { text } = logOf(6);
  const lines = text.slice(0, -1).split('\n');
  const file = (name: string, from: number, to: number) => ({ name, text: `${lines.slice(from, to).join('\n')}\n` });
  const last = readLine(lines[5]!)!.line;
  const head = { n: 6, hash: last.hash, oldest: 3, current: 5 };
  const files = [file('audit.ndjson.1', 2, 4), file('audit.ndjson', 4, 6)];
  expect(checkChain(files, head).breaks).toEqual([]);
  // Moved, and not noted yet: the older file begins with the noted current entry.
  expect(checkChain(files, { ...head, oldest: 1, current: 3 }).breaks).toEqual([]);
  expect(checkChain(files.slice(1), head).breaks).toMatchObject([{ reason: 'start' }]);
  expect(checkChain([file('audit.ndjson.1', 3, 4), files[1]!], head).breaks).toMatchObject([{ reason: 'start' }]);
});

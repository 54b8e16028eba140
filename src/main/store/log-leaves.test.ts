import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  BLOCK_LEAVES,
  entryOf,
  hashOfBlock,
  hashOfText,
  LOWEST_KEPT_LEVEL,
  levelsOf,
  problemsOfLeaves,
  sha256,
} from './log-leaves.ts';

const DEVICE = 'ab'.repeat(32);
const SIGNATURE = new Uint8Array(64).fill(1);
const of = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const node = (left: Uint8Array, right: Uint8Array) => of(Buffer.of(1), left, right);
const leaf = (at: number) => hashOfText(`leaf ${at}`);

it('hashes the text of an entry as a leaf of RFC 6962', () => {
  expect(sha256(Buffer.from('x'))).toEqual(of(Buffer.from('x')));
  expect(hashOfText('größe\n')).toEqual(of(Buffer.of(0), Buffer.from('größe\n', 'utf8')));
});

describe('the levels over leaves', () => {
  it.each([
    [0, [0]],
    [1, [1]],
    [2, [2, 1]],
    [3, [3, 1]],
    [5, [5, 2, 1]],
    [8, [8, 4, 2, 1]],
  ])('of %d leaves are %j', (count, lengths) => {
    const levels = levelsOf(Array.from({ length: count }, (_, at) => leaf(at)));
    expect(levels.map((hashes) => hashes.length)).toEqual(lengths);
  });

  it('are hashes of pairs, from the left to the right', () => {
    const leaves = [0, 1, 2, 3, 4].map(leaf);
    const [left, right] = [node(leaf(0), leaf(1)), node(leaf(2), leaf(3))];
    expect(levelsOf(leaves)).toEqual([leaves, [left, right], [node(left, right)]]);
  });

  it('end with the hash of a block', () => {
    expect([LOWEST_KEPT_LEVEL, BLOCK_LEAVES]).toEqual([8, 256]);
    const leaves = Array.from({ length: BLOCK_LEAVES }, (_, at) => leaf(at));
    let hashes: Uint8Array[] = leaves;
    while (hashes.length > 1) {
      hashes = hashes.flatMap((hash, at) => (at % 2 === 0 ? [node(hash, hashes[at + 1]!)] : []));
    }
    expect(hashOfBlock(leaves)).toEqual(hashes[0]);
  });
});

describe('the entry of a reading', () => {
  const kept = {
    ...{ device: DEVICE, seq: 2n ** 64n - 1n, timestamp: 3n, receivedAt: 5n, clock: null, firstArrival: null },
    ...{ keyVersion: 2, signature: null, kept: null, values: [6.5, null, undefined, Buffer.of(1), null, 0] },
  };
  const entry = {
    ...{ kind: 'reading', device: DEVICE, seq: String(2n ** 64n - 1n), timestamp: '3', receivedAt: 5, clock: 0 },
    ...{ keyVersion: 2, signed: null },
    fields: new Map<string, unknown>([
      ['ph', 6.5],
      ['tempWater', Buffer.of(1)],
      ['humidity', 0],
    ]),
  };

  it('has its fields, without those that are absent', () => {
    expect(entryOf(kept)).toEqual(entry);
    expect([...entryOf(kept).fields.keys()]).toEqual(['ph', 'tempWater', 'humidity']);
  });

  it('has the time of arrival and the clock as first recorded', () => {
    expect(entryOf({ ...kept, clock: 7n })).toEqual({ ...entry, clock: 7 });
    expect(entryOf({ ...kept, clock: 7n, firstArrival: '50 6' })).toEqual({ ...entry, receivedAt: 50, clock: 6 });
    expect(entryOf({ ...kept, firstArrival: '50 0' })).toEqual({ ...entry, receivedAt: 50 });
  });

  it('has what the device signed', () => {
    const { seq, timestamp } = kept;
    const header = Buffer.from(`${DEVICE}|${seq}|${timestamp}|2`);
    const signed = (kept_: unknown) => entryOf({ ...kept, signature: SIGNATURE, kept: kept_ }).signed;
    expect(signed(0n)).toEqual({ signature: SIGNATURE, raw: header });
    const firmware = Buffer.from(`${header}|ph=6.50|humidity=0.00`);
    expect(signed(1n)).toEqual({ signature: SIGNATURE, raw: firmware });
  });
});

describe('the leaves of a block that is checked', () => {
  const reading = { device: DEVICE, seq: '1' };
  const check = (
    leaves: readonly (readonly [number, string, boolean?])[],
    texts: readonly (readonly [number, string])[],
  ) =>
    problemsOfLeaves(
      [10, 13],
      new Map(leaves.map(([at, text, isDeleted = false]) => [at, { hash: Buffer.from(hashOfText(text)), isDeleted }])),
      new Map(texts.map(([at, text]) => [at, { text, reading: text === 'missing\n' ? null : reading }])),
    );
  const FINE = [
    [10, 'a'],
    [11, 'b'],
    [12, 'c'],
  ] as const;

  it('have no problem if each has its text', () => {
    expect(check(FINE, FINE)).toEqual([]);
  });

  it('outside of the range are not looked at', () => {
    expect(check([...FINE, [9, 'x'], [13, 'x']], [...FINE, [8, 'y']])).toEqual([]);
  });

  it('may lack the data that the program deleted, and no other', () => {
    const [first, , last] = FINE;
    expect(check([first, [11, 'b', true], last], [first, last])).toEqual([]);
    expect(check(FINE, [first, last])).toEqual([{ index: 11, kind: 'deleted', reading: null }]);
    expect(check([first, [11, 'missing\n'], last], [first, [11, 'missing\n'], last])).toEqual([
      { index: 11, kind: 'deleted', reading: null },
    ]);
  });

  it('must be there', () => {
    expect(check(FINE.slice(1), FINE)).toEqual([{ index: 10, kind: 'hash', reading }]);
    expect(check(FINE.slice(0, 2), FINE.slice(0, 2))).toEqual([{ index: 12, kind: 'hash', reading: null }]);
  });

  it('must be of the data, and are told in their order', () => {
    expect(check(FINE, [[12, 'd'], [10, 'x'], FINE[1]])).toEqual([
      { index: 10, kind: 'changed', reading },
      { index: 12, kind: 'changed', reading },
    ]);
  });
});

import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import type { Position } from '../../reading.ts';
import type { Axis } from '../../stores-view.ts';
import { toSigned, toUnsigned } from '../file/unsigned.ts';
import { type BoundedSpan, type Stretch, stretchesBefore, stretchesBetween, stretchesOf } from './stretches.ts';

const TURN = 2n ** 63n;
/** Values on both sides of the sign, and at the ends. */
const EDGES = [0n, 1n, TURN - 1n, TURN, MAX_UINT64 - 1n, MAX_UINT64];
const RECEIVED = [4, 5, 6];

interface Row extends Position {
  readonly receivedAt: number;
}

/** Each edge as a timestamp has readings with three seqs; seqs are not in the order of timestamps. */
const ROWS: readonly Row[] = EDGES.flatMap((timestamp, place) =>
  [0, 1, 2].map((nth) => {
    const number = nth * EDGES.length + ((place * 5) % EDGES.length);
    const seq =
      number % 2 === 0
        ? BigInt(number / 2)
        : number < 9
          ? TURN - 5n + BigInt(number)
          : MAX_UINT64 - BigInt(17 - number);
    return { timestamp, seq, receivedAt: RECEIVED[nth]! };
  }),
);

const db = new Database(':memory:');
db.exec(`CREATE TABLE readings (device, seq INTEGER, timestamp INTEGER, received_at INTEGER);
  CREATE INDEX readings_by_time ON readings (device, (timestamp < 0), timestamp, (seq < 0), seq)`);
for (const { seq, timestamp, receivedAt } of ROWS) {
  db.prepare('INSERT INTO readings VALUES (1, ?, ?, ?)').run(toSigned(seq), toSigned(timestamp), receivedAt);
}
afterAll(() => {
  db.close();
});

/** Returns the seqs that stretches have, in their order. */
function read(stretches: readonly Stretch[], direction: 'ASC' | 'DESC'): bigint[] {
  return stretches.flatMap(({ index, where, values, order }) => {
    const by = order.map((column) => `${column} ${direction}`).join(', ');
    const sql = `SELECT r.seq FROM readings r ${index} WHERE r.device = 1 AND ${where} ORDER BY ${by}`;
    const seqs = db
      .prepare<unknown[], bigint>(sql)
      .pluck()
      .safeIntegers()
      .all(...values);
    return seqs.map(toUnsigned);
  });
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
const orderOf = (axis: Axis) => (a: Position, b: Position) =>
  (axis === 'timestamp' ? compare(a.timestamp, b.timestamp) : 0) || compare(a.seq, b.seq);

/** Returns the readings of a span in its order. */
function inSpan({ axis, from, to, seqs = { from: 0n, to: MAX_UINT64 } }: BoundedSpan): Row[] {
  return ROWS.filter(({ timestamp, receivedAt, seq }) => {
    const time = axis === 'timestamp' ? timestamp : BigInt(receivedAt);
    return time >= from && time <= to && (axis === 'timestamp' || (seq >= seqs.from && seq <= seqs.to));
  }).toSorted(orderOf(axis));
}
const seqsOf = (rows: readonly Position[]) => rows.map(({ seq }) => seq);

const SPANS: readonly BoundedSpan[] = [
  { axis: 'timestamp', from: 0n, to: MAX_UINT64 },
  { axis: 'timestamp', from: 1n, to: TURN - 1n },
  { axis: 'timestamp', from: 1n, to: TURN },
  { axis: 'timestamp', from: TURN, to: TURN },
  { axis: 'timestamp', from: TURN - 1n, to: MAX_UINT64 - 1n },
  { axis: 'timestamp', from: 5n, to: 4n },
  { axis: 'received', from: 0n, to: 9n },
  { axis: 'received', from: 5n, to: 5n },
  { axis: 'received', from: 5n, to: 6n, seqs: { from: 2n, to: TURN } },
  { axis: 'received', from: 4n, to: 5n, seqs: { from: TURN, to: MAX_UINT64 - 2n } },
];
/** The positions of all readings, and some positions without a reading. */
const POSITIONS: readonly Position[] = [
  ...ROWS,
  { timestamp: 0n, seq: MAX_UINT64 },
  { timestamp: MAX_UINT64, seq: 0n },
  { timestamp: MAX_UINT64, seq: MAX_UINT64 },
  { timestamp: 2n, seq: 2n },
];

describe.each(SPANS)('of the span $axis $from to $to', (span) => {
  const all = inSpan(span);
  const order = orderOf(span.axis);

  it('the stretches have all its readings, in order and in reverse', () => {
    expect(read(stretchesOf(span), 'ASC')).toEqual(seqsOf(all));
    expect(read(stretchesBefore(span), 'DESC')).toEqual(seqsOf(all.toReversed()));
  });

  it('the stretches after or before a position have all others', () => {
    for (const position of POSITIONS) {
      const after = all.filter((row) => order(row, position) > 0);
      expect(read(stretchesOf(span, position), 'ASC'), `after ${position.timestamp} ${position.seq}`).toEqual(
        seqsOf(after),
      );
      const before = all.filter((row) => order(row, position) < 0).toReversed();
      expect(read(stretchesBefore(span, position), 'DESC'), `before ${position.timestamp} ${position.seq}`).toEqual(
        seqsOf(before),
      );
    }
  });

  it('the stretches end with the time or seq of a last position', () => {
    const main = (row: Position) => (span.axis === 'timestamp' ? row.timestamp : row.seq);
    for (const last of POSITIONS) {
      const upTo = all.filter((row) => main(row) <= main(last));
      expect(read(stretchesOf(span, null, last), 'ASC')).toEqual(seqsOf(upTo));
      const downTo = all.filter((row) => main(row) >= main(last)).toReversed();
      expect(read(stretchesBefore(span, null, last), 'DESC')).toEqual(seqsOf(downTo));
    }
  });

  it('the stretches between two positions have what is between them', () => {
    const [first, last] = [all[1], all.at(-2)];
    if (first === undefined || last === undefined || order(first, last) >= 0) return;
    const between = all.slice(2, -1);
    const reading = read(stretchesOf(span, first, last), 'ASC');
    expect(reading.slice(0, between.length)).toEqual(seqsOf(between));
    const back = read(stretchesBefore(span, last, first), 'DESC');
    expect(back.slice(0, all.length - 3)).toEqual(seqsOf(all.slice(1, -2).toReversed()));
  });
});

it('between two values of an axis are all readings of both', () => {
  for (const axis of ['timestamp', 'received'] as const) {
    const main = (row: Position) => (axis === 'timestamp' ? row.timestamp : row.seq);
    for (const [from, to] of [
      [0n, MAX_UINT64],
      [1n, TURN],
      [TURN, MAX_UINT64 - 1n],
      [2n, 1n],
    ] as const) {
      const wanted = ROWS.filter((row) => main(row) >= from && main(row) <= to).toSorted(orderOf(axis));
      expect(read(stretchesBetween(axis, from, to), 'ASC')).toEqual(seqsOf(wanted));
    }
  }
});

it('by time, the index is named and its columns give the order', () => {
  const span = { axis: 'timestamp', from: 3n, to: TURN } as const;
  const INDEX = 'INDEXED BY readings_by_time';
  const byTime = (sign: number) => ({
    index: INDEX,
    where: `(r.timestamp < 0) = ${sign} AND r.timestamp BETWEEN ? AND ?`,
    order: ['r.timestamp', '(r.seq < 0)', 'r.seq'],
  });
  expect(stretchesOf(span)).toEqual([
    { ...byTime(0), values: [3n, TURN - 1n] },
    { ...byTime(1), values: [-TURN, -TURN] },
  ]);
  expect(stretchesOf(span, { timestamp: TURN, seq: MAX_UINT64 - 1n })).toEqual([
    {
      index: INDEX,
      where: '(r.timestamp < 0) = 1 AND r.timestamp = ? AND (r.seq < 0) = 1 AND r.seq BETWEEN ? AND ?',
      values: [-TURN, -1n, -1n],
      order: ['r.seq'],
    },
  ]);
});

it('by arrival, the primary key is read in the order of seq', () => {
  const span = { axis: 'received', from: 4n, to: 6n, seqs: { from: 1n, to: 9n } } as const;
  expect(stretchesOf(span, { timestamp: 0n, seq: 4n })).toEqual([
    {
      index: '',
      where: 'r.seq BETWEEN ? AND ? AND r.received_at BETWEEN ? AND ?',
      values: [5n, 9n, 4n, 6n],
      order: ['r.seq'],
    },
  ]);
  expect(stretchesBefore(span, { timestamp: 0n, seq: 0n })).toEqual([]);
});

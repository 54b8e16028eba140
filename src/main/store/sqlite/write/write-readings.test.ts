import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreInMemory } from '../../../../../test/support/store-in-memory.ts';
import { Composition, compose } from '../../../../shared/protocol/composition.ts';
import { FIELD_NAMES, perFieldName } from '../../../../shared/protocol/fields.ts';
import type { BlockReading, StoredField } from '../../reading.ts';
import { Fate, PackedBlocks } from '../../verifier/packed-blocks.ts';
import type { ReadingRow } from './write-jobs.ts';
import { prepareWrites, type RunJob } from './write-statements.ts';

const { GOOD, STORED, DUPLICATE, UNKNOWN_DEVICE } = Fate;
const [ID, UNKNOWN_ID] = ['0a'.repeat(32), '0c'.repeat(32)];
const HOUR = 3_600_000;
const SIGNATURE = Buffer.alloc(64, 5);
const SEALED = Buffer.alloc(30, 9);
/** A value of each field: plain, sealed or absent. */
const VALUES: StoredField[] = FIELD_NAMES.map((name) => (name === 'ph' ? 6.5 : name === 'ec' ? SEALED : null));
const BY = 90_000;
const MOVE = { kind: 'moveArrivals', move: { clock: 7, next: 8, by: BY, from: 0, to: 1, at: 2 } } as const;

let store: StoreInMemory;
let run: RunJob;
let device: number;
beforeEach(() => {
  store = new StoreInMemory();
  const { db, numbers, rollups, keptFrom, log } = store;
  run = prepareWrites(db, null, numbers, rollups, keptFrom, log);
  device = store.addDevice(ID);
});
afterEach(() => store.close());

const stored = () =>
  store.rows(`SELECT device, seq, timestamp, received_at, key_version, ph, ec, humidity, signature, signed, clock,
    entry, first_arrival FROM readings ORDER BY entry`);
const seqs = () => store.db.prepare('SELECT seq FROM readings ORDER BY entry').pluck().safeIntegers().all();
const hours = () => store.values('SELECT hour FROM dirty_hours ORDER BY hour');
/** Marks the first hour as one of which retention kept only the sums. */
function retainFirstHour(): void {
  const notNull = store.db.prepare('SELECT name FROM pragma_table_info(?) WHERE "notnull"').pluck();
  const names = (notNull.all('retained_hours') as string[]).filter((name) => name !== 'device');
  store.db.exec(`INSERT INTO retained_hours (device, ${names.join(', ')})
    VALUES (${device}, ${names.map(() => 0).join(', ')})`);
  store.keptFrom.raise(device, 1);
}

describe('appending readings', () => {
  const rowOf = (seq: number | bigint, timestamp: number, { id = ID, clock = 0, receivedAt = 50 } = {}): ReadingRow => [
    ...([id, clock, SIGNATURE, Composition.FIRMWARE, seq, timestamp, receivedAt, 3] as const),
    ...VALUES,
  ];
  const append = (...rows: ReadingRow[]) => run({ kind: 'append', rows });

  it('stores each reading of a registered device once, with the next entry of the log', () => {
    const rows = [rowOf(1, 5), rowOf(1, 6), rowOf(9, 7, { id: UNKNOWN_ID, receivedAt: 51 }), rowOf(-1n, 2 * HOUR)];
    expect(append(...rows)).toEqual({
      fates: Uint8Array.of(STORED, DUPLICATE, UNKNOWN_DEVICE, STORED),
      receivedAt: Float64Array.of(50, 50, 0, 50),
    });
    const rest = [3, 6.5, SEALED, null, SIGNATURE, Composition.FIRMWARE, null];
    expect(stored()).toEqual([
      [device, 1, 5, 50, ...rest, 0, null],
      [device, -1, 2 * HOUR, 50, ...rest, 1, null],
    ]);
    expect([store.log.next, hours()]).toEqual([2, [0, 2]]);
    expect(append()).toEqual({ fates: new Uint8Array(0), receivedAt: new Float64Array(0) });
  });

  it('stores the clock of a time of arrival that may be wrong, and the right time once it is known', () => {
    expect(append(rowOf(1, 5, { clock: 7 }))).toMatchObject({ receivedAt: Float64Array.of(50) });
    run({ ...MOVE, after: null, limit: 1, move: { ...MOVE.move, clock: 6, next: 0 } });
    // From here on no hour is left, so the stored reading stays.
    run({ ...MOVE, after: '9 9', limit: 1 });
    const rows = [rowOf(2, 5, { clock: 7 }), rowOf(3, 5, { clock: 6 }), rowOf(2, 5, { clock: 7 })];
    expect(append(...rows)).toEqual({
      fates: Uint8Array.of(STORED, STORED, DUPLICATE),
      receivedAt: Float64Array.of(50 + BY, 50 + BY, 50 + BY),
    });
    expect(store.rows('SELECT seq, received_at, clock FROM readings ORDER BY seq')).toEqual([
      [1, 50, 7],
      [2, 50 + BY, 8],
      [3, 50 + BY, null],
    ]);
  });

  it('takes a reading of an hour that has only its sums as a duplicate', () => {
    retainFirstHour();
    expect(append(rowOf(1, HOUR - 1), rowOf(2, HOUR))).toMatchObject({ fates: Uint8Array.of(DUPLICATE, STORED) });
    expect([seqs(), hours(), store.log.next]).toEqual([[2n], [1], 1]);
  });
});

describe('storing checked blocks', () => {
  const packed = new PackedBlocks(new ArrayBuffer(16_384), 0, 16_384);
  interface Block {
    readonly reading?: Partial<BlockReading> | null;
    readonly id?: string;
    readonly fate?: Fate;
    readonly raw?: string;
  }
  const readingOf = (reading: Partial<BlockReading>): BlockReading => ({
    ...{ seq: '1', timestamp: '5', receivedAt: 50, keyVersion: 3, clock: 0, keepsSigned: false },
    fields: perFieldName((name) => VALUES[FIELD_NAMES.indexOf(name)]!),
    ...reading,
  });
  /** Stores blocks as one chunk. Returns their fates and the times of arrival that the blocks then have. */
  function storeBlocks(...blocks: Block[]): [fates: Fate[], receivedAt: number[]] {
    const starts: number[] = [];
    let end = 0;
    for (const { reading = {}, id = ID, fate = GOOD, raw = 'raw' } of blocks) {
      const at = end;
      starts.push(at);
      const check = { publicKey: Buffer.from(id, 'hex'), signature: SIGNATURE.toString('hex') };
      end = packed.writeCheck(at, { ...check, message: Buffer.from(raw).toString('hex') });
      if (reading !== null) end = packed.writeReading(at, readingOf(reading));
      packed.setFate(at, fate);
    }
    const fates = run({ kind: 'chunk', chunk: { blocks: packed, count: blocks.length } });
    expect(fates).toBeInstanceOf(Uint8Array);
    const times = starts.map((at, index) => (blocks[index]!.reading === null ? 0 : packed.receivedAtOf(at)));
    return [[...(fates as Uint8Array)] as Fate[], times];
  }
  const fatesOf = (...readings: Partial<BlockReading>[]) => storeBlocks(...readings.map((reading) => ({ reading })))[0];

  it('stores the readings of good blocks, and returns the fates of the others as they are', () => {
    const [fates] = storeBlocks(
      { fate: Fate.BAD_SIGNATURE },
      { reading: null },
      { reading: null, fate: Fate.BAD_SIGNATURE },
      { reading: { seq: '2' } },
      { id: UNKNOWN_ID, reading: { seq: '3' } },
    );
    expect(fates).toEqual([Fate.BAD_SIGNATURE, GOOD, Fate.BAD_SIGNATURE, STORED, UNKNOWN_DEVICE]);
    expect(stored()).toEqual([[device, 2, 5, 50, 3, 6.5, SEALED, null, null, null, null, 0, null]]);
    expect([hours(), store.log.next]).toEqual([[0], 1]);
    expect(storeBlocks()[0]).toEqual([]);
  });

  it('stores each seq once, in any order, within a chunk and later', () => {
    expect(fatesOf({ seq: '5' }, { seq: '5', timestamp: '6' }, { seq: '3' })).toEqual([STORED, DUPLICATE, STORED]);
    expect(fatesOf({ seq: '3' }, { seq: '4' }, { seq: '5' })).toEqual([DUPLICATE, STORED, DUPLICATE]);
    expect(fatesOf({ seq: '18446744073709551615' }, { seq: '9223372036854775808' })).toEqual([STORED, STORED]);
    expect(fatesOf({ seq: '18446744073709551615' }, { seq: '6' })).toEqual([DUPLICATE, STORED]);
    expect(seqs()).toEqual([5n, 3n, 4n, -1n, -(2n ** 63n), 6n]);
    store.addReading(device, { seq: 7, timestamp: 5 });
    expect(fatesOf({ seq: '7' })).toEqual([DUPLICATE]);
  });

  it('reads the fields of a block only if its seq may be new', () => {
    store.addReading(device, { seq: 3, timestamp: 5 });
    const read = vi.spyOn(packed, 'readFields');
    expect(fatesOf({ seq: '5' }, { seq: '5' }, { seq: '3' })).toEqual([STORED, DUPLICATE, DUPLICATE]);
    expect(read).toHaveBeenCalledTimes(1);
    read.mockRestore();
  });

  it('stores timestamps as signed integers', () => {
    fatesOf({ timestamp: '18446744073709551614' }, { seq: '2', timestamp: '9223372036854775807' });
    const timestamps = store.db.prepare('SELECT timestamp FROM readings ORDER BY entry').pluck().safeIntegers().all();
    expect(timestamps).toEqual([-2n, 2n ** 63n - 1n]);
  });

  it('stores the signature with the number of the raw string’s composition, or its bytes', () => {
    const composed = { deviceId: ID, seq: '1', timestamp: '5', keyVersion: 3, values: VALUES };
    storeBlocks(
      { reading: { keepsSigned: true }, raw: compose(Composition.FIRMWARE, composed) },
      { reading: { keepsSigned: true, seq: '2' }, raw: compose(Composition.HEADER, { ...composed, seq: '2' }) },
      { reading: { keepsSigned: true, seq: '3' }, raw: 'own' },
      { reading: { keepsSigned: false, seq: '4' }, raw: 'own' },
    );
    expect(store.rows('SELECT signature, signed FROM readings ORDER BY seq')).toEqual([
      [SIGNATURE, Composition.FIRMWARE],
      [SIGNATURE, Composition.HEADER],
      [SIGNATURE, Buffer.from('own')],
      [null, null],
    ]);
  });

  it('tells the stored time of arrival if its clock was found to be wrong', () => {
    run({ ...MOVE, after: null, limit: 1 });
    const [fates, times] = storeBlocks({ reading: { clock: 7 } }, { reading: { seq: '2', clock: 9 } });
    expect([fates, times]).toEqual([
      [STORED, STORED],
      [50 + BY, 50],
    ]);
    expect(store.rows('SELECT seq, received_at, clock FROM readings ORDER BY seq')).toEqual([
      [1, 50 + BY, 8],
      [2, 50, 9],
    ]);
  });

  it('takes a reading of an hour that has only its sums as a duplicate', () => {
    retainFirstHour();
    expect(fatesOf({ timestamp: `${HOUR - 1}` }, { seq: '2', timestamp: `${HOUR}` })).toEqual([DUPLICATE, STORED]);
    expect(seqs()).toEqual([2n]);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import { newReading } from '../../../../../test/support/readings.ts';
import { parseEntry } from '../../../../shared/proof/leaf.ts';
import { nodeHash } from '../../../../shared/proof/merkle.ts';
import { deviceRegistration } from '../../../../shared/protocol/device.ts';
import { MAX_UINT64 } from '../../../../shared/protocol/uint64.ts';
import { SimulatedDevice } from '../../../../simulator/device.ts';
import { hashOfText, sha256 } from '../../log-leaves.ts';
import { openForWriting } from '../file/database.ts';
import { toRow } from '../write/write-jobs.ts';
import { SqliteLog } from './log.ts';
import { ReadConnection } from './read-connection.ts';

const START = 1_760_000_000_000;
const MINUTE = 60_000;
const CLOCK = 7;
/** The log has four complete blocks of leaves, and this many leaves in all. */
const SIZE = 4 * 256 + 10;
const READINGS = SIZE - 3;
const WHOLE = { axis: 'timestamp', from: 0n, to: MAX_UINT64 } as const;
const TABLES = ['readings', 'log_entries', 'log_leaves', 'log_nodes', 'log_state'];
const DEVICES = [1, 2].map((byte) => new SimulatedDevice({ seed: Buffer.alloc(32, byte) }));
const first = DEVICES[0]!;

let stores: OwnerStoresForTest;
let connection: ReadConnection;

const readLog = () => new SqliteLog(connection, 'private');
const reading = (device: SimulatedDevice, seq: number) => {
  const at = START + seq * MINUTE;
  const values = { seq: BigInt(seq), timestamp: BigInt(at), receivedAt: at + 5, fields: [seq] };
  return toRow({ ...newReading(device.id, values), clock: seq === 1 ? CLOCK : 0 });
};

function execute(sql: string): void {
  const db = openForWriting(stores.paths.private, 'normal');
  db.pragma('foreign_keys = OFF');
  db.exec(`BEGIN; ${sql}; COMMIT`);
  db.close();
}

/** Puts back what a test changed. */
const restore = () =>
  execute(TABLES.map((table) => `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept_${table}`).join('; '));

/** Entries 0 and 1 are registrations, 2 to 1032 readings, and 1033 is a correction; three readings have no hash yet. */
beforeAll(() => {
  stores = new OwnerStoresForTest();
  connection = ReadConnection.toOne('private', stores.paths.private);
  expect(readLog().size).toBe(0);
  for (const device of DEVICES) {
    const registration = deviceRegistration.parse(device.registration());
    const origin = { way: 'local', by: null, received: registration } as const;
    stores.write('private', [{ kind: 'register', registration, createdAt: START, origin }]);
  }
  const rows = Array.from({ length: READINGS }, (_, index) => reading(DEVICES[index % 2]!, index + 1));
  stores.write('private', [{ kind: 'append', rows }]);
  const move = { clock: CLOCK, next: CLOCK + 1, by: 2, at: START, from: START, to: START + MINUTE + 5 };
  stores.write('private', [{ kind: 'moveArrivals', move, after: null, limit: 100_000 }]);
  const checkpoint = (size: number, at: number) =>
    ({ kind: 'checkpoint', checkpoint: { size, at, note: `note of ${size}` } }) as const;
  stores.write('private', [checkpoint(900, 1), checkpoint(5, 2)]);
  stores.sumUp('private');
  stores.write('private', [{ kind: 'append', rows: [1, 2, 3].map((more) => reading(first, READINGS + more)) }]);
  execute(TABLES.map((table) => `CREATE TABLE kept_${table} AS SELECT * FROM ${table}`).join('; '));
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});

/** Returns the texts of all entries that are hashed. */
function textsOf(log: SqliteLog): string[] {
  const texts: string[] = [];
  for (const { index, text } of [...log.registrations(null), ...log.corrections()]) texts[index] = text;
  for (const [number] of DEVICES.entries()) {
    for (const { index, text } of log.readings(number + 1, WHOLE, null, 9999)) if (index !== null) texts[index] = text;
  }
  return texts;
}

describe('hashes', () => {
  it('are those of the entries, and of pairs of hashes, at every level', () => {
    const log = readLog();
    expect(log.size).toBe(SIZE);
    let hashes: Uint8Array[] = textsOf(log).map(hashOfText);
    expect(hashes).toHaveLength(SIZE);
    for (let level = 0; hashes.length > 0; level += 1) {
      expect(hashes.map((_, position) => log.subtree(level, position))).toEqual(hashes);
      hashes = Array.from({ length: Math.floor(hashes.length / 2) }, (_, at) =>
        nodeHash(sha256, hashes[2 * at]!, hashes[2 * at + 1]!),
      );
    }
  });

  it.each([
    [0, SIZE],
    [1, SIZE / 2],
    [4, SIZE >> 4],
    [7, 8],
    [8, 4],
    [9, 2],
    [11, 0],
  ])('of level %d are not there at position %d', (level, position) => {
    expect(() => readLog().subtree(level, position)).toThrow(
      new Error(`the log lacks the hash ${position} of level ${level}`),
    );
  });

  it('are read once, and then kept', () => {
    const log = readLog();
    const before = [log.subtree(0, 300), log.subtree(8, 1), log.subtree(8, 0)];
    execute('UPDATE log_leaves SET hash = zeroblob(32); UPDATE log_nodes SET hash = zeroblob(32)');
    expect([log.subtree(0, 300), log.subtree(8, 1), log.subtree(8, 0)]).toEqual(before);
    const zero = Buffer.alloc(32);
    expect([log.subtree(0, 600), log.subtree(8, 2), log.subtree(9, 1)]).toEqual([zero, zero, zero]);
    restore();
  });

  it('are missing if a leaf of their block is', () => {
    execute('DELETE FROM log_leaves WHERE entry = 300');
    const log = readLog();
    expect(() => log.subtree(0, 301)).toThrow(new Error('the log lacks hashes of leaves from 256 on'));
    expect(log.subtree(0, 255)).toHaveLength(32);
    expect(log.subtree(0, 512)).toHaveLength(32);
    restore();
  });
});

describe('the cache', () => {
  const COUNTER = (most: number) =>
    `WITH RECURSIVE counter (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counter WHERE n < ${most})`;
  const named = (name: string) => Buffer.from(name.padEnd(32));
  afterEach(restore);

  it('has 64 blocks, and the oldest makes room', () => {
    const leaves = 66 * 256;
    const fill = (name: string) =>
      `DELETE FROM log_leaves; ${COUNTER(leaves - 1)} INSERT INTO log_leaves
       SELECT n, CAST('${name.padEnd(32)}' AS BLOB), 0 FROM counter; UPDATE log_state SET size = ${leaves}`;
    execute(fill('old'));
    const log = readLog();
    const leafOf = (block: number) => log.subtree(0, block * 256);
    for (let block = 0; block < 64; block += 1) leafOf(block);
    execute(fill('new'));
    expect([leafOf(0), leafOf(63)]).toEqual([named('old'), named('old')]);
    expect(leafOf(64)).toEqual(named('new'));
    expect([leafOf(1), leafOf(0)]).toEqual([named('old'), named('new')]);
  });

  it('has 4096 hashes of higher levels, and reading one again makes no room', () => {
    const fill = (name: string) =>
      `DELETE FROM log_nodes; ${COUNTER(4200)} INSERT INTO log_nodes
       SELECT 8, n, CAST('${name.padEnd(32)}' AS BLOB) FROM counter`;
    execute(fill('old'));
    const log = readLog();
    for (let position = 0; position < 4096; position += 1) log.subtree(8, position);
    execute(fill('new'));
    log.subtree(8, 9);
    expect([log.subtree(8, 0), log.subtree(8, 4095)]).toEqual([named('old'), named('old')]);
    expect(log.subtree(8, 4096)).toEqual(named('new'));
    expect([log.subtree(8, 1), log.subtree(8, 0)]).toEqual([named('old'), named('new')]);
  });
});

describe('entries', () => {
  it('are registrations of one device or of all, in their order', () => {
    const log = readLog();
    const all = log.registrations(null);
    expect(all.map(({ index }) => index)).toEqual([0, 1]);
    for (const [index, { text }] of all.entries()) {
      const device = DEVICES[index]!.id;
      expect(parseEntry(text)).toMatchObject({ kind: 'registration', device, at: START, way: 'local' });
      expect(log.registrations(device)).toEqual([{ index, text }]);
    }
    expect(log.registrations('ff'.repeat(32))).toEqual([]);
  });

  it('are corrections, and nothing that only begins like one', () => {
    const text = `correction\nclock 7\nnext 8\nby 2\nat ${START}\n`;
    expect(readLog().corrections()).toEqual([{ index: SIZE - 1, text }]);
    execute(`UPDATE log_entries SET content = 'correction' || char(10) || 'clock 7' || char(10) WHERE entry = 0;
      UPDATE log_entries SET content = '${text.replace('by 2', 'by 3')}' WHERE entry = 1`);
    expect(
      readLog()
        .corrections()
        .map(({ index }) => index),
    ).toEqual([1, SIZE - 1]);
    restore();
  });

  it('count only once they are hashed', () => {
    execute('UPDATE log_state SET size = 1');
    const log = readLog();
    expect([log.size, log.registrations(null).length, log.corrections()]).toEqual([1, 1, []]);
    execute('DELETE FROM log_state');
    expect([readLog().size, readLog().registrations(null)]).toEqual([0, []]);
    restore();
  });

  it('are checkpoints in the order of their sizes', () => {
    expect(readLog().checkpoints()).toEqual([
      { size: 5, at: 2, note: 'note of 5' },
      { size: 900, at: 1, note: 'note of 900' },
    ]);
  });
});

describe('readings', () => {
  const position = (seq: number) => ({ seq: BigInt(seq), timestamp: BigInt(START + seq * MINUTE) });

  it('have their entry and its index, if it is hashed', () => {
    const log = readLog();
    const [one, three] = log.readings(1, WHOLE, null, 2);
    expect(one).toEqual({ ...position(1), receivedAt: START + MINUTE + 7, index: 2, text: expect.any(String) });
    expect(three).toEqual({ ...position(3), receivedAt: START + 3 * MINUTE + 5, index: 4, text: expect.any(String) });
    expect(parseEntry(one!.text)).toEqual({
      ...{ kind: 'reading', device: first.id, seq: '1', timestamp: String(START + MINUTE) },
      ...{ receivedAt: START + MINUTE + 5, clock: CLOCK, keyVersion: 0, signed: null, fields: new Map([['ph', 1]]) },
    });
    const last = log.readings(1, WHOLE, position(READINGS - 2), 99).map(({ seq, index }) => [seq, index]);
    expect(last).toEqual([[BigInt(READINGS), SIZE - 2], ...[1, 2, 3].map((more) => [BigInt(READINGS + more), null])]);
    execute('UPDATE readings SET entry = NULL WHERE seq = 2');
    expect(log.readings(2, WHOLE, null, 2).map(({ index }) => index)).toEqual([null, 5]);
    restore();
  });

  it('are those of a span, after a position and up to a limit over all stretches', () => {
    execute('UPDATE readings SET timestamp = -1 WHERE seq = 4; UPDATE readings SET timestamp = -2 WHERE seq = 2');
    const log = readLog();
    const last = READINGS - 1;
    const seqs = (span: object, after: number | null, limit: number) => {
      const found = log.readings(2, { ...WHOLE, ...span }, after === null ? null : position(after), limit);
      return found.map(({ seq }) => Number(seq));
    };
    expect(seqs({}, last - 2, 0)).toEqual([]);
    expect(seqs({}, last - 2, 1)).toEqual([last]);
    expect(seqs({}, last - 2, 2)).toEqual([last, 2]);
    expect(seqs({}, last - 2, 9)).toEqual([last, 2, 4]);
    const late = log.readings(2, WHOLE, position(last), 9);
    expect(late.map(({ timestamp }) => timestamp)).toEqual([MAX_UINT64 - 1n, MAX_UINT64]);
    expect(seqs({ from: position(6).timestamp, to: position(9).timestamp }, null, 9)).toEqual([6, 8]);
    const arrivals = { axis: 'received', from: BigInt(START), to: BigInt(START + 6 * MINUTE + 5) };
    expect(seqs(arrivals, 2, 9)).toEqual([4, 6]);
    restore();
  });
});

describe('a check', () => {
  const HASH = 'hash = zeroblob(32)';
  const BLOCKS = [0, 1, 2, 3, 4];
  afterEach(restore);

  it('finds nothing in a good log, nor beyond its end', () => {
    const log = readLog();
    expect(BLOCKS.map((block) => log.check(block))).toEqual([[], [], [], [], []]);
    expect(log.check(5)).toEqual([]);
  });

  it.each([
    ['a changed reading', 'UPDATE readings SET ph = 0 WHERE seq = 1', 2, 'changed', 1],
    ['a lost reading', 'DELETE FROM readings WHERE seq = 255', 256, 'deleted', null],
    ['a lost leaf', 'DELETE FROM log_leaves WHERE entry = 255', 255, 'hash', 254],
    ['a changed leaf', `UPDATE log_leaves SET ${HASH} WHERE entry = 1024`, 1024, 'changed', 1023],
    ['a changed last leaf', `UPDATE log_leaves SET ${HASH} WHERE entry = ${SIZE - 1}`, SIZE - 1, 'changed', null],
    ['a changed entry', "UPDATE log_entries SET content = 'x' WHERE entry = 0", 0, 'changed', null],
    ['a lost entry', 'DELETE FROM log_entries WHERE entry = 1', 1, 'deleted', null],
  ])('finds %s', (_name, sql, index, kind, seq) => {
    execute(sql);
    const block = Math.floor(index / 256);
    const reading = seq === null ? null : { device: DEVICES[(seq + 1) % 2]!.id, seq: `${seq}` };
    expect(readLog().check(block)).toEqual([{ index, kind, reading }]);
    expect(readLog().check(block === 0 ? 1 : block - 1)).toEqual([]);
  });

  it('does not miss a reading that the program deleted', () => {
    execute('DELETE FROM readings WHERE seq = 9; UPDATE log_leaves SET is_deleted = 1 WHERE entry = 10');
    expect(readLog().check(0)).toEqual([]);
  });

  it.each([
    ['level = 8 AND position = 0', [0, 1]],
    ['level = 8 AND position = 1', [1]],
    ['level = 8 AND position = 2', [2, 3]],
    ['level = 8 AND position = 3', [3]],
    ['level = 9 AND position = 0', [1, 3]],
    ['level = 9 AND position = 1', [3]],
    ['level = 10', [3]],
  ])('finds a wrong or lost hash of %s', (where, blocks) => {
    execute('DELETE FROM readings; DELETE FROM log_entries; UPDATE log_leaves SET is_deleted = 1');
    for (const sql of [`UPDATE log_nodes SET ${HASH} WHERE ${where}`, `DELETE FROM log_nodes WHERE ${where}`]) {
      execute(sql);
      expect(BLOCKS.filter((block) => readLog().check(block).length > 0)).toEqual(blocks);
      const index = blocks[0]! * 256;
      expect(readLog().check(blocks[0]!)).toEqual([{ index, kind: 'hash', reading: null }]);
    }
  });
});

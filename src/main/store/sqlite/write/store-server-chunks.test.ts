import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeFolder } from '../../../../../test/support/node-process.ts';
import {
  makeServedTemplate,
  SERVED_ID,
  type ServedBlock,
  ServedStore,
} from '../../../../../test/support/served-store.ts';
import { FIELD_NAMES } from '../../../../shared/protocol/fields.ts';
import { Fate } from '../../verifier/packed-blocks.ts';
import type { ReadingRow, WriteJob } from './write-jobs.ts';
import { WriterConnection } from './writer-connection.ts';

const { GOOD, BAD_SIGNATURE, STORED, DUPLICATE, NOT_STORED, FAILED, UNCHECKED } = Fate;
const HOUR = 3_600_000;
const MINUTE = 60_000;
let template: string;
let store: ServedStore;
beforeAll(() => {
  template = makeServedTemplate();
});
afterAll(() => removeFolder(template));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  store = new ServedStore(template);
});
afterEach(() => {
  vi.restoreAllMocks();
  store.send(null);
  while (store.server.writeGroup());
  store.server.close();
  store.dispose();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTime(ms);
function serve(...args: Parameters<ServedStore['serve']>): void {
  store.serve(...args);
  store.replies();
}
/** Lets the server write one group. Returns its replies. */
function written(): unknown[] {
  expect(store.server.writeGroup()).toBe(true);
  return store.replies();
}
const count = (outcome: string, rideMs?: number): WriteJob => ({
  ...{ kind: 'count', rideMs },
  counts: { withheld: [], outcomes: [{ hour: 1, outcome, count: 1 }], unregistered: null },
});
const reading = (seq: number, hour: number): WriteJob => {
  const fields = FIELD_NAMES.map(() => null);
  return { kind: 'append', rows: [[SERVED_ID, 0, null, null, seq, hour * HOUR, 0, 0, ...fields] as ReadingRow] };
};
const blocks = (length: number): ServedBlock[] => Array.from({ length }, () => ({}));
const seqs = () => store.values('SELECT seq FROM readings ORDER BY entry');

describe('a chunk', () => {
  it('gets the fates of its blocks, and is answered by the number of the next one if all is stored', () => {
    serve();
    store.put([{ seq: 1 }, { seq: 1 }, {}, { seq: 2, fate: BAD_SIGNATURE }, { fate: BAD_SIGNATURE }]);
    expect(written()).toEqual([1]);
    expect(store.fates(0)).toEqual([STORED, DUPLICATE, GOOD, BAD_SIGNATURE, BAD_SIGNATURE]);
    expect([store.memory.done, seqs(), store.server.writeGroup()]).toEqual([1, [1], false]);
  });

  it('with nothing to store is finished too', () => {
    serve();
    const begin = vi.spyOn(Object.getPrototypeOf(store.other.prepare('SELECT 1')), 'run');
    store.put([{}, { seq: 2, fate: BAD_SIGNATURE }]);
    expect(written()).toEqual([{ outcomes: [], end: 1, chunks: 'nothing' }]);
    expect(store.fates(0)).toEqual([GOOD, BAD_SIGNATURE]);
    expect([store.memory.done, seqs(), begin.mock.calls]).toEqual([1, [], []]);
  });

  it('is written after the jobs, in one group', () => {
    serve();
    store.put([{ seq: 1 }]);
    store.put([{}]);
    store.put([{ seq: 2 }]);
    store.sendJobs(8, reading(1, 0), count('a'));
    const appended = { fates: Uint8Array.of(STORED), receivedAt: Float64Array.of(0) };
    const outcomes = [
      [8, { ok: true, result: appended }],
      [9, { ok: true, result: null }],
    ];
    expect(written()).toEqual([{ outcomes, end: 3, chunks: 'stored' }]);
    expect([store.fates(0), store.fates(1), store.fates(2)]).toEqual([[DUPLICATE], [GOOD], [STORED]]);
  });

  it('waits until it and those before it are checked', () => {
    serve();
    const first = store.put([{ seq: 1, fate: UNCHECKED }], false);
    store.put([{ seq: 2 }]);
    expect(store.server.writeGroup()).toBe(false);
    store.sendJobs(1, count('a'));
    expect(written()).toMatchObject([{ end: 0, chunks: 'nothing' }]);
    store.memory.markChecked(first);
    expect(written()).toEqual([2]);
    expect(seqs()).toEqual([2]);
  });

  it('is in a group with fewer than 200 jobs and blocks before it', () => {
    serve();
    for (const length of [100, 99, 5, 1]) store.put(blocks(length));
    expect(written()).toMatchObject([{ end: 3 }]);
    expect(written()).toMatchObject([{ end: 4 }]);
    for (const length of [100, 100, 1]) store.put(blocks(length));
    expect(written()).toMatchObject([{ end: 6 }]);
    store.sendJobs(1, ...Array.from({ length: 198 }, () => count('a')));
    store.put(blocks(1));
    store.put(blocks(1));
    expect(written()).toMatchObject([{ end: 8 }]);
    store.sendJobs(1, ...Array.from({ length: 200 }, () => count('a')));
    expect(written()).toMatchObject([{ end: 8 }]);
    expect(written()).toMatchObject([{ end: 9 }]);
  });

  it('is skipped if it was given up before the store was opened', () => {
    serve(1);
    store.put([{ seq: 1 }]);
    expect(written()).toEqual([{ outcomes: [], end: 1, chunks: 'nothing' }]);
    expect(store.fates(0)).toEqual([GOOD]);
    store.put([{ seq: 2 }]);
    expect(written()).toEqual([2]);
    expect(seqs()).toEqual([2]);
  });

  it('is skipped in a group with others that are not', () => {
    serve(2);
    for (const seq of [1, 2, 3]) store.put([{ seq }]);
    store.sendJobs(1, count('a', 1000));
    expect(written()).toEqual([{ outcomes: [[1, { ok: true, result: null }]], end: 3, chunks: 'stored' }]);
    expect([store.fates(0), store.fates(1), store.fates(2)]).toEqual([[GOOD], [GOOD], [STORED]]);
  });

  it('is not stored if the store has no room', () => {
    serve(0, { bounds: { maxDevices: 1, maxBytes: 1, minFreeBytes: 0, minFreePart: 0 } });
    store.put([{ seq: 1 }, {}, { seq: 2, fate: BAD_SIGNATURE }]);
    const full = { ok: false, code: 'limit', message: 'the store holds its limit of 1 bytes', engineCode: null };
    expect(written()).toEqual([{ outcomes: [], end: 1, chunks: full }]);
    expect(store.fates(0)).toEqual([NOT_STORED, GOOD, BAD_SIGNATURE]);
    expect(store.memory.done).toBe(1);
  });

  it('has failed if it is at fault itself, and others are stored', () => {
    serve();
    store.other.exec(`CREATE TRIGGER t BEFORE INSERT ON readings WHEN new.seq = 2
      BEGIN SELECT RAISE(ABORT, 'fault'); END`);
    for (const seq of [1, 2, 3]) store.put([{ seq }, {}]);
    const failed = { ok: false, code: null, message: 'fault', engineCode: 'SQLITE_CONSTRAINT_TRIGGER' };
    expect(written()).toEqual([{ outcomes: [], end: 3, chunks: failed }]);
    expect([0, 1, 2].map((ticket) => store.fates(ticket))).toEqual([
      [STORED, GOOD],
      [FAILED, GOOD],
      [STORED, GOOD],
    ]);
    expect(seqs()).toEqual([1, 3]);
  });
});

describe('sums', () => {
  const hoursLeft = () => store.values('SELECT count(*) FROM dirty_hours')[0];
  const dueIn = () => store.server.dueAt - performance.now();
  /** Opens the store with hours to sum up, of which ten at a time take so many milliseconds. */
  function serveHours(count: number, ms: number): void {
    for (let hour = 0; hour < count; hour += 1) store.other.exec(`INSERT INTO dirty_hours VALUES (1, ${hour})`);
    serve();
    const pragma = Database.prototype.pragma;
    vi.spyOn(Database.prototype, 'pragma').mockImplementation(function (this: Database.Database, text, options) {
      if (text === 'synchronous = NORMAL') pass(ms);
      return pragma.call(this, text, options);
    });
  }

  it('are made every second, for 40 ms while nothing is written, and soon again if hours are left', () => {
    serveHours(50, 20);
    pass(999);
    store.server.sumUp();
    expect([hoursLeft(), dueIn()]).toEqual([50, 1]);
    pass(1);
    store.server.sumUp();
    expect([hoursLeft(), dueIn()]).toEqual([30, 40]);
    pass(40);
    store.server.sumUp();
    expect([hoursLeft(), dueIn()]).toEqual([10, 40]);
    pass(40);
    store.server.sumUp();
    expect([hoursLeft(), dueIn()]).toEqual([0, 1000]);
  });

  it('are made for 5 ms every second beside writes', () => {
    serveHours(50, 5);
    store.sendJobs(1, count('a'));
    written();
    pass(1000);
    store.server.sumUp();
    expect([hoursLeft(), dueIn()]).toEqual([40, 1000]);
    pass(1000);
    store.server.sumUp();
    expect([hoursLeft(), dueIn()]).toEqual([0, 1000]);
  });

  it('of the last hour of a silent device are looked for every five minutes', () => {
    serve();
    store.sendJobs(1, reading(1, 5));
    written();
    const hours = () => {
      store.server.sumUp();
      return store.values('SELECT hour FROM hourly_rollups');
    };
    pass(65 * MINUTE - 1);
    expect(hours()).toEqual([]);
    pass(5 * MINUTE - 1);
    expect(hours()).toEqual([]);
    pass(1);
    // The sums themselves are not due yet.
    expect(hours()).toEqual([]);
    pass(999);
    expect(hours()).toEqual([5]);
  });

  it('of silent devices are looked for after five minutes, and then every five minutes', () => {
    serve();
    const find = vi.spyOn(WriterConnection.prototype, 'findHoursThatAreOver');
    const found = [5 * MINUTE - 1, 1, 5 * MINUTE - 1, 1].map((ms) => {
      pass(ms);
      store.server.sumUp();
      return find.mock.calls.length;
    });
    expect(found).toEqual([0, 1, 1, 2]);
  });
});

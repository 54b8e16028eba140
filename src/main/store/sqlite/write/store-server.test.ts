import { renameSync } from 'node:fs';
import { MessagePort } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeFolder } from '../../../../../test/support/node-process.ts';
import { makeServedTemplate, ServedStore } from '../../../../../test/support/served-store.ts';
import type { WriteJob } from './write-jobs.ts';
import { busyOutcome } from './writer-connection.ts';

const OK = { ok: true, result: null };
let template: string;
let store: ServedStore;
beforeAll(() => {
  template = makeServedTemplate();
});
afterAll(() => removeFolder(template));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  store = new ServedStore(template);
  store.serve();
  store.replies();
});
afterEach(() => {
  vi.restoreAllMocks();
  if (store.other.inTransaction) store.unlock();
  store.send(null);
  vi.advanceTimersByTime(10_000);
  while (store.server.writeGroup());
  store.server.close();
  store.dispose();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTime(ms);
const count = (outcome: string, rideMs?: number): WriteJob => ({
  ...{ kind: 'count', rideMs },
  counts: { withheld: [], outcomes: [{ hour: 1, outcome, count: 1 }], unregistered: null },
});
const outcomes = () => store.values('SELECT outcome FROM hourly_counts ORDER BY outcome');
/** Lets the server write all it can now. Returns the ids of the jobs of each group. */
function written(): number[][] {
  while (store.server.writeGroup());
  const replies = store.replies() as { outcomes: [number, unknown][] }[];
  return replies.map((reply) => reply.outcomes.map(([id]) => id));
}
const dueIn = () => store.server.dueAt - performance.now();

describe('jobs', () => {
  it('are written together, and answered with their numbers', () => {
    const opened = new ServedStore(template);
    opened.serve();
    expect(opened.replies()).toEqual(['ready']);
    expect(opened.server.writeGroup()).toBe(false);
    opened.sendJobs(5, count('a'), { kind: 'deleteEntry', id: 1 });
    expect(opened.replies()).toEqual([]);
    expect(opened.server.writeGroup()).toBe(true);
    const both = [
      [5, OK],
      [6, { ok: true, result: false }],
    ];
    expect(opened.replies()).toEqual([{ outcomes: both, end: 0, chunks: 'nothing' }]);
    expect(opened.values('SELECT outcome FROM hourly_counts')).toEqual(['a']);
    expect([opened.server.writeGroup(), opened.replies()]).toEqual([false, []]);
    opened.send(null);
    expect(opened.server.close()).toBe(true);
    opened.dispose();
  });

  it('are at most 200 in a group', () => {
    store.sendJobs(0, ...Array.from({ length: 401 }, () => count('a')));
    expect(written().map((ids) => [ids[0], ids.length])).toEqual([
      [0, 200],
      [200, 200],
      [400, 1],
    ]);
  });

  it('that can’t be part of a group are run alone, in their turn', () => {
    const lone: WriteJob[] = [{ kind: 'compact' }, { kind: 'setDurability', durability: 'normal' }];
    store.sendJobs(1, count('a'), count('b'), ...lone, count('c'));
    expect(written()).toEqual([[1, 2], [3], [4], [5]]);
    store.sendJobs(0, ...Array.from({ length: 201 }, () => count('a')), lone[0]!);
    expect(written().map((ids) => ids.length)).toEqual([200, 1, 1]);
    const ticket = store.put([{}]);
    store.sendJobs(1, count('d', 500));
    store.sendJobs(2, lone[0]!);
    store.server.writeGroup();
    expect(store.replies()).toEqual([{ outcomes: [[2, OK]], end: ticket, chunks: 'nothing' }]);
    store.server.writeGroup();
    expect(store.replies()).toEqual([{ outcomes: [], end: ticket + 1, chunks: 'nothing' }]);
    expect(outcomes()).toEqual(['a', 'b', 'c']);
  });
});

describe('jobs that ride along', () => {
  it('are written before the jobs of the next group', () => {
    store.sendJobs(1, count('a', 500), count('b', 500));
    expect(written()).toEqual([]);
    const pragma = vi.spyOn(Database.prototype, 'pragma');
    store.sendJobs(3, count('c'));
    expect(written()).toEqual([[1, 2, 3]]);
    expect(pragma).not.toHaveBeenCalled();
    expect(outcomes()).toEqual(['a', 'b', 'c']);
  });

  it('are written alone and without a sync when their time is over', () => {
    expect(dueIn()).toBe(1000);
    store.sendJobs(1, count('a', 500));
    pass(100);
    store.sendJobs(2, count('b', 2000));
    expect(dueIn()).toBe(400);
    pass(399);
    expect(written()).toEqual([]);
    pass(1);
    const pragma = vi.spyOn(Database.prototype, 'pragma');
    expect(store.server.writeGroup()).toBe(true);
    expect(pragma.mock.calls[0]).toEqual(['synchronous = NORMAL']);
    const both = [
      [1, OK],
      [2, OK],
    ];
    expect(store.replies()).toEqual([{ outcomes: both, end: 0, chunks: 'nothing' }]);
    store.sendJobs(3, count('c', 2000));
    expect(dueIn()).toBe(500);
  });

  it('go with a chunk that is stored, and not with one that stores nothing', () => {
    store.sendJobs(1, count('a', 500));
    store.put([{}]);
    store.server.writeGroup();
    expect(store.replies()).toEqual([{ outcomes: [], end: 1, chunks: 'nothing' }]);
    store.put([{}]);
    store.put([{ seq: 1 }]);
    store.server.writeGroup();
    expect(store.replies()).toEqual([{ outcomes: [[1, OK]], end: 3, chunks: 'stored' }]);
  });

  it('are written at once when the store is to be closed', () => {
    store.sendJobs(1, count('a', 500));
    store.send(null);
    expect(store.server.close()).toBe(false);
    expect(written()).toEqual([[1]]);
  });
});

describe('while another process uses the store', () => {
  it('a group is tried again every 25 ms, and later jobs wait', () => {
    store.lock();
    store.sendJobs(1, count('a'));
    expect([store.server.writeGroup(), store.replies(), dueIn()]).toEqual([true, [], 25]);
    store.send(null);
    expect(store.server.close()).toBe(false);
    store.sendJobs(2, count('b'), count('c', 5));
    store.unlock();
    pass(24);
    expect([store.server.writeGroup(), dueIn()]).toEqual([false, 1]);
    pass(1);
    store.lock();
    expect([store.server.writeGroup(), dueIn()]).toEqual([true, 25]);
    store.unlock();
    pass(25);
    expect(written()).toEqual([[1], [3, 2]]);
    pass(940);
    store.lock();
    store.sendJobs(4, count('d'));
    // The sums are due before the next try.
    expect([store.server.writeGroup(), dueIn()]).toEqual([true, 10]);
  });

  it('a group is given up 4 s after its first job or chunk was sent', () => {
    const ticket = store.put([{ seq: 1 }, {}]);
    pass(2000);
    store.sendJobs(1, count('a'));
    store.lock();
    pass(1999);
    store.server.writeGroup();
    expect(store.replies()).toEqual([]);
    pass(25);
    expect(store.server.writeGroup()).toBe(true);
    expect(store.replies()).toEqual([{ outcomes: [[1, busyOutcome]], end: ticket + 1, chunks: busyOutcome }]);
    store.sendJobs(2, count('b'));
    pass(4000);
    store.server.writeGroup();
    expect(store.replies()).toEqual([{ outcomes: [[2, busyOutcome]], end: ticket + 1, chunks: 'nothing' }]);
    store.unlock();
    expect(outcomes()).toEqual([]);
  });
});

describe('a store that was opened when it could not be written', () => {
  const fault = () => {
    throw new Database.SqliteError('attempt to write a readonly database', 'SQLITE_READONLY');
  };
  const failed = {
    ...{ ok: false, code: 'read_only', message: 'attempt to write a readonly database' },
    engineCode: 'SQLITE_READONLY',
  };
  let statement: Database.Statement;
  beforeEach(() => {
    statement = Object.getPrototypeOf(store.other.prepare('SELECT 1')) as Database.Statement;
  });
  /** Returns the statements about the level of syncs since the call, of which each opening has two. */
  function levels(): () => string[] {
    const pragma = vi.spyOn(Database.prototype, 'pragma');
    return () => pragma.mock.calls.map(([text]) => text).filter((text) => /^synchronous = /.test(text));
  }

  it('is opened again after a group fails, with the newest level of syncs', () => {
    store.sendJobs(1, { kind: 'setDurability', durability: 'normal' });
    written();
    const opened = levels();
    const close = vi.spyOn(Database.prototype, 'close');
    vi.spyOn(statement, 'run').mockImplementationOnce(fault);
    store.sendJobs(1, count('a'), count('b'));
    store.server.writeGroup();
    expect(store.replies()).toMatchObject([
      {
        outcomes: [
          [1, failed],
          [2, failed],
        ],
      },
    ]);
    expect([opened(), close.mock.calls.length]).toEqual([['synchronous = normal', 'synchronous = normal'], 2]);
    store.sendJobs(3, count('c'));
    expect(written()).toEqual([[3]]);
    expect(outcomes()).toEqual(['c']);
  });

  it('is opened again when a trial fails, and otherwise stays open', () => {
    const opened = levels();
    store.send({ wasRefusing: false }, { wasRefusing: true });
    expect([store.replies(), opened()]).toEqual([[{ refusal: null }, { refusal: null }], []]);
    store.lock();
    store.send({ wasRefusing: true });
    expect([store.replies(), opened()]).toEqual([[{ refusal: busyOutcome }], []]);
    store.unlock();
    vi.spyOn(Database.prototype, 'pragma').mockImplementationOnce(fault);
    store.send({ wasRefusing: true });
    expect([store.replies(), opened().length]).toEqual([[{ refusal: failed }], 2]);
  });

  it('stays open after another fault, and after nothing to write', () => {
    const opened = levels();
    store.sendJobs(1, count(null as never));
    store.put([{}]);
    store.server.writeGroup();
    store.put([{}]);
    store.server.writeGroup();
    expect([store.replies().length, opened()]).toEqual([2, []]);
  });

  // Windows can't rename an open file.
  it.skipIf(process.platform === 'win32')('stays as it is if it can’t be opened again', () => {
    renameSync(store.path, `${store.path}.away`);
    vi.spyOn(statement, 'run').mockImplementationOnce(fault);
    store.sendJobs(2, count('a'));
    store.server.writeGroup();
    expect(store.replies()).toMatchObject([{ outcomes: [[2, failed]] }]);
    renameSync(`${store.path}.away`, store.path);
    store.sendJobs(3, count('b'));
    expect(written()).toEqual([[3]]);
    expect(outcomes()).toEqual(['b']);
  });
});

describe('closing', () => {
  it('waits for the request and for all jobs, and then closes the port', () => {
    const closePort = vi.spyOn(MessagePort.prototype, 'close');
    expect(store.server.close()).toBe(false);
    store.sendJobs(1, count('a'));
    store.send(null);
    expect([store.server.close(), store.replies()]).toEqual([false, []]);
    store.server.writeGroup();
    expect(store.replies()).toHaveLength(1);
    expect([store.server.close(), store.replies()]).toEqual([true, ['closed']]);
    expect(closePort).toHaveBeenCalledTimes(1);
    expect(outcomes()).toEqual(['a']);
  });
});

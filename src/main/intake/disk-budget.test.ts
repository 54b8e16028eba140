import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Room } from '../../shared/owner-api/storage.ts';
import { DiskBudget, type DiskBudgetDependencies, heaviest } from './disk-budget.ts';

const GIB = 1024 ** 3;
const HOUR_MS = 3_600_000;

describe('heaviest devices', () => {
  const names = (counts: Record<string, number>) => [...heaviest(new Map(Object.entries(counts)))].sort();

  it('are those that sent more than ten times the median', () => {
    expect(names({ one: 1000, two: 1000, three: 1000, flood: 10_000 })).toEqual([]);
    expect(names({ one: 1000, two: 1000, three: 1000, flood: 10_001 })).toEqual(['flood']);
  });

  it('are judged by the lower median of an even number', () => {
    expect(names({ one: 100, flood: 100_000 })).toEqual(['flood']);
    expect(names({ flood: 100_000, one: 100 })).toEqual(['flood']);
    expect(names({ flood: 10_001, four: 1001, one: 1000, other: 9999 })).toEqual([]);
  });

  it('do not exist if there is only one device, or if no device sent more than two buffers', () => {
    expect(names({})).toEqual([]);
    expect(names({ only: 1_000_000 })).toEqual([]);
    expect(names({ one: 1, two: 1, reconnected: 100 })).toEqual([]);
    expect(names({ one: 1, two: 1, flood: 101 })).toEqual(['flood']);
  });

  it('are never more than half of all', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { minLength: 1 }), (counts) => {
        const sent = new Map(counts.map((count, index) => [String(index), count]));
        expect(heaviest(sent).size).toBeLessThanOrEqual(counts.length / 2);
      }),
    );
  });
});

describe('the budget of the disk', () => {
  let room: Room | null;
  let at: number;
  let told: number;
  let budget: DiskBudget;
  beforeEach(() => {
    room = { freeBytes: 0.5 * GIB, totalBytes: 100 * GIB, isLow: true };
    at = 0;
    told = 0;
    budget = newBudget();
    return () => budget.close();
  });
  const newBudget = (changes: Partial<DiskBudgetDependencies> = { steady: () => at }) =>
    new DiskBudget({
      room: async () => room,
      now: () => 1_790_000_000_000 + at,
      onRefused: () => {
        told += 1;
      },
      ...changes,
    });
  const send = (id: string, count: number) => {
    for (let sent = 0; sent < count; sent += 1) budget.stored(id);
  };

  describe('looks at the disk', () => {
    let looks: number;
    beforeEach(() => {
      vi.useFakeTimers();
      looks = 0;
      budget = newBudget({
        room: async () => {
          looks += 1;
          return room;
        },
      });
      return () => void vi.useRealTimers();
    });

    it.each([
      ['a reading', () => budget.stored('one')],
      ['a registration', () => budget.registered()],
    ])('a second after %s, and not again', async (_what, come) => {
      come();
      await vi.advanceTimersByTimeAsync(900);
      come();
      await vi.advanceTimersByTimeAsync(99);
      expect(looks).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
      expect([looks, vi.getTimerCount()]).toEqual([1, 0]);
      come();
      await vi.advanceTimersByTimeAsync(1000);
      expect(looks).toBe(2);
    });

    it('each second while it refuses a device', async () => {
      for (const id of ['one', 'two']) send(id, 1);
      send('flood', 101);
      await vi.advanceTimersByTimeAsync(1000);
      expect(budget.isOver('flood')).toBe(true);
      await vi.advanceTimersByTimeAsync(3000);
      expect(looks).toBe(4);
      room = { freeBytes: 50 * GIB, totalBytes: 100 * GIB, isLow: false };
      await vi.advanceTimersByTimeAsync(1000);
      expect([budget.isOver('flood'), looks, vi.getTimerCount()]).toEqual([false, 5, 0]);
    });

    it.each([
      ['a reading', () => budget.stored('one')],
      ['nothing', () => {}],
    ])('no more once it is closed, after %s', (_which, before) => {
      before();
      budget.close();
      budget.stored('one');
      budget.registered();
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  it('refuses the device that floods, and no other', async () => {
    for (const id of ['one', 'two', 'three']) send(id, 20);
    send('flood', 201);
    expect(budget.isOver('flood')).toBe(false);
    await budget.look();
    expect(['one', 'two', 'three', 'flood', 'new'].filter((id) => budget.isOver(id))).toEqual(['flood']);
    budget.note('flood');
    at += 1000;
    budget.note('flood');
    expect(budget.refused).toEqual([{ id: 'flood', since: 1_790_000_000_000, lastAt: 1_790_000_001_000, refused: 2 }]);
    expect(told).toBe(1);
  });

  it.each([
    [GIB - 1, 100 * GIB, true],
    [GIB, 100 * GIB, false],
    [0.2 * GIB - 1, GIB, true],
    [0.2 * GIB, GIB, false],
    [0.2 * GIB + 1, GIB, false],
  ])('with %d of %d bytes free: %s', async (freeBytes, totalBytes, isOver) => {
    send('one', 1);
    send('flood', 1000);
    room = { freeBytes, totalBytes, isLow: true };
    await budget.look();
    expect(budget.isOver('flood')).toBe(isOver);
  });

  it('accepts the device again once there is space, and if the system does not report the space', async () => {
    send('one', 1);
    send('flood', 1000);
    await budget.look();
    expect(budget.isOver('flood')).toBe(true);
    room = { ...room!, freeBytes: 2 * GIB };
    await budget.look();
    expect(budget.isOver('flood')).toBe(false);
    room = null;
    await budget.look();
    expect(budget.isOver('flood')).toBe(false);
  });

  it('forgets readings after a day', async () => {
    send('flood', 1000);
    at += 23 * HOUR_MS;
    send('one', 1);
    await budget.look();
    expect(budget.isOver('flood')).toBe(true);
    at += HOUR_MS;
    await budget.look();
    expect(budget.isOver('flood')).toBe(false);
    at += 1000 * HOUR_MS;
    send('one', 1);
    send('flood', 101);
    await budget.look();
    expect(budget.isOver('flood')).toBe(true);
  });

  it('forgets readings after a day also if none came for long before them', async () => {
    at = 1000 * HOUR_MS;
    send('one', 1);
    send('flood', 101);
    at += 23 * HOUR_MS;
    send('one', 1);
    await budget.look();
    expect(budget.isOver('flood')).toBe(true);
    at += HOUR_MS;
    await budget.look();
    expect(budget.isOver('flood')).toBe(false);
  });

  it('adds up the hours of a day', async () => {
    send('one', 1);
    send('flood', 50);
    at += HOUR_MS;
    send('flood', 50);
    await budget.look();
    expect(budget.isOver('flood')).toBe(false);
    at += HOUR_MS - 1;
    send('flood', 1);
    await budget.look();
    expect(budget.isOver('flood')).toBe(true);
  });

  it('measures hours by the monotonic clock of the machine', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      budget = newBudget({});
      send('one', 1);
      send('flood', 1000);
      vi.advanceTimersByTime(24 * HOUR_MS - 1);
      await budget.look();
      expect(budget.isOver('flood')).toBe(true);
      vi.advanceTimersByTime(1);
      await budget.look();
      expect(budget.isOver('flood')).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });
});

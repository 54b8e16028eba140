import { existsSync, readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BEGIN, ClockUnderTest, DAY, HOUR, MINUTE } from '../../../test/support/clock-under-test.ts';
import { EARLIEST_MS, STEP_MS } from './clock-rule.ts';
import { MACHINE_CLOCKS } from './machine-clocks.ts';

let node: ClockUnderTest;
beforeEach(() => {
  node = new ClockUnderTest();
});
afterEach(() => {
  node.end();
  vi.useRealTimers();
});

describe('before it is started', () => {
  it('returns the machine’s time, which is not known to be right', () => {
    node.clock.look();
    expect(node.clock.now()).toBe(BEGIN);
    expect(node.clock.arrival()).toEqual({ receivedAt: BEGIN, clock: 0 });
    expect([node.clock.isKnown, node.clock.isSteady]).toEqual([false, false]);
    expect(node.clock.info).toEqual({ state: 'unsure', aheadMs: 0, lastStep: null });
  });
});

describe('a machine whose clock is right', () => {
  it('is known after an hour, reports it once, and dates arrivals with the number 0', () => {
    node.start();
    expect(node.clock.info.state).toBe('unsure');
    const { clock: number } = node.clock.arrival();
    expect(number).toBeGreaterThan(0);
    node.machine.pass(HOUR);
    node.clock.look();
    expect(node.clock.info).toEqual({ state: 'known', aheadMs: 0, lastStep: null });
    expect(node.clock.arrival()).toEqual({ receivedAt: BEGIN + HOUR, clock: 0 });
    expect(node.logged).toEqual(['the clock is known to be right']);
    node.machine.pass(MINUTE);
    node.clock.look();
    expect([node.changes, node.moved, node.clock.shifts]).toEqual([1, [], []]);
  });

  it('returns whole milliseconds, also if the machine’s have fractions', () => {
    node.startKnown();
    node.machine.wallAt += 0.6;
    node.machine.up += 0.6;
    expect(node.clock.now()).toBe(BEGIN + HOUR + 1);
    expect(node.clock.steady()).toBe(node.machine.steady());
  });

  it('is checked every second, until it is stopped', () => {
    vi.useFakeTimers();
    node.start();
    node.machine.pass(HOUR);
    vi.advanceTimersByTime(999);
    expect(node.clock.isKnown).toBe(false);
    vi.advanceTimersByTime(1);
    expect(node.clock.isKnown).toBe(true);
    node.clock.stop();
    node.machine.wallAt += DAY;
    vi.advanceTimersByTime(5000);
    expect(node.clock.info.lastStep).toBeNull();
  });

  it('calls once after a time, unless that is cancelled', () => {
    vi.useFakeTimers();
    node.start();
    const calls: string[] = [];
    node.clock.after(1000, () => calls.push('kept'));
    node.clock.after(1000, () => calls.push('called off'))();
    vi.advanceTimersByTime(999);
    expect(calls).toEqual([]);
    vi.advanceTimersByTime(5000);
    expect(calls).toEqual(['kept']);
  });
});

describe('a clock that is set', () => {
  it('is noticed by a call of now() before the next check, and time continues as before', () => {
    node.startKnown();
    node.machine.pass(500);
    node.machine.wallAt += DAY;
    expect(node.clock.now()).toBe(BEGIN + HOUR + 500);
    expect(node.clock.info).toEqual({ state: 'held', aheadMs: -DAY, lastStep: { at: BEGIN + HOUR + 500, by: DAY } });
    expect(node.logged.at(-1)).toBe('the clock of this machine was set');
    expect(node.details.at(-1)).toEqual({ byMs: DAY });
    expect([node.changes, node.moved]).toEqual([2, []]);
    expect(node.kept()).toMatchObject({ lastStep: { by: DAY }, state: { lead: -DAY } });
  });

  it('is followed at once if the change is at most five seconds', () => {
    node.startKnown();
    node.machine.wallAt += 1000;
    expect(node.clock.now()).toBe(BEGIN + HOUR + 1000);
    node.machine.wallAt += 4000;
    // The change is noticed, but is within the drift of clocks.
    expect(node.clock.now()).toBe(BEGIN + HOUR + 5000);
    expect(node.clock.info.lastStep).toBeNull();
  });

  it('is followed after five minutes: arrivals meanwhile are moved', () => {
    node.startKnown();
    node.machine.pass(1000);
    node.machine.wallAt += DAY;
    node.clock.look();
    const { clock: number } = node.clock.arrival();
    expect(number).toBeGreaterThan(0);
    node.machine.pass(5 * MINUTE);
    node.clock.look();
    expect(node.clock.now()).toBe(node.machine.wallAt);
    const from = BEGIN + HOUR + 1000;
    expect(node.moved).toEqual([{ by: DAY, from, to: from + 5 * MINUTE }]);
    expect(node.logged.at(-1)).toBe('the node follows the new time: times of arrival are corrected');
    expect(node.details.at(-1)).toEqual({ byMs: DAY, from, to: from + 5 * MINUTE });
    const next = node.clock.arrival().clock;
    expect(next).not.toBe(number);
    expect(node.clock.shifts).toEqual([{ clock: number, next, ...node.moved[0], at: node.machine.wallAt }]);
    expect(node.kept().shifts).toEqual(node.clock.shifts);
    expect(node.clock.info.state).toBe('unsure');
  });

  it('is held if it was set back, and is noticed at the next start of a process', () => {
    node.startKnown();
    node.clock.stop();
    node.machine.wallAt -= DAY;
    node.start();
    expect(node.clock.now()).toBe(BEGIN + HOUR);
    expect(node.clock.info).toEqual({ state: 'held', aheadMs: DAY, lastStep: { at: BEGIN + HOUR, by: -DAY } });
  });

  it('stores the last fifty corrections of a boot', () => {
    node.machine.synchronised = null;
    node.start();
    // A clock that is not known yet is followed at once if it is set ahead.
    for (let days = 1; days <= 55; days += 1) {
      node.machine.pass(1000);
      node.machine.wallAt += days * DAY;
      node.clock.look();
    }
    expect(node.clock.shifts).toHaveLength(50);
    expect(node.clock.shifts[0]!.by).toBe(6 * DAY);
    expect(node.clock.shifts.at(-1)!.by).toBe(55 * DAY);
  });
});

describe('a machine without the time', () => {
  it('continues from the latest known time', () => {
    node.startKnown();
    node.clock.stop();
    node.machine.startAgain(-10 * DAY);
    node.machine.synchronised = false;
    node.start();
    expect(node.clock.now()).toBe(BEGIN + HOUR);
    expect(node.clock.info).toMatchObject({ state: 'unset', aheadMs: 10 * DAY });
    expect(node.logged.at(-1)).toMatch(/is behind the time that was known: it is not set yet$/);
    expect(node.details.at(-1)).toEqual({ behindMs: 10 * DAY });
    // Nobody sets it, but the node does not follow it.
    node.machine.pass(2 * HOUR);
    expect(node.clock.isSteady).toBe(false);
  });

  it('is not unset if its time is behind the known one by five seconds, and is by more', () => {
    node.startKnown();
    for (const [behind, state, lines] of [
      [STEP_MS, 'unsure', 0],
      [STEP_MS + 1, 'unset', 1],
    ] as const) {
      node.clock.stop();
      node.machine.startAgain(BEGIN + HOUR - behind - node.machine.wallAt);
      node.machine.boot = `${behind}`;
      node.machine.synchronised = false;
      node.logged = [];
      node.start();
      expect(node.clock.info).toMatchObject({ state, aheadMs: behind });
      expect(node.logged).toHaveLength(lines);
    }
  });

  it('is steady at the first moment of this program’s first year, and no longer unset', () => {
    node.machine.wallAt = EARLIEST_MS - HOUR;
    node.machine.synchronised = false;
    node.start();
    node.machine.pass(HOUR - 1);
    expect([node.clock.info.state, node.clock.isSteady]).toEqual(['unset', false]);
    node.machine.pass(1);
    expect([node.clock.info.state, node.clock.isSteady]).toEqual(['unsure', true]);
  });

  it('counts as unset in a year before this program’s', () => {
    node.machine.wallAt = 0;
    node.machine.synchronised = null;
    node.start();
    expect(node.clock.info).toMatchObject({ state: 'unset', aheadMs: 0 });
    expect(node.logged).toEqual([]);
    node.machine.pass(2 * HOUR);
    expect(node.clock.isSteady).toBe(false);
  });

  it('is steady after an hour in which nobody set it, although it is never known', () => {
    node.machine.synchronised = false;
    node.start();
    node.machine.pass(HOUR - 1);
    expect([node.clock.isKnown, node.clock.isSteady]).toEqual([false, false]);
    node.machine.pass(1);
    expect([node.clock.isKnown, node.clock.isSteady]).toEqual([false, true]);
  });
});

it('the clocks of this machine are in milliseconds, and each of its starts has its own name if the system gives one', () => {
  const sinceStart = uptime() * 1000;
  expect(MACHINE_CLOCKS.uptime()).toBeGreaterThanOrEqual(sinceStart);
  expect(MACHINE_CLOCKS.uptime()).toBeLessThan(sinceStart + MINUTE);
  expect(Math.abs(MACHINE_CLOCKS.wall() - Date.now())).toBeLessThan(MINUTE);
  expect(MACHINE_CLOCKS.boot).toBe(
    existsSync('/proc/sys/kernel/random/boot_id')
      ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
      : null,
  );
});

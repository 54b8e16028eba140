import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import { EARLIEST_MS, STEP_MS } from './clock-rule.ts';
import { MACHINE_CLOCKS, type MachineClocks } from './machine-clocks.ts';
import { NodeClock } from './node-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BEGIN = Date.UTC(2026, 5, 1);

/** A machine whose clocks the test controls. */
class Machine implements MachineClocks {
  wallAt = BEGIN;
  up = HOUR;
  synchronised: boolean | null = true;
  boot: string | null = 'first';
  wall = () => this.wallAt;
  steady = () => this.up - HOUR + 0.25;
  uptime = () => this.up;
  isSynchronised = () => this.synchronised;

  pass(ms: number): void {
    this.wallAt += ms;
    this.up += ms;
  }

  /** Restarts the machine after `offMs`. */
  startAgain(offMs: number): void {
    this.wallAt += offMs;
    this.up = MINUTE;
    this.boot = 'second';
  }
}

let folder: string;
let machine: Machine;
let clock: NodeClock;
let events: EventBus<NodeEventMap>;
let logged: string[];
let details: object[];
let moved: NodeEventMap['clockMoved'][];
let changes: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wellhouse-clock-'));
  machine = new Machine();
  logged = [];
  details = [];
});
afterEach(() => {
  clock.stop();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

function start(): void {
  const write = (line: string) => {
    const { msg, level, time, pid, hostname, ...more } = JSON.parse(line);
    logged.push(msg);
    details.push(more);
  };
  const log = pino({ level: 'info' }, { write });
  events = new EventBus<NodeEventMap>(log);
  moved = [];
  changes = 0;
  events.on('clockMoved', (move) => void moved.push(move));
  events.on('clockChanged', () => {
    changes += 1;
  });
  clock = new NodeClock({ folder: { path: folder }, events, log, machine });
  clock.start();
}

/** Starts a clock that is known to be right. */
function startKnown(): void {
  start();
  machine.pass(HOUR);
  clock.look();
  expect(clock.isKnown).toBe(true);
}

/** Restarts the process in the same boot. */
function restart(): void {
  clock.stop();
  start();
}

const file = () => join(folder, 'clock.json');
const kept = () => JSON.parse(readFileSync(file(), 'utf8'));

describe('before it is started', () => {
  it('returns the machine’s time, which is not known to be right', () => {
    const log = pino({ level: 'silent' });
    clock = new NodeClock({ folder: { path: folder }, events: new EventBus(log), log, machine });
    clock.look();
    expect(clock.now()).toBe(BEGIN);
    expect(clock.arrival()).toEqual({ receivedAt: BEGIN, clock: 0 });
    expect([clock.isKnown, clock.isSteady]).toEqual([false, false]);
    expect(clock.info).toEqual({ state: 'unsure', aheadMs: 0, lastStep: null });
  });
});

describe('a machine whose clock is right', () => {
  it('is known after an hour, reports it once, and dates arrivals with the number 0', () => {
    start();
    expect(clock.info.state).toBe('unsure');
    const { clock: number } = clock.arrival();
    expect(number).toBeGreaterThan(0);
    machine.pass(HOUR);
    clock.look();
    expect(clock.info).toEqual({ state: 'known', aheadMs: 0, lastStep: null });
    expect(clock.arrival()).toEqual({ receivedAt: BEGIN + HOUR, clock: 0 });
    expect(logged).toEqual(['the clock is known to be right']);
    machine.pass(MINUTE);
    clock.look();
    expect([changes, moved, clock.shifts]).toEqual([1, [], []]);
  });

  it('returns whole milliseconds, also if the machine’s have fractions', () => {
    startKnown();
    machine.wallAt += 0.6;
    machine.up += 0.6;
    expect(clock.now()).toBe(BEGIN + HOUR + 1);
    expect(clock.steady()).toBe(machine.steady());
  });

  it('is checked every second, until it is stopped', () => {
    vi.useFakeTimers();
    start();
    machine.pass(HOUR);
    vi.advanceTimersByTime(999);
    expect(clock.isKnown).toBe(false);
    vi.advanceTimersByTime(1);
    expect(clock.isKnown).toBe(true);
    clock.stop();
    machine.wallAt += DAY;
    vi.advanceTimersByTime(5000);
    expect(clock.info.lastStep).toBeNull();
  });

  it('calls once after a time, unless that is cancelled', () => {
    vi.useFakeTimers();
    start();
    const calls: string[] = [];
    clock.after(1000, () => calls.push('kept'));
    clock.after(1000, () => calls.push('called off'))();
    vi.advanceTimersByTime(999);
    expect(calls).toEqual([]);
    vi.advanceTimersByTime(5000);
    expect(calls).toEqual(['kept']);
  });
});

describe('a clock that is set', () => {
  it('is noticed by a call of now() before the next check, and time continues as before', () => {
    startKnown();
    machine.pass(500);
    machine.wallAt += DAY;
    expect(clock.now()).toBe(BEGIN + HOUR + 500);
    expect(clock.info).toEqual({ state: 'held', aheadMs: -DAY, lastStep: { at: BEGIN + HOUR + 500, by: DAY } });
    expect(logged.at(-1)).toBe('the clock of this machine was set');
    expect(details.at(-1)).toEqual({ byMs: DAY });
    expect([changes, moved]).toEqual([2, []]);
    expect(kept()).toMatchObject({ lastStep: { by: DAY }, state: { lead: -DAY } });
  });

  it('is followed at once if the change is at most five seconds', () => {
    startKnown();
    machine.wallAt += 1000;
    expect(clock.now()).toBe(BEGIN + HOUR + 1000);
    machine.wallAt += 4000;
    // The change is noticed, but is within the drift of clocks.
    expect(clock.now()).toBe(BEGIN + HOUR + 5000);
    expect(clock.info.lastStep).toBeNull();
  });

  it('is followed after five minutes: arrivals meanwhile are moved', () => {
    startKnown();
    machine.pass(1000);
    machine.wallAt += DAY;
    clock.look();
    const { clock: number } = clock.arrival();
    expect(number).toBeGreaterThan(0);
    machine.pass(5 * MINUTE);
    clock.look();
    expect(clock.now()).toBe(machine.wallAt);
    const from = BEGIN + HOUR + 1000;
    expect(moved).toEqual([{ by: DAY, from, to: from + 5 * MINUTE }]);
    expect(logged.at(-1)).toBe('the node follows the new time: times of arrival are corrected');
    expect(details.at(-1)).toEqual({ byMs: DAY, from, to: from + 5 * MINUTE });
    const next = clock.arrival().clock;
    expect(next).not.toBe(number);
    expect(clock.shifts).toEqual([{ clock: number, next, ...moved[0], at: machine.wallAt }]);
    expect(kept().shifts).toEqual(clock.shifts);
    expect(clock.info.state).toBe('unsure');
  });

  it('is held if it was set back, and is noticed at the next start of a process', () => {
    startKnown();
    clock.stop();
    machine.wallAt -= DAY;
    start();
    expect(clock.now()).toBe(BEGIN + HOUR);
    expect(clock.info).toEqual({ state: 'held', aheadMs: DAY, lastStep: { at: BEGIN + HOUR, by: -DAY } });
  });

  it('stores the last fifty corrections of a boot', () => {
    machine.synchronised = null;
    start();
    // A clock that is not known yet is followed at once if it is set ahead.
    for (let days = 1; days <= 55; days += 1) {
      machine.pass(1000);
      machine.wallAt += days * DAY;
      clock.look();
    }
    expect(clock.shifts).toHaveLength(50);
    expect(clock.shifts[0]!.by).toBe(6 * DAY);
    expect(clock.shifts.at(-1)!.by).toBe(55 * DAY);
  });
});

describe('a machine without the time', () => {
  it('continues from the latest known time', () => {
    startKnown();
    clock.stop();
    machine.startAgain(-10 * DAY);
    machine.synchronised = false;
    start();
    expect(clock.now()).toBe(BEGIN + HOUR);
    expect(clock.info).toMatchObject({ state: 'unset', aheadMs: 10 * DAY });
    expect(logged.at(-1)).toMatch(/is behind the time that was known: it is not set yet$/);
    expect(details.at(-1)).toEqual({ behindMs: 10 * DAY });
    // Nobody sets it, but the node does not follow it.
    machine.pass(2 * HOUR);
    expect(clock.isSteady).toBe(false);
  });

  it('is not unset if its time is behind the known one by five seconds, and is by more', () => {
    startKnown();
    for (const [behind, state, lines] of [
      [STEP_MS, 'unsure', 0],
      [STEP_MS + 1, 'unset', 1],
    ] as const) {
      clock.stop();
      machine.startAgain(BEGIN + HOUR - behind - machine.wallAt);
      machine.boot = `${behind}`;
      machine.synchronised = false;
      logged = [];
      start();
      expect(clock.info).toMatchObject({ state, aheadMs: behind });
      expect(logged).toHaveLength(lines);
    }
  });

  it('is steady at the first moment of this program’s first year, and no longer unset', () => {
    machine.wallAt = EARLIEST_MS - HOUR;
    machine.synchronised = false;
    start();
    machine.pass(HOUR - 1);
    expect([clock.info.state, clock.isSteady]).toEqual(['unset', false]);
    machine.pass(1);
    expect([clock.info.state, clock.isSteady]).toEqual(['unsure', true]);
  });

  it('counts as unset in a year before this program’s', () => {
    machine.wallAt = 0;
    machine.synchronised = null;
    start();
    expect(clock.info).toMatchObject({ state: 'unset', aheadMs: 0 });
    expect(logged).toEqual([]);
    machine.pass(2 * HOUR);
    expect(clock.isSteady).toBe(false);
  });

  it('is steady after an hour in which nobody set it, although it is never known', () => {
    machine.synchronised = false;
    start();
    machine.pass(HOUR - 1);
    expect([clock.isKnown, clock.isSteady]).toEqual([false, false]);
    machine.pass(1);
    expect([clock.isKnown, clock.isSteady]).toEqual([false, true]);
  });
});

describe('its file', () => {
  it('lets another process of the same boot continue', () => {
    startKnown();
    machine.wallAt += DAY;
    clock.look();
    machine.pass(5 * MINUTE);
    clock.look();
    const { shifts, info } = clock;
    const { clock: number } = clock.arrival();
    restart();
    expect(clock.shifts).toEqual(shifts);
    expect(clock.info).toEqual(info);
    expect(clock.arrival().clock).toBe(number);
  });

  it('restarts at another boot, from the latest known time', () => {
    startKnown();
    machine.wallAt += DAY;
    clock.look();
    machine.pass(5 * MINUTE);
    clock.look();
    const { clock: number } = clock.arrival();
    clock.stop();
    machine.startAgain(MINUTE);
    start();
    expect(clock.shifts).toEqual([]);
    expect(clock.info.lastStep).toBeNull();
    expect(clock.arrival().clock).not.toBe(number);
    expect(kept().boot).toBe('second');
  });

  it('is not written at a start in the same boot', () => {
    startKnown();
    clock.stop();
    utimesSync(file(), 1000, 1000);
    start();
    expect(statSync(file()).mtimeMs).toBe(1_000_000);
  });

  it.each([
    ['that continues is the same boot', (each: Machine) => each.pass(MINUTE), true],
    ['that is equal is the same boot', () => {}, true],
    ['that is smaller is another boot', (each: Machine) => Object.assign(each, { up: MINUTE }), false],
    [
      'with a clock that was set is another boot',
      (each: Machine) => Object.assign(each, { wallAt: each.wallAt + MINUTE }),
      false,
    ],
    [
      'with a clock that was set by five seconds is the same boot',
      (each: Machine) => Object.assign(each, { wallAt: each.wallAt + STEP_MS }),
      true,
    ],
    ['that is smaller by as much as the clock is another boot', (each: Machine) => each.pass(-MINUTE), false],
  ] as const)('where a boot has no name, an uptime %s', (_name, change, isSame) => {
    machine.boot = null;
    startKnown();
    clock.stop();
    change(machine);
    start();
    expect(clock.isKnown).toBe(isSame);
    expect(clock.info.lastStep).toBeNull();
  });

  it('that has the name of a boot is from another boot if boots have no name now', () => {
    startKnown();
    clock.stop();
    machine.boot = null;
    machine.pass(MINUTE);
    start();
    expect(clock.isKnown).toBe(false);
  });

  it('is written once an hour with other writes, while the time is known', () => {
    startKnown();
    const mark = () => kept().state.mark;
    expect(mark()).toBe(BEGIN + HOUR);
    const count = () => events.emit('countsChanged', () => ({ store: 'private' }));
    machine.pass(HOUR - 1);
    clock.look();
    count();
    expect(mark()).toBe(BEGIN + HOUR);
    machine.pass(1);
    clock.look();
    count();
    expect(mark()).toBe(BEGIN + 2 * HOUR);
    clock.stop();
    machine.pass(HOUR);
    clock.look();
    rmSync(file());
    count();
    expect(existsSync(file())).toBe(false);
  });

  it('is written at a stop only if the time is known', () => {
    start();
    rmSync(file());
    clock.stop();
    expect(existsSync(file())).toBe(false);
    startKnown();
    rmSync(file());
    clock.stop();
    expect(kept().state.mark).toBe(BEGIN + HOUR);
  });

  it('that can’t be written at the first start is reported', () => {
    rmSync(folder, { recursive: true });
    start();
    expect(logged).toEqual(['the state of the clock could not be written']);
    expect(details).toMatchObject([{ err: { code: 'ENOENT' } }]);
    mkdirSync(folder);
  });

  it('a failed write is reported once, and the time continues', () => {
    startKnown();
    rmSync(folder, { recursive: true });
    const set = (by: number) => {
      machine.wallAt += by;
      clock.look();
    };
    set(DAY);
    set(-DAY);
    const warned = () => logged.filter((line) => line === 'the state of the clock could not be written').length;
    expect(warned()).toBe(1);
    expect(clock.now()).toBe(BEGIN + HOUR);
    mkdirSync(folder);
    chmodSync(folder, 0o700);
    set(DAY);
    expect(kept().state.lead).toBe(-DAY);
    rmSync(folder, { recursive: true });
    set(-DAY);
    expect(warned()).toBe(2);
    mkdirSync(folder);
  });
});

it('the clocks of this machine are in milliseconds, and do not differ in what they count', () => {
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

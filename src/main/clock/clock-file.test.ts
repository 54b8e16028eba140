import { chmodSync, existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BEGIN, ClockUnderTest, DAY, HOUR, type Machine, MINUTE } from '../../../test/support/clock-under-test.ts';
import { STEP_MS } from './clock-rule.ts';

let node: ClockUnderTest;
beforeEach(() => {
  node = new ClockUnderTest();
});
afterEach(() => node.end());

describe('the file of the clock', () => {
  it('lets another process of the same boot continue', () => {
    node.startKnown();
    node.machine.wallAt += DAY;
    node.clock.look();
    node.machine.pass(5 * MINUTE);
    node.clock.look();
    const { shifts, info } = node.clock;
    const { clock: number } = node.clock.arrival();
    node.restart();
    expect(node.clock.shifts).toEqual(shifts);
    expect(node.clock.info).toEqual(info);
    expect(node.clock.arrival().clock).toBe(number);
  });

  it('restarts at another boot, from the latest known time', () => {
    node.startKnown();
    node.machine.wallAt += DAY;
    node.clock.look();
    node.machine.pass(5 * MINUTE);
    node.clock.look();
    const { clock: number } = node.clock.arrival();
    node.clock.stop();
    node.machine.startAgain(MINUTE);
    node.start();
    expect(node.clock.shifts).toEqual([]);
    expect(node.clock.info.lastStep).toBeNull();
    expect(node.clock.arrival().clock).not.toBe(number);
    expect(node.kept().boot).toBe('second');
  });

  it('is not written at a start in the same boot', () => {
    node.startKnown();
    node.clock.stop();
    utimesSync(node.file, 1000, 1000);
    node.start();
    expect(statSync(node.file).mtimeMs).toBe(1_000_000);
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
    node.machine.boot = null;
    node.startKnown();
    node.clock.stop();
    change(node.machine);
    node.start();
    expect(node.clock.isKnown).toBe(isSame);
    expect(node.clock.info.lastStep).toBeNull();
  });

  it('that has the name of a boot is from another boot if boots have no name now', () => {
    node.startKnown();
    node.clock.stop();
    node.machine.boot = null;
    node.machine.pass(MINUTE);
    node.start();
    expect(node.clock.isKnown).toBe(false);
  });

  it('is written once an hour with other writes, while the time is known', () => {
    node.startKnown();
    const mark = () => node.kept().state.mark;
    expect(mark()).toBe(BEGIN + HOUR);
    const count = () => node.events.emit('countsChanged', () => ({ store: 'private' }));
    node.machine.pass(HOUR - 1);
    node.clock.look();
    count();
    expect(mark()).toBe(BEGIN + HOUR);
    node.machine.pass(1);
    node.clock.look();
    count();
    expect(mark()).toBe(BEGIN + 2 * HOUR);
    node.clock.stop();
    node.machine.pass(HOUR);
    node.clock.look();
    rmSync(node.file);
    count();
    expect(existsSync(node.file)).toBe(false);
  });

  it('is written at a stop only if the time is known', () => {
    node.start();
    rmSync(node.file);
    node.clock.stop();
    expect(existsSync(node.file)).toBe(false);
    node.startKnown();
    rmSync(node.file);
    node.clock.stop();
    expect(node.kept().state.mark).toBe(BEGIN + HOUR);
  });

  it('that can’t be written at the first start is reported', () => {
    rmSync(node.folder, { recursive: true });
    node.start();
    expect(node.logged).toEqual(['the state of the clock could not be written']);
    expect(node.details).toMatchObject([{ err: { code: 'ENOENT' } }]);
    mkdirSync(node.folder);
  });

  it('a failed write is reported once, and the time continues', () => {
    node.startKnown();
    rmSync(node.folder, { recursive: true });
    const set = (by: number) => {
      node.machine.wallAt += by;
      node.clock.look();
    };
    set(DAY);
    set(-DAY);
    const warned = () => node.logged.filter((line) => line === 'the state of the clock could not be written').length;
    expect(warned()).toBe(1);
    expect(node.clock.now()).toBe(BEGIN + HOUR);
    mkdirSync(node.folder);
    chmodSync(node.folder, 0o700);
    set(DAY);
    expect(node.kept().state.lead).toBe(-DAY);
    rmSync(node.folder, { recursive: true });
    set(-DAY);
    expect(warned()).toBe(2);
    mkdirSync(node.folder);
  });
});

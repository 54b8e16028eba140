import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BEGIN, ClockWorld } from '../../../test/support/clock-world.ts';
import {
  ClockRule,
  EARLIEST_MS,
  FOLLOW_AFTER_MS,
  firstState,
  KNOWN_AFTER_MS,
  KNOWN_SYNCHRONISED_MS,
  type Look,
  STEP_MS,
} from './clock-rule.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Returns a world whose clock was right for two hours and is known. */
function known(): ClockWorld {
  const world = new ClockWorld();
  world.pass(2 * HOUR);
  expect(world.isKnown).toBe(true);
  return world;
}

describe('known answers', () => {
  it('boot in 1970: arrivals before the right time are moved by the whole difference', () => {
    const world = new ClockWorld({ error: 40 * SECOND - BEGIN });
    world.pass(5 * MINUTE);
    expect(new Date(world.now).getUTCFullYear()).toBe(1970);
    world.set(0);
    expect(world.moves.map(({ by }) => by)).toEqual([BEGIN - 40 * SECOND]);
    expect(world.wrong()).toEqual([]);
    world.pass(2 * HOUR);
    expect(world.isKnown).toBe(true);
    expect(world.wrong()).toEqual([]);
  });

  it('boot in 1970 on a node that knew the time: it continues from there, and arrivals are moved by the rest', () => {
    const world = new ClockWorld({ error: 40 * SECOND - BEGIN, mark: BEGIN - 3 * HOUR });
    expect(world.now).toBe(BEGIN - 3 * HOUR);
    world.pass(5 * MINUTE);
    world.set(0);
    expect(world.moves.map(({ by }) => by)).toEqual([3 * HOUR]);
    expect(world.wrong()).toEqual([]);
  });

  it('a clock that stays in 1970 never counts as right', () => {
    const world = new ClockWorld({ error: 40 * SECOND - BEGIN });
    world.pass(3 * DAY);
    expect(world.isKnown).toBe(false);
    world.set(0);
    expect(world.wrong()).toEqual([]);
  });

  it('a year ahead for a minute: no arrival is ever dated wrong', () => {
    const world = known();
    world.set(YEAR);
    world.pass(MINUTE, SECOND);
    expect(world.wrong()).toEqual([]);
    world.set(0);
    expect(world.isKnown).toBe(true);
    world.pass(HOUR);
    expect([world.wrong(), world.moves]).toEqual([[], []]);
  });

  it('a year ahead for a minute, just after the start: moved ahead, and back', () => {
    const world = new ClockWorld();
    world.pass(5 * MINUTE);
    world.set(YEAR);
    world.pass(MINUTE, SECOND);
    world.set(0);
    expect(world.moves.map(({ by }) => by)).toEqual([YEAR, -YEAR]);
    expect(world.wrong()).toEqual([]);
  });

  it('network time after 30 s, with a clock that stood still while the machine was off', () => {
    const world = new ClockWorld({ error: -6 * HOUR, mark: BEGIN - 6 * HOUR - MINUTE, isSynchronised: false });
    world.pass(30 * SECOND, SECOND);
    expect(world.arrived).toHaveLength(30);
    expect(world.wrong()).toHaveLength(30);
    world.isSynchronised = true;
    world.set(0);
    expect(world.wrong()).toEqual([]);
    world.pass(10 * MINUTE);
    expect(world.isKnown).toBe(true);
  });

  it('no network for three days: all arrivals are moved when it is there', () => {
    const world = new ClockWorld({ error: -6 * HOUR, isSynchronised: false });
    world.pass(3 * DAY);
    world.restart();
    expect(world.isKnown).toBe(false);
    world.isSynchronised = true;
    world.set(0);
    expect(world.wrong()).toEqual([]);
  });

  it('six hours back, and right again after a few minutes: no arrival is ever dated wrong', () => {
    const world = known();
    world.set(-6 * HOUR);
    world.pass(4 * MINUTE);
    world.set(0);
    expect([world.wrong(), world.moves, world.isKnown]).toEqual([[], [], true]);
  });

  it('six hours back for half an hour: followed after five minutes and undone; earlier arrivals stay', () => {
    const world = known();
    const before = world.arrived.length;
    world.set(-6 * HOUR);
    world.pass(30 * MINUTE);
    expect(world.now).toBe(world.time - 6 * HOUR);
    expect(world.wrong()).toEqual(world.arrived.slice(before));
    world.set(0);
    expect([world.wrong(), world.isKnown]).toEqual([[], true]);
  });

  it('six hours behind the known time at a start: time continues from that until the clock is set', () => {
    const world = known();
    const { mark } = world.rule.state;
    world.time += 10 * MINUTE;
    world.reboot(-6 * HOUR);
    expect(world.now).toBe(mark);
    world.pass(20 * MINUTE);
    world.set(0);
    expect(world.wrong()).toEqual([]);
  });

  it('summer time begins and ends: no change', () => {
    // Unix time has no summer time, so its change is not visible at all.
    for (const time of [Date.UTC(2026, 2, 29, 0, 55), Date.UTC(2026, 9, 25, 0, 55)]) {
      const world = new ClockWorld();
      world.time += time - BEGIN;
      world.reboot(0);
      world.news.length = 0;
      world.pass(10 * MINUTE, SECOND);
      expect([world.news, world.wrong()]).toEqual([[], []]);
    }
  });

  it('a leap second, repeated or spread over a day: no change', () => {
    const world = known();
    world.news.length = 0;
    world.set(-SECOND);
    world.pass(HOUR);
    for (let second = 0; second < DAY / MINUTE; second += 1) {
      world.error += SECOND / (DAY / MINUTE);
      world.pass(MINUTE);
    }
    expect(world.news).toEqual([]);
  });

  it('a clock that ran free for 200 days and is set by six seconds: reported, but no reading is moved', () => {
    const world = new ClockWorld({ isSynchronised: false });
    world.pass(200 * DAY, HOUR);
    world.set(6 * SECOND);
    expect(world.news).toEqual([{ kind: 'stepped', by: 6 * SECOND }]);
  });

  it('a wrong mark is dropped after an hour, and at once if the system has network time', () => {
    for (const [isSynchronised, after] of [
      [null, HOUR],
      [true, 0],
    ] as const) {
      const world = new ClockWorld({ mark: BEGIN + YEAR, isSynchronised });
      world.pass(after);
      expect(world.now).toBe(world.time);
      world.pass(HOUR);
      expect([world.isKnown, world.wrong()]).toEqual([true, []]);
      expect(world.rule.state.mark).toBe(world.time);
    }
  });
});

it('after any changes of a clock in a boot, arrivals have their true time once the clock is right', () => {
  const error = fc.constantFrom(0, YEAR, -YEAR, 6 * HOUR, -6 * HOUR, HOUR, -2 * MINUTE, 40 * SECOND - BEGIN, MINUTE);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), error }),
    fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(SECOND, MINUTE, 6 * MINUTE, HOUR, 3 * HOUR) }),
    fc.record({ kind: fc.constant('restart' as const), meanwhile: fc.option(error) }),
  );
  const start = fc.record({
    error,
    mark: fc.constantFrom(0, BEGIN - DAY, BEGIN - MINUTE),
    isSynchronised: fc.constantFrom(null, false),
  });
  fc.assert(
    fc.property(start, fc.array(step, { maxLength: 12 }), (options, steps) => {
      const world = new ClockWorld(options);
      for (const each of steps) {
        if (each.kind === 'set') world.set(each.error);
        else if (each.kind === 'pass') world.pass(each.ms);
        else {
          if (each.meanwhile !== null) world.error = each.meanwhile;
          world.restart();
        }
        world.arrive();
      }
      world.set(0);
      world.isSynchronised = true;
      world.pass(3 * HOUR);
      expect(world.isKnown).toBe(true);
      expect(world.now).toBe(world.time);
      expect(world.wrong().filter(({ isLost }) => !isLost)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

describe('bounds', () => {
  const START = EARLIEST_MS + 1000 * DAY;
  let numbers = 0;
  const begin = (look: Partial<Look> = {}, mark = 0) => {
    const first = { wall: START, uptime: MINUTE, isSynchronised: null, ...look };
    const newClock = () => {
      numbers += 1;
      return numbers;
    };
    const rule = new ClockRule(firstState(first, mark, newClock), newClock);
    let [wall, uptime] = [first.wall, first.uptime];
    /** Lets time pass, sets the clock by a difference, and checks it. */
    const lookAfter = (ms: number, by = 0, isSynchronised = first.isSynchronised) => {
      wall += ms + by;
      uptime += ms;
      return rule.look({ wall, uptime, isSynchronised }).map(({ kind }) => kind);
    };
    return { rule, look: lookAfter };
  };

  it('are those that the documentation promises', () => {
    expect([STEP_MS, FOLLOW_AFTER_MS, KNOWN_AFTER_MS, KNOWN_SYNCHRONISED_MS]).toEqual([
      5 * SECOND,
      5 * MINUTE,
      HOUR,
      10 * MINUTE,
    ]);
    expect(new Date(EARLIEST_MS).toISOString()).toBe('2025-01-01T00:00:00.000Z');
  });

  it('arrivals of a boot that continues from the mark are not earlier than it', () => {
    const { rule } = begin({}, START + HOUR);
    expect(rule.state).toMatchObject({ lead: HOUR, from: START + HOUR, mark: START + HOUR });
  });

  it('a difference of five seconds does not count as set, a larger one does', () => {
    const { look } = begin();
    expect(look(SECOND, STEP_MS)).toEqual([]);
    expect(look(SECOND, -STEP_MS)).toEqual([]);
    expect(look(SECOND, STEP_MS + 1)).toEqual(['stepped', 'followed']);
  });

  it('network time counts as right ten minutes after the clock was last set', () => {
    const { look } = begin({ isSynchronised: true });
    expect(look(KNOWN_SYNCHRONISED_MS - 1)).toEqual([]);
    expect(look(1)).toEqual(['known']);
  });

  it('a known clock that was set is followed after exactly five minutes', () => {
    const { look } = begin({ isSynchronised: true });
    look(HOUR);
    expect(look(0, DAY)).toEqual(['stepped']);
    expect(look(FOLLOW_AFTER_MS - 1)).toEqual([]);
    expect(look(1)).toEqual(['followed']);
  });

  it('a clock that is set back to within five seconds of the known time is trusted at once', () => {
    const { look } = begin({ isSynchronised: true });
    look(HOUR);
    look(0, DAY);
    expect(look(0, STEP_MS - DAY)).toEqual(['stepped', 'known']);
  });

  it('before network time, a time that the owner set counts as right after an hour, and any other never', () => {
    const { look } = begin({ isSynchronised: false });
    expect(look(10 * HOUR)).toEqual([]);
    expect(look(0, DAY)).toEqual(['stepped', 'followed']);
    expect(look(KNOWN_AFTER_MS - 1)).toEqual([]);
    expect(look(1)).toEqual(['known']);
  });

  it.each([
    ['the system does not say whether it has the network’s time', null, 0, true],
    ['the system waits for the network’s time', false, 0, false],
    ['an owner set it', false, -MINUTE, true],
  ] as const)('a clock behind the mark for an hour is followed if %s: %s', (_name, isSynchronised, by, isFollowed) => {
    const { look } = begin({ isSynchronised }, START + DAY);
    look(0, by);
    expect(look(KNOWN_AFTER_MS - 1)).toEqual([]);
    expect(look(1)).toEqual(isFollowed ? ['followed', 'known'] : []);
  });

  it('after a known clock was set, the network’s time counts as right only after an hour', () => {
    const { look } = begin({ isSynchronised: true });
    look(HOUR);
    look(0, DAY);
    expect(look(FOLLOW_AFTER_MS)).toEqual(['followed']);
    expect(look(KNOWN_AFTER_MS - FOLLOW_AFTER_MS - 1)).toEqual([]);
    expect(look(1)).toEqual(['known']);
  });

  it('a step as large as the drift since the clock was set does not make a known clock doubtful, a larger one does', () => {
    // A drift of 0.01 %: six seconds in 60,000 seconds.
    for (const [by, clock] of [
      [6 * SECOND, 0],
      [6 * SECOND + 1, expect.any(Number)],
    ]) {
      const { rule, look } = begin({ uptime: 1e9 });
      look(59_990 * SECOND);
      expect(rule.state.clock).toBe(0);
      expect(look(10 * SECOND, by)).toEqual(['stepped']);
      expect(rule.state.clock).toEqual(clock);
      expect(rule.state.clock === 0).toBe(clock === 0);
    }
  });

  it('with the network’s time there is no drift: a step of six seconds makes a known clock doubtful', () => {
    const { rule, look } = begin({ isSynchronised: true });
    look(HOUR);
    look(200 * DAY);
    expect(look(0, 6 * SECOND)).toEqual(['stepped']);
    expect(rule.state.clock).not.toBe(0);
  });

  it('after a long time, the correction of drift is at most ten minutes', () => {
    for (const [by, isKnown] of [
      [-10 * MINUTE, true],
      [-10 * MINUTE - 1, false],
    ] as const) {
      const { rule, look } = begin();
      look(HOUR);
      look(200 * DAY);
      expect(look(0, by)).toEqual(['stepped']);
      expect(rule.state.clock === 0).toBe(isKnown);
    }
  });

  it('the first moment of this program’s first year is a possible time', () => {
    const { look } = begin({ wall: EARLIEST_MS - KNOWN_AFTER_MS });
    expect(look(KNOWN_AFTER_MS - 1)).toEqual([]);
    expect(look(1)).toEqual(['known']);
  });

  it('a clock with an earlier year than this program’s is not followed', () => {
    const { rule, look } = begin({ wall: 0 }, HOUR);
    expect(look(0, 2 * HOUR)).toEqual(['stepped']);
    look(2 * HOUR);
    expect(rule.state.lead).toBe(-HOUR);
    expect(look(0, EARLIEST_MS - 4 * HOUR)).toEqual(['stepped', 'followed']);
  });
});

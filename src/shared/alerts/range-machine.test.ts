import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeModel } from '../../../test/support/range-model.ts';
import { type Bounds, type Change, RangeMachine } from './range-machine.ts';

const MINUTE = 60_000;
const PH: Bounds = { low: 5.5, high: 6.5, margin: 0.1, forMinutes: 10 };

/** Passes values to a machine in order, one each minute. */
function run(machine: RangeMachine, values: readonly number[], from = 0): Change[][] {
  return values.map((value, index) => [...machine.take({ measuredAt: (from + index) * MINUTE, value, lateMs: 0 })]);
}
const changesOf = (bounds: Bounds, values: readonly number[]) => run(new RangeMachine(bounds), values).flat();

describe('a range', () => {
  it('fires once when values were outside for the whole time, and ends once', () => {
    const changes = run(new RangeMachine(PH), [6, ...Array<number>(12).fill(5.4), 5.7, 6]);
    expect(changes.map((each) => each.join())).toEqual([
      '',
      'began',
      ...Array<string>(9).fill(''),
      'fired',
      '',
      'ended',
      '',
    ]);
  });

  it('ends pending values that return before its time', () => {
    expect(changesOf(PH, [5.4, 5.4, 5.5, 5.4])).toEqual(['began', 'dropped', 'began']);
  });

  it('without a time fires at once', () => {
    expect(changesOf({ ...PH, forMinutes: 0 }, [5.4, 6])).toEqual(['began', 'fired', 'ended']);
  });

  it('neither ends nor fires again within the margin', () => {
    expect(changesOf({ ...PH, forMinutes: 0 }, [5.4, 5.5, 5.4, 5.59, 5.3, 5.6])).toEqual(['began', 'fired', 'ended']);
  });

  it('ends on one side and begins on the other', () => {
    const changes = ['began', 'fired', 'ended', 'began', 'fired', 'ended'];
    expect(changesOf({ ...PH, forMinutes: 0 }, [5.4, 6.6, 6])).toEqual(changes);
    expect(changesOf(PH, [5.4, 6.6, 6])).toEqual(['began', 'dropped', 'began', 'dropped']);
  });

  it('with one limit ignores the other side', () => {
    expect(changesOf({ ...PH, low: null, forMinutes: 0 }, [0, 6.6, 0])).toEqual(['began', 'fired', 'ended']);
  });

  it('treats 6.2 as a 32-bit float as 6.2', () => {
    const bounds = { low: 6.2, high: 6.3, margin: 0, forMinutes: 0 };
    expect([Math.fround(6.2) < 6.2, Math.fround(6.3) > 6.3]).toEqual([true, true]);
    expect(changesOf(bounds, [Math.fround(6.2), Math.fround(6.3)])).toEqual([]);
    expect(changesOf({ ...bounds, high: null, margin: 0.1 }, [6.1, 6.3])).toEqual(['began', 'fired', 'ended']);
    // In binary fractions 0.3 - 0.1 is less than 0.2.
    const low = { low: null, high: 0.3, margin: 0.1, forMinutes: 0 };
    expect(changesOf(low, [0.4, Math.fround(0.2)])).toEqual(['began', 'fired', 'ended']);
  });

  it('remembers the extreme value, the beginning and the side', () => {
    const machine = new RangeMachine({ ...PH, forMinutes: 1 });
    run(machine, [6, 5.4, 5.1, 5.3]);
    expect(machine.state).toEqual({ phase: 'firing', side: 'low', since: MINUTE, value: 5.3, extreme: 5.1 });
    expect(new RangeMachine(PH, machine.state).state).toEqual(machine.state);
    const high = new RangeMachine({ ...PH, forMinutes: 1 });
    run(high, [6, 7, 7.4, 7.1]);
    expect(high.state).toEqual({ phase: 'firing', side: 'high', since: MINUTE, value: 7.1, extreme: 7.4 });
    run(high, [6], 4);
    expect(high.endedExtreme).toBe(7.4);
  });

  it('continues from its saved state', () => {
    const [pending, firing] = [new RangeMachine(PH), new RangeMachine(PH)];
    run(pending, Array<number>(9).fill(5));
    run(firing, Array<number>(12).fill(5));
    expect(run(new RangeMachine(PH, pending.state), [5, 5], 9)).toEqual([[], ['fired']]);
    expect(run(new RangeMachine(PH, firing.state), [5, 6], 12)).toEqual([[], ['ended']]);
  });

  it('does not count an earlier reading again after a restart, once a value between was inside', () => {
    const machine = new RangeMachine(PH);
    const late = { measuredAt: MINUTE, value: 5, lateMs: 2 * MINUTE };
    run(machine, [6, 5, 6, 5]);
    expect(machine.take(late)).toEqual([]);
    const again = new RangeMachine(PH, machine.state, 3 * MINUTE);
    again.take(late);
    expect([machine.state.since, again.state.since]).toEqual([3 * MINUTE, 3 * MINUTE]);
  });

  it('of a new rule begins after the newest reading, which a start evaluates again', () => {
    const machine = new RangeMachine({ ...PH, forMinutes: 0 }, null, 3 * MINUTE);
    expect(machine.take({ measuredAt: 3 * MINUTE, value: 5, lateMs: 0 })).toEqual([]);
    expect(machine.take({ measuredAt: 3 * MINUTE + 1, value: 5, lateMs: 0 })).toEqual(['began', 'fired']);
  });

  it('does not fire for late readings, however many', () => {
    const machine = new RangeMachine(PH);
    machine.take({ measuredAt: 20_000 * MINUTE, value: 6, lateMs: 0 });
    for (let minute = 0; minute < 10_000; minute += 1) {
      const lateMs = (20_000 - minute) * MINUTE;
      expect(machine.take({ measuredAt: minute * MINUTE, value: 4, lateMs })).toEqual([]);
    }
    expect(run(machine, [6], 20_001)).toEqual([[]]);
    expect(machine.state.phase).toBe('inside');
  });

  it('in an ordered backlog fires only for readings younger than its time', () => {
    const machine = new RangeMachine(PH);
    const backlog = Array.from({ length: 100 }, (_, minute) => {
      return machine.take({ measuredAt: minute * MINUTE, value: 5, lateMs: (99 - minute) * MINUTE });
    });
    expect(backlog.flatMap((changes, minute) => changes.map((change) => [minute, change]))).toEqual([
      [0, 'began'],
      [89, 'fired'],
    ]);
  });

  it('after a clock was set starts to wait again, and a firing alert continues', () => {
    const machine = new RangeMachine(PH);
    run(machine, [5, 5], 1000);
    expect(machine.restart()).toEqual(['dropped']);
    expect(run(machine, Array<number>(11).fill(5)).flat()).toEqual(['began', 'fired']);
    expect(machine.restart()).toEqual([]);
    expect(run(machine, [5, 6], -1000).flat()).toEqual(['ended']);
  });
});

describe('an older reading of a pending alert', () => {
  /** A machine whose last value inside was measured at minute 5, and the first one outside at minute 10. */
  function pending(): RangeMachine {
    const machine = new RangeMachine(PH);
    run(machine, [6], 5);
    run(machine, [5], 10);
    return machine;
  }
  /** Returns the beginning, in minutes, and the extreme after older readings. */
  function stateAfter(
    machine: RangeMachine,
    ...readings: [minute: number, value: number, lateMs?: number][]
  ): number[] {
    for (const [minute, value, lateMs = 0] of readings) {
      expect(machine.take({ measuredAt: minute * MINUTE, value, lateMs })).toEqual([]);
    }
    return [machine.state.since / MINUTE, machine.state.extreme];
  }

  it('outside is its beginning, unless one inside was measured since', () => {
    expect(stateAfter(pending(), [8, 4])).toEqual([8, 4]);
    expect(stateAfter(pending(), [8, 4], [9, 5.2])).toEqual([8, 4]);
    expect(stateAfter(pending(), [5, 4])).toEqual([10, 5]);
    expect(stateAfter(pending(), [5 + 1 / MINUTE, 4])).toEqual([5 + 1 / MINUTE, 4]);
    expect(stateAfter(pending(), [7, 6], [7, 4], [6, 4])).toEqual([10, 5]);
    expect(stateAfter(pending(), [7, 6], [6, 6], [6.5, 4])).toEqual([10, 5]);
    expect(stateAfter(pending(), [8, 5.2], [8, 4])).toEqual([8, 4]);
  });

  it('inside lets the alert begin with the newest reading', () => {
    expect(stateAfter(pending(), [8, 4], [9, 6])).toEqual([10, 5]);
    expect(stateAfter(pending(), [8, 4], [8, 6])).toEqual([10, 5]);
    expect(stateAfter(pending(), [8, 4], [9, 6], [9.5, 4])).toEqual([10, 5]);
  });

  it('counts up to the time of the rule', () => {
    expect(stateAfter(pending(), [8, 4, 10 * MINUTE])).toEqual([8, 4]);
    expect(stateAfter(pending(), [8, 4, 10 * MINUTE + 1])).toEqual([10, 5]);
  });

  it('changes nothing once the alert fires', () => {
    const machine = pending();
    run(machine, [5], 20);
    expect(stateAfter(machine, [15, 6], [16, 4])).toEqual([10, 5]);
  });

  it('counts from the last value inside, or from the last one on the other side', () => {
    const dropped = pending();
    run(dropped, [6], 12);
    run(dropped, [5], 15);
    expect(stateAfter(dropped, [12, 4])).toEqual([15, 5]);
    const switched = pending();
    run(switched, [7], 15);
    expect(stateAfter(switched, [12, 7.5])).toEqual([12, 7.5]);
    expect(stateAfter(switched, [10, 7.6])).toEqual([12, 7.5]);
  });
});

describe('for any series', () => {
  const bounds = fc.record({
    low: fc.constantFrom(null, 10),
    high: fc.constantFrom(20, 30),
    margin: fc.constantFrom(0, 1, 3),
    forMinutes: fc.constantFrom(0, 1, 3, 7),
  });
  /** Values near the bounds, so that long enough runs are on one side. */
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(8, 9) },
    { weight: 2, arbitrary: fc.constantFrom(31, 35) },
    { weight: 2, arbitrary: fc.integer({ min: 8, max: 32 }) },
  );
  /** One reading for each minute; some arrive up to eight places late. */
  const series = fc.array(fc.record({ value, delay: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(8)) }), {
    maxLength: 60,
  });

  it('the machine matches the simple model', () => {
    fc.assert(
      fc.property(bounds, series, (range, readings) => {
        const arrived = readings
          .map(({ value, delay }, minute) => ({ value, minute, place: minute + delay }))
          .sort((a, b) => a.place - b.place || a.minute - b.minute);
        let newest = Number.NEGATIVE_INFINITY;
        const taken = arrived.map(({ value, minute }) => {
          newest = Math.max(newest, minute);
          return { measuredAt: minute * MINUTE, value, lateMs: (newest - minute) * MINUTE };
        });
        const machine = new RangeMachine(range);
        expect(taken.map((reading) => machine.take(reading).join())).toEqual(rangeModel(range, taken));
      }),
      { numRuns: 3000 },
    );
  });

  it('a machine that is saved and restored at any reading, and gets the last ones again, does the same', () => {
    fc.assert(
      fc.property(bounds, series, fc.nat(60), fc.nat(5), (range, readings, cut, again) => {
        const taken = readings.map(({ value }, minute) => ({ measuredAt: minute * MINUTE, value, lateMs: 0 }));
        const whole = new RangeMachine(range);
        const before = taken.slice(0, cut);
        for (const reading of before) whole.take(reading);
        const made = new RangeMachine(range, whole.state, before.at(-1)?.measuredAt);
        for (const reading of before.slice(-again - 1)) {
          const lateMs = before.at(-1)!.measuredAt - reading.measuredAt;
          expect(made.take({ ...reading, lateMs })).toEqual([]);
        }
        for (const reading of taken.slice(cut)) expect(made.take(reading)).toEqual(whole.take(reading));
      }),
      { numRuns: 1000 },
    );
  });
});

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../test/support/owner-stores.ts';
import type { CalibrationPoint, Correction } from '../../shared/measures/correction.ts';
import { perFieldName } from '../../shared/protocol/fields.ts';
import { correctedSums, correctFields } from './corrected-sums.ts';
import type { FieldSums, Span, StepSums, StoresView } from './stores-view.ts';

const HOUR = 3_600_000;
const START = 490_000 * HOUR;

let stores: OwnerStoresForTest;
let id: string;
beforeEach(() => {
  stores = new OwnerStoresForTest();
  ({ id } = stores.register({}, ['private']));
});
afterEach(() => stores.dispose());

function calibrate(at: number, ...points: CalibrationPoint[]): number {
  const act = { kind: 'calibrated' as const, field: 'ph' as const, points };
  const entry = { id: null, device: id, at, text: '', act, updatedAt: 1 };
  const [written] = stores.write('private', [{ kind: 'writeEntry', ...entry }]);
  return (written as { result: number }).result;
}

function fill(times: readonly number[], values: readonly number[]): void {
  stores.append(
    'private',
    id,
    times.map((time, index) => ({
      seq: BigInt(index + 1),
      timestamp: BigInt(time),
      receivedAt: time + 20,
      fields: [values[index]!, 1000],
    })),
  );
  stores.memory.summaries.arrived(id, 0);
}

const chart = async (maxPoints: number, asSent = false) =>
  stores.ask('history', { id, from: START, to: START + 100 * HOUR, maxPoints, asSent });

it('corrects each reading by the correction at its time', async () => {
  fill([START, START + 999, START + 1000, START + 2000], [6, 6, 6, 6]);
  calibrate(START + 1000, { reference: 7, shown: 6.5 });
  const { fields } = await chart(100);
  expect(fields.ph.mean).toEqual([6, 6, 6.5, 6.5]);
  expect(fields.ec.mean).toEqual([1000, 1000, 1000, 1000]);
  expect((await chart(100, true)).fields.ph.mean).toEqual([6, 6, 6, 6]);
});

it('corrects a reading at the end of the span by a calibration of the same time', async () => {
  fill([START, START + 1000], [6, 6]);
  const span = { axis: 'timestamp' as const, from: BigInt(START), to: BigInt(START + 1000) };
  const corrections = [{ field: 'ph' as const, from: START + 1000, slope: 1, offset: 1 }];
  const reader = await stores.reader;
  const steps = await reader.snapshot((view) => correctedSums(view, id, span, 1000, corrections));
  expect(steps.map(({ fields }) => fields.ph.mean)).toEqual([6, 7]);
});

it('forgets a calibration that is deleted, and follows one that is entered for an earlier time', async () => {
  fill([START, START + HOUR], [6, 6]);
  const late = calibrate(START + HOUR, { reference: 7, shown: 6 });
  calibrate(START, { reference: 6.2, shown: 6 });
  expect((await chart(100)).fields.ph.mean).toEqual([6.2, 7]);
  stores.write('private', [{ kind: 'deleteEntry', id: late }]);
  expect((await chart(100)).fields.ph.mean).toEqual([6.2, 6.2]);
});

it('shows the last values of a device, and its last day, with what corrects them', async () => {
  const now = START + 24 * HOUR;
  fill([START + HOUR, now - 1000], [6, 6]);
  calibrate(START + 2 * HOUR, { reference: 7, shown: 6 });
  const { devices } = await stores.ask('overview', { dayStart: START }, { now });
  expect(devices[0]!.newest.ph?.value).toBe(6);
  expect(devices[0]!.corrections).toEqual([{ field: 'ph', from: START + 2 * HOUR, slope: 1, offset: 1 }]);
  expect(devices[0]!.sparkline.values.ph?.filter((mean) => mean !== null)).toEqual([6, 7]);
  // A change is visible at once, although sparklines are cached.
  calibrate(START + 3 * HOUR, { reference: 8, shown: 6 });
  const { devices: again } = await stores.ask('overview', { dayStart: START }, { now });
  expect(again[0]!.sparkline.values.ph?.filter((mean) => mean !== null)).toEqual([6, 8]);
});

it('has the same sums as correcting each reading first', async () => {
  const times = Array.from({ length: 240 }, (_, index) => START + index * 1_500_000 + ((index * 7919) % 60_000));
  const values = times.map((_, index) => 5 + ((index * 37) % 100) / 50);
  fill(times, values);
  stores.sumUp('private');
  const line = fc.record({
    at: fc.oneof(fc.integer({ min: START - HOUR, max: START + 100 * HOUR }), fc.constantFrom(...times)),
    slope: fc.double({ min: 0.5, max: 2, noNaN: true }),
    shown: fc.double({ min: 5, max: 6, noNaN: true }),
    reference: fc.double({ min: 5, max: 7, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(line, { maxLength: 6, selector: ({ at }) => at }), async (lines) => {
      const ids = lines.map(({ at, slope, shown, reference }) =>
        calibrate(at, { reference, shown }, { reference: reference + slope, shown: shown + 1 }),
      );
      try {
        const expected = times.map((time, index) => {
          const own = lines.filter(({ at }) => at <= time).sort((a, b) => b.at - a.at)[0];
          const value = values[index]!;
          return own === undefined ? value : own.reference + own.slope * (value - own.shown);
        });
        for (const maxPoints of [20, 60, 1000]) {
          const { times: steps, stepMs, fields } = await chart(maxPoints);
          for (const [index, step] of steps.entries()) {
            const inStep = expected.filter((_, each) => {
              const time = times[each]!;
              return stepMs === null ? time === step : time >= step && time < step + stepMs;
            });
            expect(fields.ph.count[index]).toBe(inStep.length);
            expect(fields.ph.min[index]).toBeCloseTo(Math.min(...inStep), 8);
            expect(fields.ph.max[index]).toBeCloseTo(Math.max(...inStep), 8);
            expect(fields.ph.mean[index]).toBeCloseTo(inStep.reduce((sum, each) => sum + each, 0) / inStep.length, 8);
          }
        }
      } finally {
        stores.write(
          'private',
          ids.map((entry) => ({ kind: 'deleteEntry', id: entry })),
        );
      }
    }),
    { numRuns: 25 },
  );
});

describe('sums that a store has', () => {
  const EMPTY: FieldSums = { count: 0, sealed: 0, min: null, max: null, mean: null };
  const SEALED: FieldSums = { ...EMPTY, sealed: 2 };
  const span: Span = { axis: 'received', from: 10n, to: 30n };
  const plain = (count: number, min: number, max: number, mean: number, sealed = 0): FieldSums => {
    return { count, sealed, min, max, mean };
  };
  const step = (time: number, readings: number, ph: FieldSums, ec = EMPTY): StepSums => {
    return { time, readings, fields: { ...perFieldName(() => EMPTY), ph, ec } };
  };

  /** Returns the corrected sums of a store whose parts are these steps, and the parts that were asked for. */
  async function corrected(parts: readonly StepSums[][], corrections: readonly Correction[]) {
    const asked: [axis: string, from: bigint, to: bigint, stepMs: number][] = [];
    const sums = async (_id: string, { axis, from, to }: Span, stepMs: number) => {
      asked.push([axis, from, to, stepMs]);
      return parts[asked.length - 1]!;
    };
    return { steps: await correctedSums({ sums } as unknown as StoresView, 'id', span, 5, corrections), asked };
  }
  const ph = (from: number, slope: number, offset: number): Correction => ({ field: 'ph', from, slope, offset });

  it('stay as they are without a correction', async () => {
    const steps = [step(10, 3, plain(2, 5, 7, 6), SEALED), step(15, 1, EMPTY)];
    expect(await corrected([steps], [])).toEqual({ steps, asked: [['received', 10n, 30n, 5]] });
  });

  it.each([
    [9, [[10n, 30n]]],
    [10, [[10n, 30n]]],
    [
      11,
      [
        [10n, 10n],
        [11n, 30n],
      ],
    ],
    [
      30,
      [
        [10n, 29n],
        [30n, 30n],
      ],
    ],
    [31, [[10n, 30n]]],
  ])('are asked for in parts by a correction within the span: from %d', async (from, bounds) => {
    const { asked } = await corrected([[], []], [ph(from, 1, 1)]);
    expect(asked).toEqual(bounds.map(([first, last]) => ['received', first, last, 5]));
  });

  it('are asked for once between two corrections, in the order of time', async () => {
    const others: Correction[] = [11, 20, 25].map((from) => ({ field: 'ec', from, slope: 1, offset: 0 }));
    const { asked } = await corrected([[], [], [], [], []], [...others, ph(15, 1, 1), ph(20, 1, 1)]);
    expect(asked.map(([, from, to]) => [from, to])).toEqual([
      ...[
        [10n, 10n],
        [11n, 14n],
        [15n, 19n],
      ],
      ...[
        [20n, 24n],
        [25n, 30n],
      ],
    ]);
  });

  it('are corrected by what holds at the start of their part, and added up in steps', async () => {
    const before = [step(10, 5, plain(3, 4, 6, 5, 1), plain(1, 9, 9, 9))];
    const after = [
      step(10, 4, plain(1, 1, 1, 1, 3), SEALED),
      step(15, 2, SEALED, plain(2, 8, 9, 8.5)),
      step(20, 1, plain(1, 3, 3, 3)),
    ];
    const { steps } = await corrected([before, after], [ph(5, 1, 10), ph(14, 2, 1)]);
    expect(steps).toEqual([
      step(10, 9, plain(4, 3, 16, 12, 4), plain(1, 9, 9, 9, 2)),
      step(15, 2, SEALED, plain(2, 8, 9, 8.5)),
      step(20, 1, plain(1, 7, 7, 7)),
    ]);
  });

  it('of a part without plain values leave those of the other part', async () => {
    const found = plain(2, 5, 7, 6, 1);
    const one = ph(20, 1, 0);
    expect((await corrected([[step(15, 2, SEALED)], [step(15, 3, found)]], [one])).steps).toEqual([
      step(15, 5, { ...found, sealed: 3 }),
    ]);
    expect((await corrected([[step(15, 3, found)], [step(15, 2, SEALED)]], [one])).steps).toEqual([
      step(15, 5, { ...found, sealed: 3 }),
    ]);
    expect((await corrected([[step(15, 2, EMPTY)], [step(15, 2, EMPTY)]], [one])).steps).toEqual([step(15, 4, EMPTY)]);
  });

  it('are in the order of time', async () => {
    const { steps } = await corrected([[step(20, 1, EMPTY)], [step(10, 1, EMPTY)]], [ph(20, 1, 0)]);
    expect(steps.map(({ time }) => time)).toEqual([10, 20]);
  });
});

it('the plain values of a reading are corrected, from the time of a correction on', () => {
  const sealed = new Uint8Array(28);
  const fields = { ...perFieldName(() => null), ph: 6, ec: 900, humidity: sealed };
  const corrections: Correction[] = [
    { field: 'ph', from: 10, slope: 2, offset: 1 },
    { field: 'humidity', from: 10, slope: 2, offset: 1 },
  ];
  expect(correctFields(fields, 10, [])).toBe(fields);
  expect(correctFields(fields, 9, corrections)).toEqual(fields);
  expect(correctFields(fields, 10, corrections)).toEqual({ ...fields, ph: 13 });
});

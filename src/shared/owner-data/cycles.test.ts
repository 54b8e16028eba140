import fc from 'fast-check';
import { expect, it } from 'vitest';
import { daysSincePlanting, rangeSpans, spanOfCycle, stageAt, stageDays, stageSpans } from './cycle-states.ts';
import { concerns, sumsByMonth, sumsOf } from './cycle-sums.ts';
import { type Cycle, writtenCycle } from './cycles.ts';
import { dayTimes } from './day-times.ts';
import { addDays, startOfDay } from './days.ts';
import type { JournalEntry } from './journal.ts';

const [ROOF, CELLAR] = ['aa'.repeat(32), 'bb'.repeat(32)];
const stage = (name: string, from: string, low = 5.5) => ({
  name,
  from,
  ranges: [{ field: 'ph' as const, low, high: 6.5 }],
});
const cycle: Cycle = {
  ...{
    id: '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11',
    crop: 'Tomato',
    variety: '',
    place: { kind: 'device', device: ROOF },
  },
  ...{ zone: 'Europe/Copenhagen', plantedAt: '2026-03-01', plants: 10, areaM2: 2 },
  stages: [stage('Seedling', '2026-03-02'), stage('Flowering', '2026-03-29', 5.8), stage('Ripening', '2026-03-30', 6)],
  endedAt: '2026-10-25',
};
const iso = (at: number | null) => at && new Date(at).toISOString();

it('a stage begins at local midnight, also on the days on which clocks change', () => {
  expect(stageSpans(cycle).map(({ from, to }) => [iso(from), iso(to)])).toEqual([
    ['2026-03-01T23:00:00.000Z', '2026-03-28T23:00:00.000Z'],
    // This day has 23 hours.
    ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    // The last day has 25.
    ['2026-03-29T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ]);
  const nameAt = (at: string) => stageAt(cycle, Date.parse(at))?.name;
  expect(nameAt('2026-03-01T22:59:59.999Z')).toBeUndefined();
  expect(nameAt('2026-03-28T22:59:59.999Z')).toBe('Seedling');
  expect(nameAt('2026-03-28T23:00:00Z')).toBe('Flowering');
  expect(nameAt('2026-03-29T21:59:59.999Z')).toBe('Flowering');
  expect(nameAt('2026-10-25T22:59:59.999Z')).toBe('Ripening');
  expect(nameAt('2026-10-25T23:00:00Z')).toBeUndefined();
});

it('drawn spans match the validity of the rules, at any time in any zone', () => {
  const zones = fc.constantFrom(
    'Europe/Copenhagen',
    'America/Sao_Paulo',
    'America/Havana',
    'Australia/Lord_Howe',
    'UTC',
  );
  const day = fc.integer({ min: 0, max: 30 * 365 }).map((count) => addDays('1999-01-01', count));
  fc.assert(
    fc.property(
      zones,
      day,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: -3, max: 14 }),
      (zone, from, apart, hours) => {
        const stages = [stage('a', from), stage('b', addDays(from, apart), 5.8)];
        const of: Cycle = { ...cycle, zone, plantedAt: from, stages, endedAt: addDays(from, apart) };
        const spans = stageSpans(of);
        for (const near of spans.flatMap((span) => [span.from, span.to!])) {
          for (const at of [near - 1, near, near + hours * 3_600_000]) {
            const span = spans.find((each) => each.from <= at && at < each.to!);
            expect(stageAt(of, at)?.name).toBe(span?.stage.name);
          }
        }
      },
    ),
    { numRuns: 100 },
  );
});

const group = { id: '0f3c7a52-1c9e-4b6a-8a44-7d8e9f001122', name: 'All', isCollapsed: false, devices: [CELLAR] };
const inGroup: Cycle = { ...cycle, place: { kind: 'group', group: group.id } };

const HOURS = { from: '06:00', to: '20:00' };
const day = {
  dayIn: (zone: string) => dayTimes(HOURS, null, zone, null),
  now: Date.parse('2026-04-01T12:00:00Z'),
};
const withNights = (from: string): Cycle => ({
  ...cycle,
  stages: [
    { name: 'A', from, ranges: [{ field: 'tempAmbient', low: 22, high: 28, night: { low: 18, high: 22 } }] },
    { name: 'B', from: addDays(from, 2), ranges: [{ field: 'tempAmbient', low: 20, high: 26 }] },
  ],
});

it.each<[string, string, string[]]>([
  // Midnight, dawn, dusk, dawn, dusk, and the next stage at midnight: local times, also where clocks change.
  ['in winter', '2026-03-10', ['10T23 18', '11T05 22', '11T19 18', '12T05 22', '12T19 18', '12T23 20']],
  ['in spring', '2026-03-28', ['27T23 18', '28T05 22', '28T19 18', '29T04 22', '29T18 18', '29T22 20']],
  ['in autumn', '2026-10-24', ['23T22 18', '24T04 22', '24T18 18', '25T05 22', '25T19 18', '25T23 20']],
])('ranges of a stage follow day and night %s', (_, from, expected) => {
  const now = Date.parse('2026-10-30T00:00:00Z');
  const planted = from === '2026-03-10' ? addDays(from, 1) : from;
  const spans = rangeSpans([{ ...withNights(planted), endedAt: null }], ROOF, [], { ...day, now });
  expect(spans.map((span) => `${String(iso(span.from)).slice(8, 13)} ${span.low}`)).toEqual(expected);
  for (const [index, span] of spans.entries()) expect(span.to).toBe(spans[index + 1]?.from ?? null);
});

it('sets ranges only for the devices of its place', () => {
  expect(rangeSpans([cycle], ROOF, [], day).map(({ low }) => low)).toEqual([5.5, 5.8, 6]);
  expect(rangeSpans([cycle], CELLAR, [], day)).toEqual([]);
  expect(rangeSpans([inGroup], CELLAR, [group], day)).toHaveLength(3);
});

it.each<[string, object, string]>([
  ['stages on the same day', { stages: [stage('a', '2026-03-02'), stage('b', '2026-03-02')] }, 'stages overlap'],
  ['stages in the wrong order', { stages: [stage('a', '2026-03-05'), stage('b', '2026-03-02')] }, 'stages overlap'],
  ['a stage before the planting', { stages: [stage('a', '2026-02-28')] }, 'a stage begins before the planting'],
  ['a stage after the end', { endedAt: '2026-03-20' }, 'a stage begins after the end'],
  ['an end before the planting', { stages: [], endedAt: '2026-02-01' }, 'it ends before the planting'],
  ['an unknown zone', { zone: 'Mars/Base' }, 'there is no such time zone'],
  [
    'a range by night upside down',
    {
      stages: [
        {
          ...withNights('2026-03-02').stages[0],
          ranges: [{ field: 'ph', low: 5, high: 6, night: { low: 7, high: 6 } }],
        },
      ],
    },
    'low must be below high',
  ],
  ['a range upside down', { stages: [stage('a', '2026-03-02', 7)] }, 'low must be below high'],
])('refuses %s', (_, more, message) => {
  expect(writtenCycle.safeParse(cycle).success).toBe(true);
  expect(writtenCycle.safeParse({ ...cycle, ...more }).error?.issues[0]?.message).toContain(message);
});

it('sums up the log of its days and place', () => {
  const entry = (id: number, at: string, act: JournalEntry['act'], device: string | null = ROOF): JournalEntry => ({
    ...{ id, device, at: Date.parse(at), text: '', updatedAt: 0 },
    ...(act === undefined ? {} : { act }),
  });
  const litres = (value: number) => ({ kind: 'toppedUp', amount: { value, unit: 'l' } }) as const;
  const acid = (value: number) => ({ kind: 'phCorrected', product: 'Acid', amount: { value, unit: 'ml' } }) as const;
  const kg = (value: number, of?: string) =>
    ({ kind: 'harvested', amount: { value, unit: 'kg' }, ...(of === undefined ? {} : { cycle: of }) }) as const;
  const other: Cycle = { ...cycle, id: '0f3c7a52-1c9e-4b6a-8a44-7d8e9f001122', plantedAt: '2026-06-01', stages: [] };
  const log = [
    entry(1, '2026-02-28T22:59:59Z', litres(100)),
    entry(2, '2026-02-28T23:00:00Z', litres(20)),
    entry(3, '2026-10-25T22:59:59Z', litres(5)),
    entry(4, '2026-10-25T23:00:00Z', litres(100)),
    entry(5, '2026-04-01T12:00:00Z', acid(3)),
    entry(6, '2026-04-02T12:00:00Z', acid(4)),
    entry(7, '2026-04-02T12:00:00Z', litres(100), CELLAR),
    entry(8, '2026-05-02T12:00:00Z', kg(2)),
    // Two cycles are there at that time: the entry must say which one it is for.
    entry(9, '2026-07-02T12:00:00Z', kg(9)),
    entry(10, '2026-07-02T12:00:00Z', kg(1, cycle.id)),
    entry(11, '2026-07-02T12:00:00Z', kg(7, other.id)),
  ];
  const sums = sumsOf(cycle, [cycle, other], log, []);
  expect(sums).toMatchObject({ harvestKg: 3, harvestPieces: 0, waterLitres: 25 });
  expect(sums.doses).toEqual([{ product: 'Acid', unit: 'ml', total: 7 }]);
});

it('an entry of a whole group counts once, for the cycle that it names', () => {
  const entry = (id: number, act: NonNullable<JournalEntry['act']>, device: string | null = null): JournalEntry => ({
    ...{ id, device, at: Date.parse('2026-04-02T12:00:00Z'), text: '', updatedAt: 0, act },
  });
  const litres = (value: number, of?: string) =>
    ({ kind: 'toppedUp', amount: { value, unit: 'l' }, ...(of === undefined ? {} : { cycle: of }) }) as const;
  const harvest = (of: string) => ({ kind: 'harvested', amount: { value: 4, unit: 'kg' }, cycle: of }) as const;
  const both: Cycle = { ...cycle, id: '0f3c7a52-1c9e-4b6a-8a44-7d8e9f001122', place: inGroup.place };
  const other: Cycle = {
    ...cycle,
    id: '1f3c7a52-1c9e-4b6a-8a44-7d8e9f001122',
    place: { kind: 'device', device: CELLAR },
  };
  const log = [
    entry(1, litres(20, both.id)),
    entry(2, harvest(both.id)),
    entry(3, { ...harvest(both.id), amount: { value: 1, unit: 'kg' } }, CELLAR),
    entry(4, litres(5), CELLAR),
    // Nobody knows how much of this went to which cycle.
    entry(5, litres(100)),
  ];
  const sums = (of: Cycle) => sumsOf(of, [both, other], log, [group]);
  expect(sums(both)).toMatchObject({ harvestKg: 5, waterLitres: 25 });
  expect(sums(both).entries.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  expect(sums(other)).toMatchObject({ harvestKg: 0, waterLitres: 5 });
  expect(sumsOf(both, [both], log, [group]).waterLitres).toBe(125);
  const at = (device: string, cycles: Cycle[]) =>
    log.filter((each) => concerns(device, each, cycles, [group])).map(({ id }) => id);
  expect(at(CELLAR, [both, other])).toEqual([1, 2, 3, 4, 5]);
  expect(at('ef'.repeat(32), [both, other])).toEqual([3, 4, 5]);
  expect(at('ef'.repeat(32), [])).toHaveLength(5);
});

it('counts the beginning of a stage once, though each device of the place has an entry', () => {
  const begun = (id: number, device: string, text: string): JournalEntry => ({
    ...{ id, device, at: Date.parse('2026-03-28T23:00:00Z'), text, updatedAt: 0 },
    act: { kind: 'stageChanged', cycle: cycle.id },
  });
  const log = [begun(1, ROOF, 'Flowering'), begun(2, CELLAR, 'Flowering'), begun(3, ROOF, 'Ripening')];
  expect(sumsOf(cycle, [cycle], log, []).entries.map(({ id }) => id)).toEqual([1, 3]);
});

it('sums up by local months', () => {
  const acid = (id: number, at: string, value: number): JournalEntry => ({
    ...{ id, device: ROOF, at: Date.parse(at), text: '', updatedAt: 0 },
    act: { kind: 'phCorrected', product: 'Acid', amount: { value, unit: 'ml' } },
  });
  const log = [
    acid(1, '2026-03-31T21:59:59.999Z', 0.1),
    acid(2, '2026-03-05T12:00:00Z', 0.2),
    // Midnight of 1 April in Copenhagen.
    acid(3, '2026-03-31T22:00:00Z', 4),
    { ...acid(4, '2026-05-01T12:00:00Z', 1), act: { kind: 'pruned' as const } },
  ];
  expect(sumsByMonth(log, cycle.zone).map(({ month, doses }) => [month, doses[0]?.total])).toEqual([
    ['2026-03-01', 0.3],
    ['2026-04-01', 4],
  ]);
});

it('counts the days of stages without future ones', () => {
  const grows: Cycle = { ...cycle, endedAt: null };
  expect(stageDays(grows, Date.parse('2026-03-29T12:00:00Z'))).toEqual([27, 1, null]);
  expect(stageDays(cycle, Date.parse('2027-01-01T12:00:00Z'))).toEqual([27, 1, 210]);
  expect(stageDays(grows, Date.parse('2026-03-29T21:59:59Z'))).toEqual([27, 1, null]);
  expect(stageDays(grows, Date.parse('2026-03-29T22:00:00Z'))).toEqual([27, 1, 1]);
});

it('counts a day since planting as one, also if clocks change on it', () => {
  const zones = ['Europe/Copenhagen', 'America/Sao_Paulo', 'America/Havana', 'Australia/Lord_Howe', 'UTC'];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 20 * 365 }),
      fc.integer({ min: 0, max: 400 }),
      (zone, planted, days) => {
        const plantedAt = addDays('2004-01-01', planted);
        const of = daysSincePlanting({ plantedAt, zone });
        const start = startOfDay(addDays(plantedAt, days), zone);
        expect(of(start)).toBe(days);
        expect(of(start - 1)).toBeLessThan(days);
        expect(of(start - 1)).toBeCloseTo(days, 6);
        expect(of(start + 3_600_000)).toBeGreaterThan(days);
      },
    ),
    { numRuns: 200 },
  );
});

it('spans from the midnight of its planting to that after its end, or until now', () => {
  const now = Date.parse('2026-05-01T10:00:00Z');
  expect(iso(spanOfCycle(cycle, now).from)).toBe('2026-02-28T23:00:00.000Z');
  expect(spanOfCycle(cycle, now).to).toBe(now);
  expect(iso(spanOfCycle(cycle, Date.parse('2027-01-01')).to)).toBe('2026-10-25T23:00:00.000Z');
});

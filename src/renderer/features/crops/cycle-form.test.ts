import { expect, it } from 'vitest';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import { cycleOf, formOf, planted } from './cycle-form.ts';

const last: Cycle = {
  ...{ id: '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11', crop: 'Tomato', variety: 'Sakura', zone: 'UTC' },
  ...{ place: { kind: 'device', device: 'aa'.repeat(32) }, plants: 10, areaM2: 2, endedAt: '2026-06-01' },
  plantedAt: '2026-03-01',
  stages: [
    { name: 'Seedling', from: '2026-03-01', ranges: [{ field: 'ph', low: 5.5, high: 6.5 }] },
    { name: 'Fruiting', from: '2026-04-10', ranges: [{ field: 'ec', low: null, high: 1900 }] },
  ],
};
const stages = (seedling: string, fruiting: string) => [
  { ...last.stages[0], from: seedling },
  { ...last.stages[1], from: fruiting },
];

it('proposes all stages of the last cycle with their ranges, with the same distance to the planting', () => {
  const form = formOf(null, last, '2027-02-10');
  const made = cycleOf(form, null);
  expect(made).toMatchObject({ cycle: { id: null, crop: 'Tomato', plantedAt: '2027-02-10', endedAt: null } });
  expect(made).toMatchObject({ cycle: { stages: stages('2027-02-10', '2027-03-22') } });
});

it('moves the stages with the planting, but not while a year is being typed', () => {
  let form = formOf(null, last, '2027-02-10');
  for (const day of ['', '0002-02-15', '0202-02-15', '2027-02-15']) form = { ...form, ...planted(form, day) };
  expect(cycleOf(form, null)).toMatchObject({ cycle: { stages: stages('2027-02-15', '2027-03-27') } });
});

it('keeps the other values of a changed cycle', () => {
  expect(cycleOf(formOf(last, null, '2027-02-10'), last)).toEqual({ cycle: last });
});

it('keeps ranges by night, and removes them with the switch or without numbers', () => {
  const range = { field: 'tempAmbient', low: 22, high: 28, night: { low: 18, high: 22 } } as const;
  const cycle: Cycle = { ...last, stages: [{ ...last.stages[0]!, ranges: [range] }] };
  const form = formOf(cycle, null, '2027-02-10');
  expect(cycleOf(form, cycle)).toEqual({ cycle });
  const { night: _, ...byDay } = range;
  const stage = form.stages[0]!;
  const changed = (part: Partial<typeof stage>) => cycleOf({ ...form, stages: [{ ...stage, ...part }] }, cycle);
  expect(changed({ hasNights: false })).toMatchObject({ cycle: { stages: [{ ranges: [byDay] }] } });
  const typed = (nightLow: string, nightHigh: string) => ({
    ranges: { ...stage.ranges, tempAmbient: { ...stage.ranges.tempAmbient, nightLow, nightHigh } },
  });
  expect(changed(typed('', ''))).toEqual({ cycle: { ...cycle, stages: [{ ...stage0(cycle), ranges: [byDay] }] } });
  expect(changed(typed('23', '22'))).toEqual({ fault: 'range' });
  expect(
    changed({ ranges: { ...typed('18', '22').ranges, ph: { low: '', high: '', nightLow: '5', nightHigh: '' } } }),
  ).toEqual({ fault: 'range' });
});

const stage0 = ({ stages: [stage] }: Cycle) => stage!;

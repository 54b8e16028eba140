import { expect, it } from 'vitest';
import type { LogSums } from '../../../../shared/owner-data/cycle-sums.ts';
import type { Cycle } from '../../../../shared/owner-data/cycles.ts';
import { differencesOf, reasonsOf } from './differences.ts';

const NOTHING: LogSums = { harvestKg: 0, harvestPieces: 0, waterLitres: 0, doses: [] };
const cycle = (plants: number | null): Cycle => ({
  ...{ id: crypto.randomUUID(), crop: 'Tomato', variety: '', place: { kind: 'device', device: 'aa'.repeat(32) } },
  ...{ zone: 'UTC', plantedAt: '2026-03-01', plants, areaM2: null, stages: [], endedAt: '2026-05-30' },
});
const stage = (name: string, days: number | null, ph?: number) => ({
  ...{ name, from: '2026-03-01', days },
  shares: new Map(ph === undefined ? [] : [['ph', ph] as const]),
});
const of = (plants: number | null, sums: Partial<LogSums>, stages: ReturnType<typeof stage>[] = []) => ({
  ...{ cycle: cycle(plants), stages },
  sums: { ...NOTHING, ...sums, entries: [], counted: [] },
});
const now = Date.parse('2027-01-01');

it('compares each value of one cycle with that of the other', () => {
  const dose = { product: 'Acid', unit: 'ml' };
  const found = differencesOf(
    of(10, { harvestKg: 5, doses: [{ ...dose, total: 30 }] }, [stage('Seedling', 20, 0.9), stage('Fruiting', 40)]),
    of(20, { harvestKg: 5, waterLitres: 8 }, [stage('seedling ', 25, 0.4)]),
    now,
  );
  expect(found.map(({ subject, values }) => [subject, values])).toEqual([
    [{ kind: 'harvest' }, [5, 5]],
    [{ kind: 'perPlant' }, [0.5, 0.25]],
    [{ kind: 'days' }, [90, 90]],
    [{ kind: 'water' }, [0, 8]],
    [{ kind: 'dose', ...dose }, [30, 0]],
    [{ kind: 'stageDays', stage: 'Seedling' }, [20, 25]],
    [{ kind: 'inRange', stage: 'Seedling', field: 'ph' }, [0.9, 0.4]],
    [{ kind: 'stageDays', stage: 'Fruiting' }, [40, null]],
  ]);
});

it('counts pieces if nothing was weighed', () => {
  const found = differencesOf(of(2, { harvestPieces: 8 }), of(null, { harvestPieces: 3 }), now);
  expect(found.slice(0, 2).map(({ values }) => values)).toEqual([
    [8, 3],
    [4, null],
  ]);
});

it('names the largest differences as reasons, and only values that both have', () => {
  const a = of(10, { harvestKg: 5, waterLitres: 100 }, [stage('Seedling', 20, 0.9), stage('Fruiting', 40)]);
  const b = of(10, { harvestKg: 9, waterLitres: 95 }, [stage('Seedling', 21, 0.4)]);
  expect(reasonsOf(differencesOf(a, b, now)).map(({ subject }) => subject.kind)).toEqual(['inRange']);
});

import { expect, it } from 'vitest';
import { vapourPressureDeficit } from '../../shared/measures/air.ts';
import type { History } from '../../shared/owner-api/readings.ts';
import { type FieldName, perFieldName } from '../../shared/protocol/fields.ts';
import { type ShownValue, shownDerived } from '../format/values.ts';
import { withDerived } from './derived.ts';

const NO_LEAF = { units: {}, leafOffset: null };
const none = { min: [null], max: [null], mean: [null], count: [0], sealed: [0] };

/** Returns a history of one reading or step. */
function historyOf(
  stepMs: number | null,
  counts: { readonly tempAmbient: number; readonly humidity: number },
  sealed = 0,
): History {
  const of = (mean: number, count: number) => {
    const value = count === 0 ? null : mean;
    return { min: [value], max: [value], mean: [value], count: [count], sealed: [sealed] };
  };
  const measured: Partial<Record<FieldName, typeof none>> = {
    tempAmbient: of(25, counts.tempAmbient) as never,
    humidity: of(60, counts.humidity) as never,
  };
  return { axis: 'timestamp', stepMs, times: [0], fields: perFieldName((field) => measured[field] ?? none) };
}

it('derives the values of a reading, and those of the leaf by the owner’s offset', () => {
  const { fields } = withDerived(historyOf(null, { tempAmbient: 1, humidity: 1 }), { units: {}, leafOffset: -2 });
  expect(fields.vpd).toMatchObject({ mean: [vapourPressureDeficit(25, 60)], count: [1] });
  expect(fields.vpdLeaf.mean).toEqual([vapourPressureDeficit(25, 60, -2)]);
  expect(fields.dewPoint.mean[0]).toBeCloseTo(16.69, 1);
  expect(withDerived(historyOf(null, { tempAmbient: 1, humidity: 1 }), NO_LEAF).fields.vpdLeaf.mean).toEqual([null]);
});

it('derives a step only from means of nearly the same readings', () => {
  const meanOf = (tempAmbient: number, humidity: number) =>
    withDerived(historyOf(60_000, { tempAmbient, humidity }), NO_LEAF).fields.vpd;
  expect(meanOf(60, 60)).toMatchObject({ mean: [vapourPressureDeficit(25, 60)], count: [60] });
  expect(meanOf(60, 55)).toMatchObject({ mean: [vapourPressureDeficit(25, 60)], count: [55] });
  expect(meanOf(60, 30)).toMatchObject({ mean: [null], count: [0] });
  expect(meanOf(1, 0)).toMatchObject({ mean: [null], count: [0] });
});

it('marks a value as sealed while one of its sources is', () => {
  expect(withDerived(historyOf(null, { tempAmbient: 1, humidity: 0 }, 1), NO_LEAF).fields).toMatchObject({
    vpd: { mean: [null], sealed: [1] },
    vpdLeaf: { sealed: [0] },
  });
  const shown = (tempAmbient: ShownValue, humidity: ShownValue) =>
    shownDerived('vpd', (field) => (field === 'humidity' ? humidity : tempAmbient), NO_LEAF);
  const plain = (value: number): ShownValue => ({ kind: 'plain', value });
  const value = vapourPressureDeficit(25, 60);
  expect(shown(plain(25), plain(60))).toEqual({ kind: 'plain', value });
  expect(shown(plain(25), { kind: 'sealed', keyVersion: 2 })).toEqual({ kind: 'sealed', keyVersion: 2 });
  expect(shown(plain(25), { kind: 'opened', value: 60, keyVersion: 2 })).toEqual({
    kind: 'opened',
    value,
    keyVersion: 2,
  });
  expect(shown(plain(25), { kind: 'absent' })).toEqual({ kind: 'absent' });
  expect(shown(plain(25), plain(200))).toEqual({ kind: 'absent' });
});

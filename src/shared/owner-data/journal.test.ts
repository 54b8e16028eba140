import { expect, it } from 'vitest';
import { logAct, writtenEntry } from './journal.ts';
import { LOG_KIND_NAMES, type LogKindName, logKind } from './log-kinds.ts';

/** Returns the smallest act of a kind. */
const least = (kind: LogKindName) => {
  const { hasProduct, units, isCalibration, isAutomatic } = logKind(kind);
  return {
    kind,
    ...(isCalibration ? { field: 'ph' as const, points: [{ reference: 7, shown: 7.2 }] } : {}),
    ...(hasProduct ? { product: 'Acid' } : {}),
    ...(isAutomatic ? { cycle: '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11' } : {}),
    ...(units === undefined ? {} : { amount: { value: 2, unit: units[0] } }),
  };
};

it.each(LOG_KIND_NAMES)('accepts the members that %s needs, and no others', (kind) => {
  const act = least(kind);
  expect(logAct.parse(act)).toEqual(act);
  const { hasProduct, units } = logKind(kind);
  if (!hasProduct) expect(logAct.safeParse({ ...act, product: 'Acid' }).success).toBe(false);
  if (units === undefined) expect(logAct.safeParse({ ...act, amount: { value: 1, unit: 'l' } }).success).toBe(false);
  else
    expect(logAct.safeParse({ ...act, amount: { value: 1, unit: units.includes('kg') ? 'l' : 'kg' } }).success).toBe(
      false,
    );
});

it.each<[string, unknown, string]>([
  ['a negative amount', { kind: 'toppedUp', amount: { value: -3, unit: 'l' } }, 'an amount must be more than 0'],
  ['half a piece', { kind: 'harvested', amount: { value: 1.5, unit: 'pieces' } }, 'pieces are whole'],
  ['no amount', { kind: 'toppedUp' }, 'toppedUp needs an amount'],
  [
    'a calibration of nothing',
    { kind: 'calibrated', points: [{ reference: 7, shown: 7 }] },
    'calibrated needs the sensor',
  ],
  ['a calibration without points', { kind: 'calibrated', field: 'ph' }, 'calibrated needs one or two points'],
  [
    'one reference twice',
    {
      kind: 'calibrated',
      field: 'ph',
      points: [
        { reference: 7, shown: 7 },
        { reference: 7, shown: 7.1 },
      ],
    },
    'both points have the same reference value',
  ],
  ['points of a cleaning', { kind: 'cleaned', points: [{ reference: 7, shown: 7 }] }, 'cleaned has no points'],
  ['a stage of no crop cycle', { kind: 'stageChanged' }, 'stageChanged needs the crop cycle'],
  [
    'a calibration of a crop cycle',
    { ...least('calibrated'), cycle: '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11' },
    'calibrated has no crop cycle',
  ],
  ['no product', { kind: 'dosed', amount: { value: 3, unit: 'ml' } }, 'dosed needs a product'],
])('says what is wrong with %s', (_, act, message) => {
  expect(logAct.safeParse(act).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

it.each<[string, object, boolean]>([
  ['a note of nothing', {}, false],
  ['an observation of nothing', { act: { kind: 'observed' } }, false],
  ['a cleaning', { act: { kind: 'cleaned' } }, true],
  [
    'a calibration of all devices',
    { act: { kind: 'calibrated', field: 'ph', points: [{ reference: 7, shown: 6 }] } },
    false,
  ],
  ['a note', { text: 'x' }, true],
])('needs a text where the kind does not say enough: %s', (_, more, isTaken) => {
  expect(writtenEntry.safeParse({ device: null, at: 0, text: ' ', ...more }).success).toBe(isTaken);
});

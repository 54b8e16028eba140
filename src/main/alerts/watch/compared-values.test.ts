import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RANGE_RULE } from '../../../../test/support/alerts.ts';
import { TimedAlerts } from '../../../../test/support/timed-alerts.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';

const MINUTE = 60_000;

let node: TimedAlerts;
beforeEach(async () => {
  node = await TimedAlerts.start();
});
afterEach(() => node.dispose());

it('a rule for all devices is compared in the unit that a device sends, also after a note changes it', async () => {
  await node.write({ ...RANGE_RULE, field: 'tempWater', low: 15, high: 25, margin: 0 });
  node.receive({ tempWater: 70 });
  expect(await node.kinds()).toEqual(['range firing']);
  const units = { tempWater: { sent: 'fahrenheit' } } as const;
  node.stores.write('private', [
    { kind: 'note', id: node.device, notes: { ...NO_NOTES, units }, updatedAt: node.wall },
  ]);
  node.events.emit('noted', () => ({ deviceId: node.device }));
  // 70 °F are 21 °C, and 80 °F are 27 °C.
  await expect
    .poll(async () => {
      node.wall += MINUTE;
      node.receive({ tempWater: 70 });
      return node.kinds();
    })
    .toEqual([]);
  node.wall += MINUTE;
  node.receive({ tempWater: 80 });
  expect(await node.live()).toMatchObject([{ kind: 'range', state: 'firing', side: 'high', value: 80, limit: 77 }]);
});

it('a rule on a derived field is compared in its own unit, reading by reading', async () => {
  await node.write({ ...RANGE_RULE, field: 'vpd', low: 0.4, high: 1.6, margin: 0 });
  // The VPD is 1.27 kPa at 25 °C and 60 %, and 1.9 kPa at 40 %.
  node.receive({ tempAmbient: 25, humidity: 60 });
  node.wall += MINUTE;
  node.receive({ humidity: 5 });
  expect(await node.kinds()).toEqual([]);
  node.wall += MINUTE;
  node.receive({ tempAmbient: 25, humidity: 40 });
  const [alert] = await node.live();
  expect(alert).toMatchObject({ kind: 'range', field: 'vpd', state: 'firing', side: 'high', limit: 1.6 });
  expect(alert!.value).toBeCloseTo(1.9, 2);
  node.wall += MINUTE;
  node.receive({ tempAmbient: 25, humidity: 60 });
  expect(await node.kinds()).toEqual([]);
});

it('a rule on the leaf uses the owner’s offset, and evaluates nothing without one', async () => {
  const rule = { ...RANGE_RULE, field: 'vpdLeaf', low: 1, high: 5, margin: 0 } as const;
  node.receive({ tempAmbient: 25, humidity: 60 });
  await node.write(rule);
  expect(await node.kinds()).toEqual([]);
  // With leaves two degrees cooler it is 0.91 kPa.
  const climate = { [node.device]: { leafOffset: -2 } };
  node.stores.write('private', [
    { kind: 'choose', name: 'climate', value: JSON.stringify(climate), updatedAt: node.wall },
  ]);
  node.events.emit('chosen', () => ({ names: ['climate'] }));
  await expect
    .poll(async () => {
      node.wall += MINUTE;
      node.receive({ tempAmbient: 25, humidity: 60 });
      return node.kinds();
    })
    .toEqual(['range firing']);
});

it('a rule on a derived field reports devices with a sealed source', async () => {
  await node.write({ ...RANGE_RULE, field: 'dewPoint', low: null, high: 18, margin: 0 });
  const times = { seq: '1', timestamp: String(node.wall), receivedAt: node.wall };
  const reading = { deviceId: node.device, ...times, values: { tempAmbient: 25 }, sealed: ['humidity' as const] };
  node.events.emit('stored', () => ({ store: 'private', readings: [reading] }));
  const { rules } = await node.alerts.handlers.alertRules({});
  expect(rules.find(({ rule }) => rule.kind === 'range')).toMatchObject({ sealedOn: [node.device] });
  expect(await node.kinds()).toEqual([]);
  await node.pass(MINUTE);
  node.receive({ tempAmbient: 25, humidity: 60 });
  const { rules: now } = await node.alerts.handlers.alertRules({});
  expect(now.find(({ rule }) => rule.kind === 'range')).toMatchObject({ sealedOn: [] });
});

it('a new rule on a derived field finds since when it has been out of range', async () => {
  await node.receiveFor(30, { tempAmbient: 25, humidity: 30 });
  await node.write({ ...RANGE_RULE, field: 'vpd', low: null, high: 1.6, margin: 0, forMinutes: 10 });
  expect(await node.kinds()).toEqual(['range firing']);
});

describe('a calibration', () => {
  const calibrate = (reference: number, shown: number): void => {
    const act = { kind: 'calibrated' as const, field: 'ph' as const, points: [{ reference, shown }] };
    const entry = { id: null, device: node.device, at: node.wall, text: '', act, updatedAt: node.wall };
    node.stores.write('private', [{ kind: 'writeEntry', ...entry }]);
  };

  it('corrects the values of rules from then on', async () => {
    await node.write(RANGE_RULE);
    await node.receiveFor(2, { ph: 6.4 });
    expect(await node.kinds()).toEqual([]);
    calibrate(7, 6.8);
    node.events.emit('journalChanged', () => ({ id: 1 }));
    await expect
      .poll(async () => {
        await node.receiveFor(1, { ph: 6.4 });
        return node.kinds();
      })
      .toEqual(['range firing']);
    expect((await node.live())[0]!.value).toBe(6.6);
  });

  it('corrects the earlier values that a new rule evaluates', async () => {
    await node.receiveFor(2, { ph: 6.4 });
    calibrate(7, 6.8);
    await node.receiveFor(2, { ph: 6.4 });
    await node.alerts.stop();
    await node.start();
    await node.write(RANGE_RULE);
    expect((await node.live()).map(({ value }) => value)).toEqual([6.6]);
  });
});

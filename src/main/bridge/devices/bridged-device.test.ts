import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bridgedDevice, FIRST_AT, storedAt } from '../../../../test/support/bridged-devices.ts';

const MINUTE = 60_000;

describe('a device as other programs see it', () => {
  it('has the newest value of each field, for any order of readings', () => {
    const readings = [
      storedAt(FIRST_AT, { values: { ph: 5, ec: 900 } }),
      storedAt(FIRST_AT + MINUTE, { values: { ph: 6 } }),
      storedAt(FIRST_AT + 2 * MINUTE, { values: { tempWater: 20 }, sealed: ['ph'] }),
      storedAt(FIRST_AT + 3 * MINUTE, { values: { tempWater: 21 } }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(readings, { minLength: readings.length }), (shuffled) => {
        const device = bridgedDevice();
        // They arrive as they are measured, but events may come in another order.
        for (const reading of shuffled) device.take(reading);
        expect(device.newest?.measuredAt).toBe(FIRST_AT + 3 * MINUTE);
        expect(device.values.get('tempWater')?.value).toBe(21);
        expect(device.values.get('ec')?.value).toBe(900);
      }),
    );
  });

  it('has no value of a field that was sealed later, even if an older plain one comes late', () => {
    const device = bridgedDevice();
    device.take(storedAt(FIRST_AT, { values: { ph: 6 } }));
    device.take(storedAt(FIRST_AT + 2 * MINUTE, { sealed: ['ph'] }));
    device.take(storedAt(FIRST_AT + MINUTE, { values: { ph: 6.1 }, receivedAt: FIRST_AT + 3 * MINUTE }));
    expect([...device.values.keys(), ...device.sealed]).toEqual(['ph']);
    expect(device.values.has('ph')).toBe(false);
    device.take(storedAt(FIRST_AT + 4 * MINUTE, { values: { ph: 6.2 } }));
    expect(device.values.get('ph')?.value).toBe(6.2);
    expect(device.sealed.size).toBe(0);
  });

  it('uses the arrival time if the device’s clock is not set, and never a later time', () => {
    const device = bridgedDevice();
    device.take(storedAt(FIRST_AT, { timestamp: '5000', values: { ph: 6 } }));
    expect(device.newest?.measuredAt).toBe(FIRST_AT);
    device.take(storedAt(FIRST_AT + MINUTE, { timestamp: String(FIRST_AT + 100 * MINUTE), values: { ph: 7 } }));
    expect(device.newest?.measuredAt).toBe(FIRST_AT + MINUTE);
    device.move({ by: -MINUTE, from: FIRST_AT + 1, to: FIRST_AT + 2 * MINUTE });
    expect(device.newest).toMatchObject({ measuredAt: FIRST_AT, receivedAt: FIRST_AT });
  });

  it('corrects values by the owner’s calibration for their time of measurement', () => {
    const device = bridgedDevice();
    device.facts = { ...device.facts, corrections: [{ field: 'ph', from: FIRST_AT + MINUTE, slope: 2, offset: -6 }] };
    device.take(storedAt(FIRST_AT, { values: { ph: 6.1, ec: 900 } }));
    expect(device.values.get('ph')?.value).toBe(6.1);
    device.take(storedAt(FIRST_AT + MINUTE, { values: { ph: 6.1, ec: 900 } }));
    expect([...device.values.values()].map(({ value }) => value)).toEqual([6.2, 900]);
  });

  it('is silent by the owner’s value for it, else by the rule, else by its interval', () => {
    const device = bridgedDevice();
    for (let count = 0; count < 9; count += 1) device.take(storedAt(FIRST_AT + count * 10_000));
    expect(device.silentAfterMs(null)).toBe(30_000);
    expect(device.silentAfterMs(900_000)).toBe(900_000);
    const noted = bridgedDevice({ silentAfterMs: 5000 });
    expect(noted.silentAfterMs(900_000)).toBe(5000);
  });
});

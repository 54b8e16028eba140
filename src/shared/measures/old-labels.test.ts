import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELD_NAMES } from '../protocol/fields.ts';
import { fieldScale } from './field-scale.ts';
import { readOldLabel } from './old-labels.ts';

describe('readOldLabel', () => {
  it('converts where the label names another unit, and asks', () => {
    const { choice, isDoubtful } = readOldLabel('tempWater', ' °F ');
    expect(isDoubtful).toBe(true);
    const scale = fieldScale('tempWater', choice ?? undefined);
    expect([scale.toShown(21.6), scale.symbol]).toEqual([70.88, '°F']);
    expect(readOldLabel('ec', 'µS/cm').choice).toEqual({ shown: 'microsiemens' });
    expect(readOldLabel('ec', 'μS/cm').choice).toEqual({ shown: 'microsiemens' });
    expect(readOldLabel('ec', 'mS/cm').choice).toEqual({ shown: 'millisiemens' });
    expect(readOldLabel('ec', 'ppm (700)').choice).toEqual({ shown: 'ppm700' });
    expect(readOldLabel('waterLevel', 'cm').choice).toEqual({ shown: 'centimetre' });
  });

  it('drops what says no more than the unit that is there anyway, silently', () => {
    for (const [field, label] of [
      ['ec', 'ppm'],
      ['tempAmbient', '°C'],
      ['humidity', '% RH'],
      ['ph', 'pH'],
      ['humidity', ''],
    ] as const) {
      expect(readOldLabel(field, label)).toEqual({ choice: null, isDoubtful: false });
    }
  });

  it('does not take a distance for a per cent', () => {
    expect(readOldLabel('waterLevel', '%')).toEqual({ choice: null, isDoubtful: true });
    expect(readOldLabel('waterLevel', '% full')).toEqual({ choice: null, isDoubtful: true });
  });

  it('keeps what nothing converts', () => {
    expect(readOldLabel('ec', 'NTU').choice).toEqual({ label: 'NTU' });
    expect(readOldLabel('waterLevel', 'l').choice).toEqual({ label: 'l' });
    expect(readOldLabel('ph', 'mV').choice).toEqual({ label: 'mV' });
  });

  it('never lets a number stand unconverted under a unit of its quantity that it is not in', () => {
    const label = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom('°F', '°c', 'F', 'mS', 'us/cm', 'cm', 'in', '%', 'ppm 700', 'mm', 'constructor', '__proto__'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...FIELD_NAMES), label, (field, text) => {
        const { choice } = readOldLabel(field, text);
        if (choice === null) return;
        const scale = fieldScale(field, choice);
        if ('label' in choice) expect(scale.unit).toBeNull();
        else expect(scale.toShown(100)).not.toBe(100);
      }),
    );
  });
});

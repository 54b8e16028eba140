import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELD_NAMES } from '../protocol/fields.ts';
import { fieldScale } from './field-scale.ts';
import { readOldLabel } from './old-labels.ts';

describe('readOldLabel', () => {
  it('converts if the label names another unit, and asks', () => {
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

  it('silently drops a label of the usual unit', () => {
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

  it('does not convert a distance to per cent', () => {
    expect(readOldLabel('waterLevel', '%')).toEqual({ choice: null, isDoubtful: true });
    expect(readOldLabel('waterLevel', '% full')).toEqual({ choice: null, isDoubtful: true });
  });

  it('keeps labels without a conversion', () => {
    expect(readOldLabel('ec', 'NTU').choice).toEqual({ label: 'NTU' });
    expect(readOldLabel('waterLevel', 'l').choice).toEqual({ label: 'l' });
    expect(readOldLabel('ph', 'mV').choice).toEqual({ label: 'mV' });
  });

  it('never shows an unconverted number under another unit of its quantity', () => {
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

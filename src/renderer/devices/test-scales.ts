import { type FieldScale, type FieldUnitChoice, fieldScale } from '../../shared/measures/field-scale.ts';
import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';
import type { Scales } from './use-scales.ts';

/** Scales for a test: as the owner chose, or as devices send. */
export function testScales(choices: Partial<Record<FieldName, FieldUnitChoice>> = {}): Scales {
  const scales = FIELD_NAMES.map((field) => [field, fieldScale(field, choices[field])] as const);
  return Object.fromEntries(scales) as Record<FieldName, FieldScale>;
}

import { perAnyField, unitChoiceOf } from '../../shared/measures/derived.ts';
import { type FieldUnitChoice, fieldScale } from '../../shared/measures/field-scale.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import type { Scales } from './use-scales.ts';

/** Scales for a test: as the owner chose, or as devices send. */
export function testScales(choices: Partial<Record<FieldName, FieldUnitChoice>> = {}): Scales {
  return perAnyField((field) => fieldScale(field, unitChoiceOf(choices, field)));
}

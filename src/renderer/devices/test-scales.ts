import { perAnyField, unitChoiceOf } from '../../shared/measures/derived.ts';
import { type FieldUnitChoice, fieldScale } from '../../shared/measures/field-scale.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import type { Scales } from './use-scales.ts';

/** Returns scales for a test: with the owner's choices, otherwise in the devices' units. */
export function testScales(choices: Partial<Record<FieldName, FieldUnitChoice>> = {}): Scales {
  return perAnyField((field) => fieldScale(field, unitChoiceOf(choices, field)));
}

import type { RangeRule, Rule } from '../alerts/rule.ts';
import type { RuleState } from '../owner-api/alerts.ts';
import type { DeviceSummary } from '../owner-api/devices.ts';
import type { DeviceGroup } from '../owner-data/choices.ts';
import { FIELD_NAMES, type FieldName } from '../protocol/fields.ts';

/** A device, as far as rules go. */
type Concerned = Pick<DeviceSummary, 'id' | 'mine'>;

/** Whether a rule is for a device: another owner's is no matter for any. */
export function isFor({ scope }: Pick<RangeRule, 'scope'>, { id, mine }: Concerned, groups: readonly DeviceGroup[]) {
  if (!mine) return false;
  switch (scope.kind) {
    case 'all':
      return true;
    case 'device':
      return scope.device === id;
    case 'group':
      return groups.some((group) => group.id === scope.group && group.devices.includes(id));
  }
}

/** The rules of a list that watch a field's range at a device; those that are off too. */
export function rangesFor(rules: readonly Rule[], device: Concerned, groups: readonly DeviceGroup[]): RangeRule[] {
  return rules.filter((rule) => rule.kind === 'range').filter((rule) => isFor(rule, device, groups));
}

/** Whether a rule watches a value of a device. The node can't judge what is sealed. */
export function isWatched(states: readonly RuleState[], device: Concerned, groups: readonly DeviceGroup[]): boolean {
  const rules = states
    .filter(({ rule, sealedOn }) => rule.isOn && !sealedOn.includes(device.id))
    .map(({ rule }) => rule);
  return rangesFor(rules, device, groups).length > 0;
}

/** The fields that a device has sent and whose range no rule of a list watches; rules that are off watch nothing. */
export function unwatchedFields(
  rules: readonly Rule[],
  device: Concerned & Pick<DeviceSummary, 'newest'>,
  groups: readonly DeviceGroup[],
): FieldName[] {
  const watched = new Set(rangesFor(rules, device, groups).flatMap(({ isOn, field }) => (isOn ? [field] : [])));
  return FIELD_NAMES.filter((field) => device.newest[field] !== null && !watched.has(field));
}

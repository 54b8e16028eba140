import type { RangeRule, Rule } from '../alerts/rule.ts';
import type { RuleState } from '../owner-api/alerts.ts';
import type { DeviceSummary } from '../owner-api/devices.ts';
import type { DeviceGroup } from '../owner-data/choices.ts';
import { FIELD_NAMES, type FieldName } from '../protocol/fields.ts';

/** The part of a device that rules need. */
type Concerned = Pick<DeviceSummary, 'id' | 'mine'>;

/** Returns whether a rule is for a device. No rule is for a device of another owner. */
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

/** Returns the range rules of a list for a device, including those that are off. */
export function rangesFor(rules: readonly Rule[], device: Concerned, groups: readonly DeviceGroup[]): RangeRule[] {
  return rules.filter((rule) => rule.kind === 'range').filter((rule) => isFor(rule, device, groups));
}

/** Returns whether a rule watches a value of a device. The node can't check encrypted values. */
export function isWatched(states: readonly RuleState[], device: Concerned, groups: readonly DeviceGroup[]): boolean {
  const rules = states
    .filter(({ rule, sealedOn }) => rule.isOn && !sealedOn.includes(device.id))
    .map(({ rule }) => rule);
  return rangesFor(rules, device, groups).length > 0;
}

/**
 * Returns the fields that a device has sent and that no range rule of a list watches. Rules that are off watch nothing.
 */
export function unwatchedFields(
  rules: readonly Rule[],
  device: Concerned & Pick<DeviceSummary, 'newest'>,
  groups: readonly DeviceGroup[],
): FieldName[] {
  const watched = new Set(rangesFor(rules, device, groups).flatMap(({ isOn, field }) => (isOn ? [field] : [])));
  return FIELD_NAMES.filter((field) => device.newest[field] !== null && !watched.has(field));
}

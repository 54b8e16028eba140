import { useCallback, useMemo } from 'react';
import { rangeAt } from '../../../shared/alerts/device-range.ts';
import type { RangeRule, Severity } from '../../../shared/alerts/rule.ts';
import { sideOf } from '../../../shared/alerts/shown-range.ts';
import type { AnyField } from '../../../shared/measures/derived.ts';
import type { RuleState } from '../../../shared/owner-api/alerts.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { rangesFor } from '../../../shared/wellness/concerned.ts';
import { useAlertRules, useAlertRulesOf } from '../../api/queries/alerts.ts';
import { useChoicesThere, useOwnerChoices } from '../../api/queries/choices.ts';
import { useNodes } from '../../api/queries/nodes.ts';
import type { ListedDevice } from '../../devices/listed.ts';
import { type OutOfRange, type ShownValue, shownNumber } from '../../format/values.ts';

const NONE: readonly RuleState[] = [];

/** The properties of a device that decide which rules apply to it, and in which units. */
type Ranged = Pick<DeviceSummary, 'id' | 'mine' | 'notes'>;

/** Returns a function for the enabled range rules of a device, in the units that it sends. */
export function useRangesOf(): (device: Ranged) => readonly RangeRule[] {
  const states = useAlertRules().data ?? NONE;
  const { groups } = useChoicesThere();
  const on = useMemo(
    () => states.map(({ rule }) => rule).filter((rule) => rule.kind === 'range' && rule.isOn),
    [states],
  );
  return useCallback(
    (device) => rangesFor(on, device, groups).map((rule) => rangeAt(rule, device.notes.units)),
    [on, groups],
  );
}

/** Returns a function for the enabled range rules of a device of any node, in the units of the rules. */
export function useRangesOfListed(): (device: ListedDevice) => readonly RangeRule[] {
  const nodes = useNodes();
  const states = useAlertRulesOf(nodes);
  const { groups } = useOwnerChoices();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers, one by one
  return useCallback(
    (device) => {
      const rules = states[nodes.indexOf(device.node)] ?? NONE;
      return rangesFor(
        rules.map(({ rule }) => rule),
        device,
        groups,
      ).filter(({ isOn }) => isOn);
    },
    [nodes, groups, ...states],
  );
}

/**
 * Returns the enabled range rules of one device. The array stays the same until the rules or the device's notes change.
 */
export function useRanges(device: Ranged): readonly RangeRule[] {
  const rangesOf = useRangesOf();
  const { id, mine, notes } = device;
  return useMemo(() => rangesOf({ id, mine, notes }), [rangesOf, id, mine, notes]);
}

/**
 * Returns a function that checks a plain or opened value of a device against its ranges. null: the value is in range,
 * or there is no range.
 */
export function useOutOfRange(device: Ranged) {
  const ranges = useRanges(device);
  return useCallback(
    (field: AnyField, value: ShownValue): OutOfRange | null => {
      const sent = shownNumber(value);
      if (sent === null) return null;
      let found: OutOfRange | null = null;
      for (const rule of ranges) {
        const side = rule.field === field ? sideOf(rule, sent) : null;
        if (side !== null && (found === null || isWorse(rule.severity, found.severity))) {
          found = { side, severity: rule.severity };
        }
      }
      return found;
    },
    [ranges],
  );
}

function isWorse(a: Severity, b: Severity): boolean {
  return a === 'critical' && b === 'warning';
}

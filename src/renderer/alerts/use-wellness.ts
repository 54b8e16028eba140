import { useCallback, useMemo } from 'react';
import type { Alert } from '../../shared/alerts/alert.ts';
import type { RuleState } from '../../shared/owner-api/alerts.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { isWatched } from '../../shared/wellness/concerned.ts';
import { type Wellness, wellnessOf } from '../../shared/wellness/wellness.ts';
import { useAlertRules, useAlertRulesOf, useAlerts, useAlertsOf } from '../api/queries/alerts.ts';
import { useChoicesThere, useOwnerChoices } from '../api/queries/choices.ts';
import { useNodes } from '../api/queries/nodes.ts';
import type { ListedDevice } from '../devices/listed.ts';
import { useFromNow, useNow } from '../now.ts';

const NO_ALERTS: readonly Alert[] = [];
const NO_RULES: readonly RuleState[] = [];

/** Returns the wellness of a device of the shown node, updated as time passes. */
export function useWellness(device: DeviceSummary): Wellness {
  const alerts = useAlerts().data ?? NO_ALERTS;
  const rules = useAlertRules().data ?? NO_RULES;
  const { groups } = useChoicesThere();
  const watched = useMemo(() => isWatched(rules, device, groups), [rules, device, groups]);
  return useFromNow(1000, (_now, known) => wellnessOf(device, alerts, watched, known));
}

/**
 * Returns a function for the wellness of any device of any node; undefined if its node is not reachable or not loaded
 * yet.
 */
export function useWellnessOf(): (device: ListedDevice) => Wellness | undefined {
  const nodes = useNodes();
  const alerts = useAlertsOf(nodes);
  const rules = useAlertRulesOf(nodes);
  const { groups } = useOwnerChoices();
  const now = useNow(2000);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers, one by one
  return useCallback(
    (device) => {
      const { node } = device;
      const at = nodes.indexOf(node);
      const [live, states] = [alerts[at], rules[at]];
      if (live === undefined || states === undefined || node.link().state === 'lost') return undefined;
      return wellnessOf(device, live, isWatched(states, device, groups), node.lastKnown(now));
    },
    [nodes, groups, now, ...alerts, ...rules],
  );
}

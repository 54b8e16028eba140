import { useMemo } from 'react';
import type { Alert } from '../../shared/alerts/alert.ts';
import type { RuleState } from '../../shared/owner-api/alerts.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { isWatched } from '../../shared/wellness/concerned.ts';
import { WELLNESSES, type Wellness, wellnessOf } from '../../shared/wellness/wellness.ts';
import { useAlertRules, useAlertRulesOf, useAlerts, useAlertsOf } from '../api/queries/alerts.ts';
import { useChoicesThere, useOwnerChoices } from '../api/queries/choices.ts';
import { useNodes } from '../api/queries/nodes.ts';
import type { ListedDevice } from '../devices/listed.ts';
import { useFromNow } from '../now.ts';

const NO_ALERTS: readonly Alert[] = [];
const NO_RULES: readonly RuleState[] = [];

/** Returns the wellness of a device of the shown node, updated as time passes. */
export function useWellness(device: DeviceSummary): Wellness {
  const alerts = useAlerts().data ?? NO_ALERTS;
  const rules = useAlertRules().data ?? NO_RULES;
  const { groups } = useChoicesThere();
  const own = useMemo(() => alerts.filter((alert) => alert.device === device.id), [alerts, device]);
  const watched = useMemo(() => isWatched(rules, device, groups), [rules, device, groups]);
  return useFromNow(1000, (_now, known) => wellnessOf(device, own, watched, known));
}

/**
 * Returns the wellness of devices of any node, in their order, updated as time passes; undefined if a device's node is
 * not reachable or not loaded yet. The component renders only when one of them changes.
 */
export function useWellnesses(devices: readonly ListedDevice[]): readonly (Wellness | undefined)[] {
  const nodes = useNodes();
  const alerts = useAlertsOf(nodes);
  const rules = useAlertRulesOf(nodes);
  const { groups } = useOwnerChoices();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers, one by one
  const judged = useMemo(() => {
    const alertsOf = alerts.map((live) => live && Map.groupBy(live, (alert) => alert.device));
    return devices.map((device) => {
      const at = nodes.indexOf(device.node);
      const [live, states] = [alertsOf[at], rules[at]];
      if (live === undefined || states === undefined) return null;
      return { own: live.get(device.id) ?? NO_ALERTS, watched: isWatched(states, device, groups) };
    });
  }, [devices, nodes, groups, ...alerts, ...rules]);
  const words = useFromNow(2000, (now) =>
    devices
      .map((device, index) => {
        const facts = judged[index]!;
        if (facts === null || device.node.link().state === 'lost') return '';
        return wellnessOf(device, facts.own, facts.watched, device.node.lastKnown(now));
      })
      .join(),
  );
  return useMemo(() => words.split(',').map((word) => WELLNESSES.find((each) => each === word)), [words]);
}

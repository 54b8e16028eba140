import type { RuleInput } from '../../../shared/alerts/rule.ts';
import { demoDeviceIds } from '../../../shared/demo-keys.ts';
import type { PlainHandlers } from './handlers.ts';

type RuleCalls = PlainHandlers<'alertRules' | 'writeAlertRule' | 'deleteAlertRule'>;

/** Writes a rule that fires within two minutes, as the last demo device's pH drifts; none where one is there. */
export async function watchDemo(calls: RuleCalls, nodePublicKey: string): Promise<void> {
  if ((await demoRules(calls, nodePublicKey)).length > 0) return;
  const rule: RuleInput = {
    id: null,
    kind: 'range',
    name: 'Demo: pH',
    scope: { kind: 'device', device: demoDeviceIds(nodePublicKey).at(-1)! },
    ...{ field: 'ph', low: 5.5, high: 6.5, margin: 0.1, forMinutes: 1 },
    ...{ severity: 'warning', channels: 'all', repeatMinutes: null, isOn: true },
  };
  await calls.writeAlertRule({ rule });
}

/** Deletes the rules that are for a demo device alone. */
export async function unwatchDemo(calls: RuleCalls, nodePublicKey: string): Promise<void> {
  for (const id of await demoRules(calls, nodePublicKey)) await calls.deleteAlertRule({ id });
}

async function demoRules(calls: RuleCalls, nodePublicKey: string): Promise<string[]> {
  const demo = new Set(demoDeviceIds(nodePublicKey));
  const { rules } = await calls.alertRules({});
  return rules.flatMap(({ rule }) =>
    rule.kind === 'range' && rule.scope.kind === 'device' && demo.has(rule.scope.device) ? [rule.id] : [],
  );
}

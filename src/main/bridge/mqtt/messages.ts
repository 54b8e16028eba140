import type { Alert } from '../../../shared/alerts/alert.ts';
import { openAlerts } from '../../../shared/alerts/open-alerts.ts';
import { DERIVED_FIELDS } from '../../../shared/measures/derived.ts';
import type { BridgedDevice } from '../devices/bridged-device.ts';
import { fieldsOf, handedField } from './entities.ts';

/** Returns the state of a device as JSON: its newest plain values, and the names of its sealed fields. */
export function stateOf(device: BridgedDevice, node: string): string {
  const { newest } = device;
  const fields = fieldsOf(device).map((field) => ({ field, ...handedField(device, field) }));
  const values = fields.map(({ field, entity, toUnit }) => {
    const known = device.values.get(field);
    return [entity.key, known === undefined ? null : toUnit(known.value)] as const;
  });
  return JSON.stringify({
    node,
    seq: newest?.seq ?? null,
    measured_at: timeOf(newest?.measuredAt),
    received_at: timeOf(newest?.receivedAt),
    ...Object.fromEntries(values),
    ...Object.fromEntries(
      DERIVED_FIELDS.filter(({ name }) => device.derives.includes(name)).map(({ name, policyName, decimals }) => {
        const value = device.derived(name);
        return [policyName, value === null ? null : Number(value.toFixed(decimals + 1))];
      }),
    ),
    ...(device.batteryPercent !== null && { battery: device.batteryPercent }),
    sealed: fields.filter(({ field }) => device.sealed.has(field)).map(({ entity }) => entity.key),
  });
}

/** Returns a device's open alerts as JSON, without values: they are in the state. */
export function alertsOf(device: string, alerts: readonly Alert[], node: string): string {
  const open = openAlerts(alerts.filter((alert) => alert.device === device));
  return JSON.stringify({
    node,
    needs_you: open.length > 0,
    count: open.length,
    alerts: open.map(({ id, kind, name, field, severity, side, since }) => {
      return { id, kind, name, field, severity, side, since: timeOf(since) };
    }),
  });
}

/** Returns a time in ISO 8601, as Home Assistant expects it; null if there is none. */
function timeOf(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

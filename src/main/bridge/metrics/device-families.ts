import { shortestFloat32 } from '../../../shared/float32.ts';
import { DERIVED_FIELDS } from '../../../shared/measures/derived.ts';
import { fieldScale, PERCENT_FULL } from '../../../shared/measures/field-scale.ts';
import {
  convert,
  QUANTITIES,
  type Quantity,
  REFERENCE_UNITS,
  UNITS,
  type UnitId,
  withoutNoise,
} from '../../../shared/measures/units.ts';
import { SENSOR_FIELDS } from '../../../shared/protocol/fields.ts';
import type { BridgedDevice } from '../devices/bridged-device.ts';
import type { Family, Sample } from './exposition.ts';

/** With more devices than this, only their number is exported: each device has a dozen series. */
export const MAX_DEVICES = 1000;

/** Prometheus's base units, for any unit that the device sends or the owner chose. */
const BASE: Readonly<Record<Quantity, { readonly unit: string; readonly from: UnitId; readonly times: number }>> = {
  acidity: { unit: 'ph', from: 'ph', times: 1 },
  // 1 mS/cm is 0.1 S/m.
  conductivity: { unit: 'siemens_per_meter', from: 'millisiemens', times: 0.1 },
  distance: { unit: 'meters', from: 'millimetre', times: 0.001 },
  temperature: { unit: 'celsius', from: 'celsius', times: 1 },
  humidity: { unit: 'ratio', from: 'percentHumidity', times: 0.01 },
  pressure: { unit: 'pascals', from: 'kilopascal', times: 1000 },
};

/**
 * Returns the metrics of the owner's devices. Names are in a separate metric, so that a rename ends no series of
 * values.
 */
export function deviceFamilies(devices: readonly BridgedDevice[]): Family[] {
  const count: Family = {
    ...{ name: 'wellhouse_devices', type: 'gauge', samples: [{ value: devices.length }] },
    help: 'Devices of the owner that are not hidden.',
  };
  if (devices.length > MAX_DEVICES) return [count];
  const heard = devices.flatMap((device) => {
    return device.newest === null ? [] : [{ device: device.id, newest: device.newest }];
  });
  return [
    count,
    {
      ...{ name: 'wellhouse_device_info', type: 'gauge', help: 'The name of a device; always 1.' },
      samples: devices.map(({ id, facts }) => ({
        labels: { device: id, name: facts.name, model: facts.model ?? '', firmware: facts.firmware ?? '' },
        value: 1,
      })),
    },
    {
      ...{ name: 'wellhouse_reading_value', type: 'gauge', samples: devices.flatMap(valuesOf) },
      help: 'The newest plain value of a field, in base units.',
    },
    {
      ...{ name: 'wellhouse_derived_value', type: 'gauge', samples: devices.flatMap(derivedOf) },
      help: 'A value that is derived from several fields, in base units.',
    },
    {
      ...{ name: 'wellhouse_reading_timestamp_seconds', type: 'gauge', unit: 'seconds' },
      help: 'When the newest reading was measured, in Unix time.',
      samples: heard.map(({ device, newest }) => ({ labels: { device }, value: newest.measuredAt / 1000 })),
    },
    {
      ...{ name: 'wellhouse_reading_received_timestamp_seconds', type: 'gauge', unit: 'seconds' },
      help: 'When the newest reading arrived, in Unix time.',
      samples: heard.map(({ device, newest }) => ({ labels: { device }, value: newest.receivedAt / 1000 })),
    },
    {
      ...{
        name: 'wellhouse_field_sealed',
        type: 'gauge',
        help: 'Whether the latest value of a field was sealed; then it has no value.',
      },
      samples: devices.flatMap(({ id, sealed }) =>
        SENSOR_FIELDS.filter(({ name }) => sealed.has(name)).map(({ policyName }) => ({
          labels: { device: id, field: policyName },
          value: 1,
        })),
      ),
    },
  ];
}

function valuesOf(device: BridgedDevice): Sample[] {
  return SENSOR_FIELDS.flatMap(({ name, policyName }) => {
    const known = device.values.get(name);
    if (known === undefined) return [];
    const choice = device.facts.notes.units[name];
    const labels = (unit: string) => ({ device: device.id, field: policyName, unit });
    // The owner's own unit can't be converted.
    if (choice !== undefined && 'label' in choice) return [{ labels: labels(choice.label), value: known.value }];
    const scale = fieldScale(name, choice, device.general);
    if (scale.unit === PERCENT_FULL) {
      return [{ labels: labels('ratio'), value: withoutNoise(scale.toShown(known.value) / 100) }];
    }
    const { unit, from, times } = BASE[QUANTITIES[name]];
    const value = convert(shortestFloat32(known.value), choice?.sent ?? REFERENCE_UNITS[name], from) * times;
    return [{ labels: labels(unit), value: withoutNoise(value) }];
  });
}

function derivedOf(device: BridgedDevice): Sample[] {
  return DERIVED_FIELDS.flatMap(({ name, metricName, unit: own, decimals }) => {
    const value = device.derived(name);
    if (value === null) return [];
    const { unit, from, times } = BASE[UNITS[own].quantity];
    const rounded = Number(value.toFixed(decimals + 1));
    const labels = { device: device.id, field: metricName, unit };
    return [{ labels, value: withoutNoise(convert(rounded, own, from) * times) }];
  });
}

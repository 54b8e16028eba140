import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bridgedDevice, FIRST_AT, storedAt } from '../../../../test/support/bridged-devices.ts';
import { faultsOf } from '../../../../test/support/home-assistant-schema.ts';
import type { FieldUnitChoice } from '../../../shared/measures/field-scale.ts';
import { FIELD_NAMES, perFieldName } from '../../../shared/protocol/fields.ts';
import type { BridgedDevice } from '../devices/bridged-device.ts';
import { componentsOf, discoveryConfig, expireAfter, slug, withDropped } from './discovery.ts';
import { alertsOf, stateOf } from './messages.ts';

const NODE = 'cd'.repeat(32);
const names = { prefix: 'wellhouse', discoveryPrefix: 'homeassistant', node: NODE };
const configOf = (device: BridgedDevice) =>
  discoveryConfig(device, { names, label: (label) => `the ${label}`, expireAfter: 300 }) as {
    device: { name: string };
    components: Record<string, Record<string, unknown>>;
  };
const withAll = (device: BridgedDevice) => {
  device.take(storedAt(FIRST_AT, { values: perFieldName(() => 100) }));
  return device;
};
const stateAs = (device: BridgedDevice) => JSON.parse(stateOf(device, NODE)) as Record<string, unknown>;

describe('the configuration of a device', () => {
  it('has the right classes and units for any unit that the device sends', () => {
    const { components } = configOf(withAll(bridgedDevice()));
    const told = Object.entries(components).map(([key, each]) => [key, each.device_class, each.unit_of_measurement]);
    expect(told).toEqual([
      ['ph', 'ph', undefined],
      ['ec', 'conductivity', 'mS/cm'],
      ['water_distance', 'distance', 'mm'],
      ['temp_water', 'temperature', '°C'],
      ['temp_ambient', 'temperature', '°C'],
      ['humidity', 'humidity', '%'],
      ['vpd', 'pressure', 'kPa'],
      ['dew_point', 'temperature', '°C'],
      ['last_seen', 'timestamp', undefined],
      ['needs_you', 'problem', undefined],
    ]);
    expect(components.ph).toMatchObject({
      default_entity_id: 'sensor.tank_1_ph',
      unique_id: `wellhouse_${'ab'.repeat(32)}_ph`,
      state_class: 'measurement',
      expire_after: 300,
    });
    expect(components.needs_you).toMatchObject({ platform: 'binary_sensor' });
    expect(components.last_seen).toMatchObject({ entity_category: 'diagnostic' });
  });

  it('converts values to those units by the scale that the owner set', () => {
    const of = (units: Partial<Record<string, FieldUnitChoice>>) => stateAs(withAll(bridgedDevice({ units })));
    expect(of({})).toMatchObject({ ph: 100, ec: 0.2, water_distance: 100, temp_water: 100 });
    expect(of({ ec: { sent: 'ppm700' } })).toMatchObject({ ec: 0.142857142857 });
    expect(of({ ec: { sent: 'microsiemens', shown: 'ppm500' } })).toMatchObject({ ec: 0.1 });
    expect(of({ tempWater: { sent: 'fahrenheit' } })).toMatchObject({ temp_water: 37.7777777778 });
    expect(of({ waterLevel: { sent: 'inch', shown: 'centimetre' } })).toMatchObject({ water_distance: 2540 });
    expect(of({ waterLevel: { tank: { empty: 200, full: 0 } } })).toMatchObject({ water_level: 50 });
    const owner = withAll(bridgedDevice({}, { general: { temperature: 'fahrenheit', distance: 'inch' } }));
    expect(stateAs(owner)).toMatchObject({ temp_water: 100, water_distance: 100 });
  });

  it('is valid for Home Assistant, for any device', () => {
    const choice = fc.constantFrom<Partial<Record<string, FieldUnitChoice>>>(
      {},
      { waterLevel: { tank: { empty: 400, full: 50 } } },
      { ec: { label: '\u202eNTU "x" {{ 1 }}' } },
      { ph: { label: ' ' } },
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 80 }),
        choice,
        fc.subarray([...FIELD_NAMES]),
        fc.subarray([...FIELD_NAMES]),
        fc.option(fc.integer({ min: 0, max: 100 })),
        (name, units, plain, sealed, battery) => {
          const device = bridgedDevice({ units }, { name });
          device.batteryPercent = battery;
          const values = Object.fromEntries(plain.map((field) => [field, 1.5]));
          device.take(storedAt(FIRST_AT, { values, sealed: sealed.filter((field) => !plain.includes(field)) }));
          expect(faultsOf(JSON.parse(JSON.stringify(configOf(device))))).toEqual([]);
        },
      ),
    );
  });

  it('makes each entity of a sealed field unavailable, without a value', () => {
    const device = withAll(bridgedDevice());
    device.take(storedAt(FIRST_AT + 60_000, { values: { ec: 500 }, sealed: ['ph'] }));
    expect(stateAs(device)).toMatchObject({ ph: null, ec: 1, sealed: ['ph'] });
    expect(configOf(device).components.ph?.availability).toEqual([
      { topic: `wellhouse/${NODE}/status` },
      { topic: `wellhouse/${'ab'.repeat(32)}/availability` },
      {
        topic: `wellhouse/${'ab'.repeat(32)}/state`,
        value_template: "{{ 'offline' if 'ph' in value_json.sealed else 'online' }}",
      },
    ]);
  });

  it('derives values from air temperature and humidity in any unit, unless one of them is sealed', () => {
    const device = bridgedDevice({ units: { tempAmbient: { sent: 'fahrenheit' } } });
    device.take(storedAt(FIRST_AT, { values: { tempAmbient: 77 } }));
    expect(configOf(device).components).not.toHaveProperty('vpd');
    expect(stateAs(device)).not.toHaveProperty('vpd');
    device.take(storedAt(FIRST_AT + 1000, { values: { tempAmbient: 77, humidity: 60 } }));
    // FAO 56: e°(25 °C) is 3.168 kPa; 40 % of it are missing.
    expect(stateAs(device)).toMatchObject({ vpd: 1.267, dew_point: 16.69 });
    device.take(storedAt(FIRST_AT + 2000, { values: { tempAmbient: 77 }, sealed: ['humidity'] }));
    expect(stateAs(device)).toMatchObject({ vpd: null, dew_point: null, sealed: ['humidity'] });
    expect(JSON.stringify(configOf(device).components.vpd)).toContain(
      "'temp_ambient' in value_json.sealed or 'humidity' in value_json.sealed",
    );
    expect(configOf(device).components).not.toHaveProperty('vpd_leaf');
    const leafy = bridgedDevice({}, { leafOffset: -2 });
    leafy.take(storedAt(FIRST_AT, { values: { tempAmbient: 25, humidity: 60 } }));
    expect(stateAs(leafy)).toMatchObject({ vpd: 1.267, vpd_leaf: 0.909 });
    // Of two readings, which may be of different air.
    leafy.take(storedAt(FIRST_AT + 1000, { values: { tempAmbient: 30 } }));
    expect(stateAs(leafy)).toMatchObject({ temp_ambient: 30, vpd: null, vpd_leaf: null });
    const labelled = bridgedDevice({ units: { humidity: { label: 'g/kg' } } });
    labelled.take(storedAt(FIRST_AT, { values: { tempAmbient: 25, humidity: 60 } }));
    expect(configOf(labelled).components).not.toHaveProperty('vpd');
  });

  it('drops a former entity with only its platform', () => {
    const before = componentsOf(configOf(withAll(bridgedDevice())));
    const config = configOf(withAll(bridgedDevice({ units: { waterLevel: { tank: { empty: 400, full: 50 } } } })));
    const dropped = withDropped(config, before) as typeof config;
    expect(dropped.components.water_distance).toEqual({ platform: 'sensor' });
    expect(dropped.components.water_level).toHaveProperty('unique_id');
    expect(withDropped(config, componentsOf(config))).toBeNull();
    for (const odd of [null, 1, [], {}, { components: 3 }, { components: { 'A"': { platform: 'x' }, ph: null } }]) {
      expect(componentsOf(odd)).toEqual({});
    }
  });
});

describe('names of entities', () => {
  it('are Latin for any name of the device', () => {
    expect(slug('Estufa nº 1 – Água', 'ab12')).toBe('estufa_no_1_agua');
    expect(slug('🍅🍅', 'abcdef0123456')).toBe('wellhouse_abcdef01');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(slug(name, 'ab'.repeat(32))).toMatch(/^[a-z0-9]+(?:_[a-z0-9]+)*$/);
      }),
    );
  });
});

describe('the expiry of a value', () => {
  it('is never shorter than the silence threshold, and is stable for a varying interval', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 31_000_000_000 }), (ms) => {
        expect(expireAfter(ms, null) * 1000).toBeGreaterThanOrEqual(ms);
        const first = expireAfter(ms, null);
        expect(expireAfter(ms * 1.01, expireAfter(ms * 0.99, expireAfter(ms * 1.01, first)))).toBe(
          expireAfter(ms * 1.01, expireAfter(ms * 1.01, first)),
        );
      }),
    );
    expect(expireAfter(180_000, null)).toBe(300);
  });
});

describe('the alerts message', () => {
  it('has no values', () => {
    const alert = {
      ...{ id: crypto.randomUUID(), rule: 'silent' as const, kind: 'silent' as const, name: 'x', field: null },
      ...{ device: 'ab'.repeat(32), store: null, severity: 'warning' as const, state: 'firing' as const },
      ...{ since: FIRST_AT, firedAt: FIRST_AT, snoozedUntil: null, side: null, value: 123.25, extreme: 124.5 },
      ...{ limit: 125.75, endedAt: null, ended: null },
    };
    const said = alertsOf(alert.device, [alert, { ...alert, state: 'acknowledged' as const }], NODE);
    expect(JSON.parse(said)).toMatchObject({ needs_you: true, count: 1, alerts: [{ kind: 'silent' }] });
    expect(said).not.toMatch(/123\.25|124\.5|125\.75/);
    expect(JSON.parse(alertsOf('other', [alert], NODE))).toMatchObject({ needs_you: false, count: 0 });
  });
});

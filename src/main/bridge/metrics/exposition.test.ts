import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bridgedDevice, FIRST_AT, storedAt } from '../../../../test/support/bridged-devices.ts';
import { perFieldName } from '../../../shared/protocol/fields.ts';
import type { BridgedDevice } from '../devices/bridged-device.ts';
import { deviceFamilies, MAX_DEVICES } from './device-families.ts';
import { exposition, expositionFor } from './exposition.ts';
import { Histogram } from './instruments.ts';

const ID = 'ab'.repeat(32);

describe('metrics', () => {
  it('are written in both formats', () => {
    const families = [
      {
        name: 'well_blocks',
        type: 'counter' as const,
        help: 'Blocks "x".',
        samples: [{ labels: { a: 'b' }, value: 3 }],
      },
      {
        name: 'well_age_seconds',
        type: 'gauge' as const,
        unit: 'seconds' as const,
        help: 'Age.',
        samples: [{ value: 1.5 }],
      },
      { name: 'well_none', type: 'gauge' as const, help: 'None.', samples: [] },
    ];
    expect(exposition(families, 'text')).toBe(
      '# HELP well_blocks_total Blocks "x".\n# TYPE well_blocks_total counter\nwell_blocks_total{a="b"} 3\n' +
        '# HELP well_age_seconds Age.\n# TYPE well_age_seconds gauge\nwell_age_seconds 1.5\n',
    );
    expect(exposition(families, 'openmetrics')).toBe(
      '# HELP well_blocks Blocks \\"x\\".\n# TYPE well_blocks counter\nwell_blocks_total{a="b"} 3\n' +
        '# HELP well_age_seconds Age.\n# TYPE well_age_seconds gauge\n# UNIT well_age_seconds seconds\n' +
        'well_age_seconds 1.5\n# EOF\n',
    );
  });

  it('keep any device name inside its label', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const family = { name: 'x', type: 'gauge' as const, help: 'X.', samples: [{ labels: { name }, value: 1 }] };
        const lines = exposition([family], 'text').split('\n');
        expect(lines).toHaveLength(4);
        expect(lines[2]).toMatch(/^x\{name="(?:[^"\\\n]|\\["\\n])*"\} 1$/u);
      }),
    );
  });

  it('have the format that the client prefers', () => {
    const prometheus =
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
    expect(expositionFor(prometheus)).toBe('openmetrics');
    for (const accept of [
      undefined,
      '',
      '*/*',
      'text/plain',
      'text/plain,application/openmetrics-text;q=0.3',
      ';;q=x,,',
    ]) {
      expect(expositionFor(accept)).toBe('text');
    }
  });

  it('have cumulative buckets', () => {
    const histogram = new Histogram();
    for (const seconds of [0.002, 0.002, 3, 60]) histogram.observe({ a: 'b' }, seconds);
    const of = (le: string) => histogram.samples.find(({ labels }) => labels?.le === le)?.value;
    expect([of('0.001'), of('0.0025'), of('1.0'), of('5.0'), of('+Inf')]).toEqual([0, 2, 2, 3, 4]);
    expect(histogram.samples.at(-1)).toEqual({ suffix: '_count', labels: { a: 'b' }, value: 4 });
  });
});

describe('the metrics of devices', () => {
  const textOf = (devices: readonly BridgedDevice[]) => exposition(deviceFamilies(devices), 'text');

  it('have base units for any unit that the device sends', () => {
    const device = bridgedDevice({ units: { ec: { sent: 'millisiemens' }, tempWater: { sent: 'fahrenheit' } } });
    device.take(storedAt(FIRST_AT, { values: { ...perFieldName(() => 50), ec: 2, tempWater: 212 } }));
    const text = textOf([device]);
    for (const line of [
      `{device="${ID}",field="ph",unit="ph"} 50`,
      `{device="${ID}",field="ec",unit="siemens_per_meter"} 0.2`,
      `{device="${ID}",field="water_level",unit="meters"} 0.05`,
      `{device="${ID}",field="temp_water",unit="celsius"} 100`,
      `{device="${ID}",field="humidity",unit="ratio"} 0.5`,
    ]) {
      expect(text).toContain(`wellhouse_reading_value${line}\n`);
    }
    expect(text).toContain(`wellhouse_derived_value{device="${ID}",field="dew_point",unit="celsius"} 36.73\n`);
    expect(text).toMatch(
      /wellhouse_derived_value\{device="\w+",field="vapour_pressure_deficit",unit="pascals"\} 6168\n/,
    );
    expect(text).toContain(`wellhouse_reading_timestamp_seconds{device="${ID}"} ${FIRST_AT / 1000}\n`);
    const tank = bridgedDevice({ units: { waterLevel: { tank: { empty: 100, full: 0 } } } });
    tank.take(storedAt(FIRST_AT, { values: { waterLevel: 25 } }));
    expect(textOf([tank])).toContain(`field="water_level",unit="ratio"} 0.75\n`);
  });

  it('have no value of a sealed field', () => {
    const device = bridgedDevice();
    device.take(storedAt(FIRST_AT, { values: { ph: 6.5 } }));
    device.take(storedAt(FIRST_AT + 1000, { sealed: ['ph'] }));
    expect(textOf([device])).not.toContain('6.5');
    expect(textOf([device])).toContain(`wellhouse_field_sealed{device="${ID}",field="ph"} 1\n`);
  });

  it('are only the number of devices if there are too many', () => {
    const many = Array.from({ length: MAX_DEVICES + 1 }, () => bridgedDevice());
    expect(textOf(many)).toMatch(/^# HELP[^\n]*\n# TYPE[^\n]*\nwellhouse_devices 1001\n$/);
    expect(textOf(many.slice(1))).toContain('wellhouse_device_info{');
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStatus } from './device-status.ts';

const STATUS = {
  device_id: 'AB'.repeat(32),
  mac: 'AA:BB:CC:DD:EE:01',
  device_name: 'Tank',
  ip: '192.168.1.9',
  fail_streak: 0,
  buffer_pending: 3,
  uptime_s: 12.7,
  sensors: { dht: true, tds: 0, laser: 1, battery: false },
  readings: { bat_volts: 3.71, bat_percent: 55, tds_ppm: 800 },
  servers_external: [{ name: 'shared', url: 'https://x.example/v1/telemetry', online: true }],
  servers_local: [],
};

test('reads the firmware’s status', () => {
  expect(readStatus(JSON.stringify(STATUS))).toEqual({
    id: 'ab'.repeat(32),
    mac: 'aabbccddee01',
    name: 'Tank',
    failStreak: 0,
    bufferPending: 3,
    uptimeS: 12,
    sensors: { dht: true, tds: false, laser: true, battery: false },
    battery: { volts: 3.71, percent: 55 },
    external: [{ name: 'shared', url: 'https://x.example/v1/telemetry', online: true }],
    local: [],
  });
});

test('leaves out missing and invalid members, except the id and the lists', () => {
  const { device_id, servers_external, servers_local } = STATUS;
  const least = { device_id, servers_external, servers_local, sensors: { dht: 'yes' }, readings: 7, fail_streak: -1 };
  expect(readStatus(JSON.stringify(least))).toMatchObject({
    failStreak: null,
    sensors: { dht: null, battery: null },
    battery: { volts: null, percent: null },
  });
  // The lists are posted back as a whole: an unreadable part would be deleted.
  for (const key of ['device_id', 'servers_external', 'servers_local']) {
    expect(readStatus(JSON.stringify({ ...STATUS, [key]: undefined }))).toBeNull();
    expect(readStatus(JSON.stringify({ ...STATUS, [key]: [{ name: 'x' }] }))).toBeNull();
  }
});

test.each([undefined, null, 7, 'x'.repeat(301)])(
  'tells the name %j, which would be erased, from an empty one',
  (name) => {
    const named = (device_name: unknown) => readStatus(JSON.stringify({ ...STATUS, device_name }));
    expect(named(name)).toMatchObject({ name: null, local: [] });
    expect(named('')).toMatchObject({ name: '' });
  },
);

test('accepts any input, and returns no device if there is none', () => {
  fc.assert(fc.property(fc.string(), (text) => readStatus(text) === null));
  fc.assert(fc.property(fc.json(), (text) => readStatus(text) === null));
});

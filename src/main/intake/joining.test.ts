import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deviceRegistration } from '../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../simulator/device.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import { Joining } from './joining.ts';

const TEN_MINUTES_MS = 10 * 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const someone = () => deviceRegistration.parse(new SimulatedDevice().registration());

function joining() {
  const events = new EventBus<NodeEventMap>(pino({ level: 'silent' }));
  let changes = 0;
  events.on('gateChanged', () => {
    changes += 1;
  });
  return { joining: new Joining(events, SYSTEM_CLOCK), changes: () => changes };
}

test('closes after ten minutes, and says so', () => {
  const { joining: way, changes } = joining();
  way.open(false);
  vi.advanceTimersByTime(TEN_MINUTES_MS - 1);
  expect(way.letIn(someone(), '192.168.1.9')).toBe(true);
  const before = changes();
  vi.advanceTimersByTime(1);
  expect(way.state.leftMs).toBeNull();
  expect(changes()).toBe(before + 1);
  expect(way.letIn(someone(), '192.168.1.9')).toBe(false);
});

test('opened again, counts its ten minutes from then', () => {
  const { joining: way } = joining();
  way.open(false);
  vi.advanceTimersByTime(TEN_MINUTES_MS - 1000);
  way.open(true);
  vi.advanceTimersByTime(TEN_MINUTES_MS - 1);
  expect(way.state.leftMs).toBe(1);
  vi.advanceTimersByTime(1);
  expect(way.state.leftMs).toBeNull();
});

test('lets one in where it closes after one, also before that one is on disk', () => {
  const { joining: way } = joining();
  way.open(true);
  expect(way.letIn(someone(), '192.168.1.9')).toBe(true);
  expect(way.letIn(someone(), '192.168.1.10')).toBe(false);
  way.ended(null);
  expect(way.letIn(someone(), '192.168.1.10')).toBe(true);
});

test('does not depend on the time of day', () => {
  const { joining: way } = joining();
  way.open(false);
  vi.setSystemTime(Date.now() + 24 * 60 * 60_000);
  expect(way.letIn(someone(), '192.168.1.9')).toBe(true);
});

test('remembers the fifty that tried last', () => {
  const { joining: way } = joining();
  const devices = Array.from({ length: 51 }, someone);
  for (const [index, device] of devices.entries()) way.letIn(device, `192.168.1.${index}`);
  way.letIn(devices[1]!, '192.168.1.1');
  expect(way.attempts).toHaveLength(50);
  expect(way.attempts.at(-1)).toMatchObject({ registration: { id: devices[1]!.id }, count: 2 });
  expect(way.attempts.some(({ registration: { id } }) => id === devices[0]!.id)).toBe(false);
});

test('one address with invented ids pushes out no other device', () => {
  const { joining: way } = joining();
  const real = someone();
  way.letIn(real, '192.168.1.20');
  const invented = Array.from({ length: 60 }, someone);
  for (const device of invented) expect(way.letIn(device, '192.168.1.9')).toBe(false);
  const listed = way.attempts.map(({ registration: { id } }) => id);
  expect(listed).toEqual([real.id, ...invented.slice(-8).map(({ id }) => id)]);
});

test('a device of which a signed block came stays, however many are invented', () => {
  const { joining: way, changes } = joining();
  const real = someone();
  way.letIn(real, '192.168.1.9');
  way.signed(real.id);
  expect(way.attempts).toMatchObject([{ isSigned: true }]);
  const before = changes();
  way.signed(real.id);
  expect(changes()).toBe(before);
  for (let address = 10; address < 30; address += 1) {
    for (let each = 0; each < 8; each += 1) way.letIn(someone(), `192.168.1.${address}`);
  }
  for (let each = 0; each < 20; each += 1) way.letIn(someone(), '192.168.1.9');
  expect(way.attempts).toHaveLength(50);
  expect(way.attempts.some(({ registration: { id } }) => id === real.id)).toBe(true);
});

test('an IPv6 network with invented ids is one address', () => {
  const { joining: way } = joining();
  const real = someone();
  way.letIn(real, 'fd00:1:2:4::20');
  const invented = Array.from({ length: 60 }, someone);
  for (const [index, device] of invented.entries()) way.letIn(device, `fd00:1:2:3::${index.toString(16)}`);
  const listed = way.attempts.map(({ registration: { id } }) => id);
  expect(listed).toEqual([real.id, ...invented.slice(-8).map(({ id }) => id)]);
});

test('a device that is forgotten and let in again has joined once', () => {
  const { joining: way, changes } = joining();
  const { id } = someone();
  way.adopted(id);
  way.adopted(id);
  expect(way.state.joined).toEqual([id]);
  const before = changes();
  way.forgotten(id);
  expect(way.state.joined).toEqual([]);
  way.forgotten(id);
  expect(changes()).toBe(before + 1);
});

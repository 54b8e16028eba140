import { pino } from 'pino';
import { expect, test } from 'vitest';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import { DevicePages } from './device-pages.ts';

const ID = 'ee'.repeat(32);

function pages(resolve: (name: string) => Promise<readonly string[]>): DevicePages {
  return new DevicePages({ events: new EventBus<NodeEventMap>(pino({ level: 'silent' })), resolve });
}

test('resolves the names of known MACs alone, and asks no address beyond private networks', async () => {
  const names: string[] = [];
  const asked = pages(async (name) => {
    names.push(name);
    return ['8.8.8.8', '2001:db8::1'];
  });
  const none = { found: [], asked: 3 };
  const wanted = ['aabbccddee01', '0'.repeat(12), null].map((mac) => ({ id: ID, mac, address: null }));
  expect(await asked.find(wanted)).toEqual(none);
  expect(names).toEqual(['safrasense-aqua-ee01.local']);
});

test('waits for no resolver that hangs, and has it look for no more than two at a time', async () => {
  let hanging = 0;
  const asked = pages(() => {
    hanging += 1;
    return new Promise(() => {});
  });
  const of = (digits: string) => asked.ask({ id: ID, mac: `aabbccdd${digits}` }, null);
  const notFound = { state: 'not_found', address: null };
  expect(await Promise.all(['0001', '0002', '0001', '0003'].map(of))).toEqual(Array(4).fill(notFound));
  expect(hanging).toBe(2);
});

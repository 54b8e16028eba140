import { expect, test } from 'vitest';
import { localNameOf, pointedTo, sameServers } from './device-page.ts';

const shared = { name: 'shared', url: 'https://x.example/v1/telemetry' };
const other = { name: 'other', url: '192.168.1.7:8080' };
const lists = { external: [shared], local: [other] };
const SERVER = '192.168.1.5:8080';

test('a gate is added to the local servers, and everything else stays', () => {
  const after = { external: [shared], local: [other, { name: 'Wellhouse', url: SERVER }] };
  expect(pointedTo(lists, SERVER, [])).toEqual(after);
});

test('a gate that is there already, under whatever name, is left alone', () => {
  const pointed = { external: [shared], local: [{ name: 'home', url: SERVER }, other] };
  expect(pointedTo(pointed, SERVER, [])).toBe(pointed);
});

test('a gate replaces only its own former entries, since another node can have the same name', () => {
  const neighbour = { name: 'Wellhouse', url: '192.168.1.9:8080' };
  const moved = { name: 'Wellhouse', url: '192.168.1.4:8080' };
  const byHand = { name: 'home', url: moved.url };
  const now = { name: 'Wellhouse', url: SERVER };
  const before = { external: [shared], local: [neighbour, moved, byHand, other] };
  expect(pointedTo(before, SERVER, [moved.url])).toEqual({
    external: [shared],
    local: [neighbour, byHand, other, now],
  });
  expect(pointedTo(before, SERVER, []).local).toEqual([...before.local, now]);
});

test('lists differ by names, addresses and their order', () => {
  expect(sameServers(lists, structuredClone(lists))).toBe(true);
  expect(sameServers(lists, { ...lists, local: [] })).toBe(false);
  expect(sameServers(lists, { ...lists, local: [{ ...other, name: 'x' }] })).toBe(false);
});

test('the name ends with the last four digits of the MAC', () => {
  expect(localNameOf('aabbccddee01')).toBe('safrasense-aqua-ee01.local');
});

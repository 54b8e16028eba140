import { expect, it } from 'vitest';
import { pickDevice } from './find-device.ts';

const device = (id: string, name: string, displayName: string | null = null) => ({ id, name, notes: { displayName } });
const devices = [
  device('ab01', 'Barrel'),
  device('ab02', 'barrel'),
  device('cd03', 'x', 'Tomato row'),
  device('ce04', 'Twin'),
  device('cf05', 'Twin'),
];

it.each([
  ['ab01', 'ab01'],
  ['AB02', 'ab02'],
  ['cd', 'cd03'],
  ['Barrel', 'ab01'],
  ['barrel', 'ab02'],
  ['tomato ROW', 'cd03'],
])('%s is %s', (typed, id) => {
  expect(pickDevice(devices, typed).id).toBe(id);
});

it.each([
  ['Twin', /ce04.*cf05/],
  ['BARREL', /ab01.*ab02/],
  ['a', /ab01.*ab02/],
  ['nothing', /no device/],
])('%s names no single device', (typed, said) => {
  expect(() => pickDevice(devices, typed)).toThrow(said);
});

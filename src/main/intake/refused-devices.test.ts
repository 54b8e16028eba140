import { beforeEach, expect, it } from 'vitest';
import { RefusedDevices } from './refused-devices.ts';

const HOUR_MS = 3_600_000;
const START = 1_800_000_000_000;

let now: number;
let news: number;
let refused: RefusedDevices;
beforeEach(() => {
  now = START;
  news = 0;
  refused = new RefusedDevices(
    () => now,
    () => {
      news += 1;
    },
  );
});

it('lists a device while it is refused, and for a day afterwards', () => {
  for (let hour = 0; hour <= 30; hour += 1) {
    now = START + hour * HOUR_MS;
    refused.note('ab');
  }
  const listed = { id: 'ab', since: START, lastAt: now, refused: 31 };
  expect(refused.list).toEqual([listed]);
  expect(news).toBe(1);
  now += 24 * HOUR_MS;
  expect(refused.list).toEqual([listed]);
  now += 1;
  expect(refused.list).toEqual([]);
});

it('begins a new series after a day without a refusal', () => {
  refused.note('ab');
  now += 24 * HOUR_MS;
  refused.note('ab');
  expect(refused.list).toEqual([{ id: 'ab', since: now, lastAt: now, refused: 1 }]);
  expect(news).toBe(2);
});

it('continues a series until a day has passed without a refusal', () => {
  refused.note('ab');
  now += 24 * HOUR_MS - 1;
  refused.note('ab');
  expect(refused.list).toEqual([{ id: 'ab', since: START, lastAt: now, refused: 2 }]);
  expect(news).toBe(1);
});

it('lists each device with its own series, latest last, and drops only those of a day ago', () => {
  expect(refused.list).toEqual([]);
  refused.note('ab');
  now += 1;
  for (const id of ['cd', 'ef', 'cd']) refused.note(id);
  expect(news).toBe(3);
  now += 24 * HOUR_MS;
  expect(refused.list).toEqual([
    { id: 'ef', since: START + 1, lastAt: START + 1, refused: 1 },
    { id: 'cd', since: START + 1, lastAt: START + 1, refused: 2 },
  ]);
});

it('lists a device by the time that it is announced', () => {
  const lists: string[][] = [];
  const announced = new RefusedDevices(
    () => now,
    () => lists.push(announced.list.map(({ id }) => id)),
  );
  announced.note('ab');
  announced.note('cd');
  expect(lists).toEqual([['ab'], ['ab', 'cd']]);
});

it('drops the device with the oldest refusal', () => {
  for (let device = 0; device < 200; device += 1) refused.note(String(device));
  refused.note('0');
  refused.note('new');
  const ids = refused.list.map(({ id }) => id);
  expect(ids).toHaveLength(200);
  expect(ids).not.toContain('1');
  expect(ids.slice(-2)).toEqual(['0', 'new']);
});

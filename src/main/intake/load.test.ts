import { expect, it } from 'vitest';
import { Load } from './load.ts';

it('counts the blocks in progress', () => {
  const load = new Load();
  expect(load.waiting).toBe(0);
  load.began(3);
  load.began(100);
  expect(load.waiting).toBe(103);
  load.ended(3);
  expect(load.waiting).toBe(100);
  load.ended(100);
  expect(load.waiting).toBe(0);
});

it('calls each listener when the number falls, until it is removed', () => {
  const load = new Load();
  const heard: [string, number][] = [];
  const remove = load.onProgress(() => heard.push(['one', load.waiting]));
  load.onProgress(() => heard.push(['other', load.waiting]));
  load.began(3);
  expect(heard).toEqual([]);
  load.ended(1);
  expect(heard.splice(0)).toEqual([
    ['one', 2],
    ['other', 2],
  ]);
  remove();
  load.ended(2);
  expect(heard).toEqual([['other', 0]]);
});

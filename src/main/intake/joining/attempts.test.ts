import { beforeEach, expect, it } from 'vitest';
import { ATTACKER, HOME, someone } from '../../../../test/support/joining.ts';
import { Attempts } from './attempts.ts';

const DEVICE = someone();
let attempts: Attempts;
beforeEach(() => {
  attempts = new Attempts();
});

const named = (id: string) => ({ ...DEVICE, id });
/** Records an attempt of a device for each name, with the same digest. */
function note(address: string, ...ids: string[]) {
  for (const id of ids) attempts.note(named(id), 'digest', address, 1);
}
const numbered = (count: number, prefix = '') => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const ids = () => attempts.all.map(({ registration }) => registration.id);
const digests = (id: string) => attempts.of(id).map(({ digest }) => digest);

it('an attempt that comes again is counted, and is the latest', () => {
  expect([attempts.isEmpty, attempts.all]).toEqual([true, []]);
  attempts.note(named('a'), 'one', HOME, 5);
  const first = { registration: named('a'), digest: 'one', address: HOME, isSigned: false };
  expect(attempts.all).toEqual([{ ...first, count: 1, firstAt: 5, lastAt: 5 }]);
  expect(attempts.isEmpty).toBe(false);
  attempts.note(named('b'), 'one', HOME, 6);
  attempts.note(named('a'), 'one', ATTACKER, 7);
  expect(ids()).toEqual(['b', 'a']);
  expect(attempts.all[1]).toEqual({ ...first, address: ATTACKER, count: 2, firstAt: 5, lastAt: 7 });
});

it('under one id the first four stay, and may come again', () => {
  for (const digest of ['1', '2', '3', '4', '5']) attempts.note(DEVICE, digest, HOME, 1);
  attempts.note(DEVICE, '2', HOME, 1);
  attempts.note(named('other'), '5', HOME, 1);
  expect(digests(DEVICE.id)).toEqual(['1', '3', '4', '2']);
  expect(attempts.of(DEVICE.id).at(-1)!.count).toBe(2);
  expect(digests('other')).toEqual(['5']);
});

it('an address has eight, and the ninth pushes out its first one', () => {
  note(ATTACKER, 'stranger');
  note(HOME, ...numbered(8));
  expect(ids()).toEqual(['stranger', ...numbered(8)]);
  note(HOME, 'ninth');
  expect(ids()).toEqual(['stranger', ...numbered(8).slice(1), 'ninth']);
});

it('an address whose eight are signed pushes out no unsigned one of another address', () => {
  note(ATTACKER, 'one', 'two');
  note(HOME, ...numbered(8));
  for (const id of numbered(8)) attempts.signed(id);
  note(HOME, 'ninth');
  expect(ids()).toEqual(['one', 'two', ...numbered(8)]);
});

it('all addresses have fifty, and then the one with the most loses its first one', () => {
  for (const id of numbered(48)) note(`10.0.0.${id}`, id);
  note(HOME, 'first', 'second');
  expect(ids()).toEqual([...numbered(48), 'first', 'second']);
  note(ATTACKER, 'new');
  expect(ids()).toEqual([...numbered(48), 'second', 'new']);
});

it('a signed block proves every attempt under its id, also a later one', () => {
  for (const digest of ['1', '2']) attempts.note(DEVICE, digest, HOME, 1);
  note(HOME, 'other');
  expect(attempts.signed('unknown')).toBe(false);
  expect(attempts.signed(DEVICE.id)).toBe(true);
  expect(attempts.signed(DEVICE.id)).toBe(false);
  attempts.note(DEVICE, '3', ATTACKER, 1);
  expect(attempts.all.map(({ digest, isSigned }) => [digest, isSigned])).toEqual([
    ['1', true],
    ['2', true],
    ['digest', false],
    ['3', true],
  ]);
  expect(attempts.signed(DEVICE.id)).toBe(false);
});

it('those under an id are removed together, or one by its digest', () => {
  for (const digest of ['1', '2', '3']) attempts.note(DEVICE, digest, HOME, 1);
  note(HOME, 'other');
  expect([attempts.take('unknown'), attempts.take(DEVICE.id, '4')]).toEqual([[], []]);
  expect(attempts.take(DEVICE.id, '2').map(({ digest }) => digest)).toEqual(['2']);
  expect(digests(DEVICE.id)).toEqual(['1', '3']);
  expect(attempts.take(DEVICE.id).map(({ digest }) => digest)).toEqual(['1', '3']);
  expect(ids()).toEqual(['other']);
});

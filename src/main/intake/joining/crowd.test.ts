import { expect, it } from 'vitest';
import { countOf, firstToGo } from './crowd.ts';

const entry = (name: string, address: string, isSigned = false) => ({ name, address, isSigned });
const unsigned = (...names: string[]) => names.map((name) => entry(name, `10.0.0.${name[0]}`));

it('counts the entries of an address, of which an IPv6 network is one', () => {
  const entries = [entry('1', '10.0.0.1'), entry('2', 'fd00:0:0:1::1', true), entry('3', '::ffff:10.0.0.1')];
  expect(['10.0.0.1', 'fd00:0:0:1::2', '10.0.0.2'].map((address) => countOf(entries, address))).toEqual([2, 1, 0]);
});

it.each([
  ['none', [], undefined],
  ['the oldest of one address', unsigned('1a', '1b'), '1a'],
  ['the oldest of the address with the most', unsigned('1a', '2a', '3a', '2b', '3b', '3c'), '3a'],
  ['the oldest of two addresses with as many', unsigned('1a', '2a', '2b', '3a', '3b'), '2a'],
  ['an unsigned one, of however few', [...unsigned('1a'), entry('2a', '10.0.0.2', true)].toReversed(), '1a'],
  [
    'the address with the most unsigned ones',
    [...['1a', '1b', '1c'].map((name) => entry(name, '10.0.0.1', true)), ...unsigned('1d', '2a', '2b')],
    '2a',
  ],
  [
    'the oldest of the address with the most if all are signed',
    ['1a', '2a', '2b'].map((name) => entry(name, `10.0.0.${name[0]}`, true)),
    '2a',
  ],
  [
    'one of the network with the most',
    [entry('a', '10.0.0.1'), entry('b', 'fd00:0:0:1::1'), entry('c', 'fd00:0:0:1::2')],
    'b',
  ],
])('removes %s first', (_which, entries, name) => {
  expect(firstToGo(entries)?.name).toBe(name);
});

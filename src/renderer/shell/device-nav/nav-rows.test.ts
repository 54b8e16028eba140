import { expect, it } from 'vitest';
import { navRows } from './nav-rows.ts';

const group = (id: string, devices: readonly string[], isCollapsed = false) => ({
  id,
  name: id,
  devices: [...devices],
  isCollapsed,
});
const named = (...ids: string[]) => ids.map((id) => ({ id }));

type Named = readonly { readonly id: string }[];

function shown(groups: Parameters<typeof navRows>[0], mine: Named, others: Named, active: string | null): string[] {
  return navRows(groups, mine, others, ({ id }) => id === active).map((row) =>
    row.kind === 'device' ? row.device.id : `[${row.group?.id ?? 'none'} ${row.count}]`,
  );
}

it('lists devices in their order if there are no groups', () => {
  expect(shown([], named('a', 'b'), named('x'), null)).toEqual(['a', 'b', 'x']);
});

it('follows the order of the groups, then ungrouped devices, then devices of others', () => {
  expect(shown([group('Two', ['c']), group('One', ['a'])], named('a', 'b', 'c'), named('x'), null)).toEqual([
    '[Two 1]',
    'c',
    '[One 1]',
    'a',
    '[none 1]',
    'b',
    'x',
  ]);
});

it('leaves out devices of collapsed groups, except the open one', () => {
  const groups = [group('One', ['a', 'b'], true)];
  expect(shown(groups, named('a', 'b'), [], null)).toEqual(['[One 2]']);
  expect(shown(groups, named('a', 'b'), [], 'b')).toEqual(['[One 2]', 'b']);
});

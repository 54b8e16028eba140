import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DeviceGroup, ownerChoices } from '../../../shared/owner-data/choices.ts';
import { inGroups, withDeviceIn, withMoved, withPlace } from './groups.ts';

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const device = (number: number) => number.toString(16).padStart(64, '0');
const group = (number: number, ...devices: number[]): DeviceGroup => ({
  id: idOf(number),
  name: `group ${number}`,
  isCollapsed: false,
  devices: devices.map(device),
});
const listed = [5, 4, 3, 2, 1].map((number) => ({ id: device(number) }));

it('lists each device once, by group, in the order of both; ungrouped ones come last', () => {
  const sections = inGroups([group(1, 1, 3), group(2, 9), group(3, 5)], listed);
  expect(
    sections.map((section) => [section.group?.name, section.devices.map(({ id }) => Number.parseInt(id, 16))]),
  ).toEqual([
    ['group 1', [3, 1]],
    ['group 3', [5]],
    [undefined, [4, 2]],
  ]);
  expect(inGroups([], listed)).toEqual([{ group: null, devices: listed }]);
});

it('keeps a device in one group after any change', () => {
  const step = fc.oneof(
    fc.record({ device: fc.integer({ min: 1, max: 5 }), to: fc.option(fc.integer({ min: 1, max: 4 })) }),
    fc.record({ id: fc.integer({ min: 1, max: 4 }), step: fc.constantFrom(-1 as const, 1 as const) }),
  );
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let groups: DeviceGroup[] = [group(1, 1), group(2, 2, 3), group(3)];
      for (const each of steps) {
        groups =
          'device' in each
            ? withDeviceIn(groups, device(each.device), each.to === null ? null : idOf(each.to))
            : withMoved(groups, idOf(each.id), each.step);
        expect(ownerChoices.shape.groups.safeParse(groups).success).toBe(true);
        expect(groups).toHaveLength(3);
        if ('device' in each) {
          const holders = groups.filter(({ devices }) => devices.includes(device(each.device)));
          expect(holders.map(({ id }) => id)).toEqual(each.to !== null && each.to <= 3 ? [idOf(each.to)] : []);
        }
      }
    }),
  );
});

it('moves a group by one position, and not beyond the ends', () => {
  const names = (groups: DeviceGroup[]) => groups.map(({ name }) => name.slice(-1)).join('');
  const groups = [group(1), group(2), group(3)];
  expect(names(withMoved(groups, idOf(2), -1))).toBe('213');
  expect(names(withMoved(groups, idOf(2), 1))).toBe('132');
  expect(names(withMoved(groups, idOf(1), -1))).toBe('123');
  expect(names(withMoved(groups, idOf(3), 1))).toBe('123');
});

it('puts a device into a group by name, and creates a missing one', () => {
  expect(withPlace([group(1, 1)], device(2), 'Group 1', idOf(9))).toEqual([group(1, 1, 2)]);
  expect(withPlace([group(1, 1)], device(1), 'Shed', idOf(9))).toEqual([group(1), { ...group(9, 1), name: 'Shed' }]);
});

import { expect, it } from 'vitest';
import { farmosLogs } from './farmos.ts';

it('writes entries in the log model of farmOS, with measure, unit and material', () => {
  const device = 'ab'.repeat(32);
  const entry = { id: 1, device, at: 0, text: '', updatedAt: 5 };
  const [dosed, note] = farmosLogs(
    [
      { ...entry, by: 'Ana', act: { kind: 'dosed', product: 'Part A', amount: { value: 7.5, unit: 'ml' } } },
      { ...entry, device: null, text: 'Roots are white' },
    ],
    () => 'Roof',
  );
  expect(dosed).toEqual({
    type: 'input',
    name: 'dosed: Part A',
    timestamp: '1970-01-01T00:00:00.000Z',
    status: 'done',
    notes: null,
    asset: [{ type: 'sensor', name: 'Roof', public_key: device }],
    quantity: [
      { type: 'material', measure: 'volume', value: { decimal: '7.5' }, units: 'ml', material_type: ['Part A'] },
    ],
    owner: ['Ana'],
    image: [],
  });
  expect(note).toMatchObject({ type: 'observation', name: 'Roots are white', asset: [], quantity: [], owner: [] });
  const photos = [{ id: 'cd'.repeat(32), width: 640, height: 480, bytes: 9 }];
  const [seen] = farmosLogs([{ ...entry, act: { kind: 'observed', photos } }], () => 'Roof');
  expect(seen?.image).toEqual([`${'cd'.repeat(32)}.jpg`]);
});

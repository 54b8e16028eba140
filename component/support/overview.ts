import { FakeDevice } from '../../scripts/fake-node/devices.ts';
import { type OpenOptions, openPage } from './open-page.tsx';
import { HOUR_MS, MINUTE_MS, readings } from './page-parts.ts';

const now = Date.now();
/** Devices with much to tell, none, or of another owner. */
export const devices = [
  new FakeDevice({
    name: 'Carp pond',
    sent: [
      ...readings({ count: 100, endAt: now - MINUTE_MS }),
      { at: now, values: { ph: 6.2, ec: 1800, tempWater: 18.25 } },
    ],
  }),
  new FakeDevice({
    name: 'Basil bed',
    stores: ['private', 'public'],
    sent: [
      { at: now - MINUTE_MS, values: { ph: 5.5, ec: 900 } },
      { at: now, values: { ph: 7.5 }, store: 'public' },
    ],
  }),
  new FakeDevice({ name: 'Attic tank', clockNotSet: true, sent: readings({ count: 5, endAt: now }) }),
  new FakeDevice({ name: 'Dill shelf', sent: readings({ count: 5, endAt: now - 2 * HOUR_MS, sealed: ['ph', 'ec'] }) }),
  new FakeDevice({ name: 'Empty vat', sent: [] }),
  new FakeDevice({ name: 'Stranger’s pump', whose: 'other', sent: [{ at: now, values: { ph: 4.4 } }] }),
];
/** Opens the overview of these devices as a table, which so few are not by themselves, or another page. */
export const openTable = (options: OpenOptions = {}, hash = '#/') => {
  localStorage.setItem('wellhouse.list', JSON.stringify({ view: 'table' }));
  return openPage(hash, { devices, ...options });
};

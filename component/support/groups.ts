import { page } from 'vitest/browser';
import { FakeDevice } from '../../scripts/fake-node/devices.ts';
import { type OpenOptions, openPage } from './open-page.tsx';
import { readings } from './page-parts.ts';

/** Four devices, of which the last is silent. */
export const tanks = ['Basil', 'Chard', 'Dill', 'Endive'].map(
  (name, index) =>
    new FakeDevice({ name, sent: readings({ count: 20, endAt: Date.now() - (index === 3 ? 86_400_000 : 0) }) }),
);
/** Returns a group of these tanks. */
export const groupOf = (name: string, number: number, members: readonly number[]) => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  name,
  isCollapsed: false,
  devices: members.map((index) => tanks[index]!.id),
});
export const GROUPS = [groupOf('Herbs', 1, [0, 2]), groupOf('Leaves', 2, [1, 3])];

/** Opens a page of a fake node with the tanks and these groups. */
export const openGroups = async (groups: ReturnType<typeof groupOf>[], hash = '#/', options: OpenOptions = {}) =>
  openPage(hash, {
    ...options,
    devices: tanks,
    answers: (fake) => {
      fake.setOwnerChoices({ groups });
      return {};
    },
  });
/** Opens the page with cards of devices chosen, below the names of the groups. */
export const openCardsOfDevices: typeof openGroups = async (...of) => {
  localStorage.setItem('wellhouse.list', JSON.stringify({ view: 'cards' }));
  return openGroups(...of);
};

/** Finds the dialog in which groups are made. */
export const dialog = page.getByRole('dialog', { name: 'Groups of devices' });
/** Finds the names of the groups on the page. */
export const headings = page.getByRole('heading', { level: 2 }).css('bdi');
/** Returns the card of a group or device. */
export const card = (name: string) => page.getByRole('article', { name, exact: true });

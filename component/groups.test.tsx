import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice, type SentReading } from '../scripts/fake-node/devices.ts';
import type { RangeRule } from '../src/shared/alerts/rule.ts';
import { addDays, dayOf } from '../src/shared/owner-data/days.ts';
import { NO_NOTES } from '../src/shared/owner-data/notes.ts';
import { card, dialog, GROUPS, groupOf, headings, openCardsOfDevices, openGroups, tanks } from './support/groups.ts';
import { openPage } from './support/open-page.tsx';
import {
  deviceList,
  expectTexts,
  HOUR_MS,
  press,
  type ReadingsOptions,
  readings,
  textsOf,
} from './support/page-parts.ts';

const list = (name: string) => page.getByRole('list', { name, exact: true });
const names = (group: string) => textsOf(list(group).css('[data-device]'));

async function make(name: string): Promise<void> {
  await dialog.getByLabelText('New group').fill(name);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect.element(dialog.getByLabelText(`Name of the group ${name}`)).toBeVisible();
}

/** Names of groups and devices in the list beside a page, from top to bottom. */
const rows = () =>
  deviceList()
    .getByRole('listitem')
    .css('bdi, span[class*=groupName]')
    .elements()
    .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
    .map(({ textContent }) => textContent);

test('groups can be created, named, ordered and deleted; every list and choice has their order', async () => {
  const { node, reload } = await openCardsOfDevices([]);
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByRole('button', { name: 'Make groups' }).click();
  await make('North house');
  await make('South house');
  await dialog.getByLabelText('Group of Dill').selectOptions('North house');
  await dialog.getByLabelText('Group of Basil').selectOptions('North house');
  await dialog.getByLabelText('Group of Chard').selectOptions('South house');
  await dialog.getByLabelText('Group of Dill').selectOptions('South house');
  await dialog.getByRole('button', { name: 'Move South house up' }).click();
  await dialog.getByLabelText('Name of the group North house').fill('Nursery');
  await press('{Enter}');
  await dialog.getByRole('button', { name: 'Close' }).click();
  const asMade = async () => {
    await expectTexts(headings, ['South house', 'Nursery', 'In no group']);
    await expect.poll(() => names('South house')).toEqual(['Chard', 'Dill']);
    await expect.poll(() => names('Nursery')).toEqual(['Basil']);
    await expect.poll(() => names('In no group')).toEqual(['Endive']);
  };
  await asMade();
  // The page shows changes before the node has them.
  const kept = async () => (await node.api.call('ownerChoices', {})).groups.map(({ name }) => name);
  await expect.poll(kept).toEqual(['South house', 'Nursery']);
  await reload();
  await asMade();
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete the group South house' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expectTexts(headings, ['Nursery', 'In no group']);
  await expect.poll(() => names('In no group')).toEqual(['Chard', 'Dill', 'Endive']);

  await page.getByRole('button', { name: 'View' }).click();
  await page.getByLabelText('Sort by').selectOptions('Name');
  await page.getByRole('button', { name: 'Ascending' }).click();
  const order = ['Basil', 'Endive', 'Dill', 'Chard'];
  const listed = page.css('main [data-device] bdi');
  await expectTexts(listed, order);
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  const inDialog = dialog.getByRole('list', { name: 'Devices and their groups' }).css('bdi');
  await expectTexts(inDialog, order);
  // What is put into a group stays under the pointer.
  await dialog.getByLabelText('Group of Dill').selectOptions('Nursery');
  const moved = ['Dill', 'Basil', 'Endive', 'Chard'];
  await expectTexts(listed, moved);
  await expectTexts(inDialog, order);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('link', { name: 'Compare' }).click();
  await expectTexts(
    page.getByLabelText('Device', { exact: true }).css('option[value]:not([value=""]):not([value^=group])'),
    moved,
  );
  window.location.hash = '#/alerts?tab=rules';
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const forWhich = page.getByRole('dialog').getByLabelText('For', { exact: true });
  await expectTexts(forWhich.css('option[value^="device "]'), moved);
});

test('a group stays collapsed, and shows how many need their owner; search and comparison cover all groups', async () => {
  const { reload } = await openCardsOfDevices(GROUPS);
  const leaves = page.getByRole('region', { name: /^Leaves/ });
  const toggle = leaves.getByRole('button', { name: 'Leaves' });
  await toggle.click();
  await expect.element(list('Leaves')).not.toBeInTheDocument();
  await expect.element(leaves).toContainText(/2 devices · \d needs? you/);
  await expect.element(list('Herbs')).toBeVisible();
  await reload();
  await expect.element(list('Herbs')).toBeVisible();
  await expect.element(toggle).toHaveAttribute('aria-expanded', 'false');
  await toggle.click();
  await expect.poll(() => names('Leaves')).toEqual(['Chard', 'Endive']);

  await expectTexts(headings, ['Herbs', 'Leaves']);
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('dill');
  await expectTexts(headings, ['Herbs']);
  await expect.poll(() => names('Herbs')).toEqual(['Dill']);

  window.location.hash = '#/compare?range=all';
  const picker = page.getByRole('group', { name: 'Add a line' });
  await picker.getByLabelText('Device').selectOptions('All of Leaves');
  await picker.getByLabelText('Field').selectOptions('EC');
  await picker.getByRole('button', { name: 'Add' }).click();
  for (const index of [1, 3])
    await expect.element(page.css(`[data-line="${tanks[index]!.id}:ec"]`)).toContainText('20 values');
  await expect.poll(() => page.css('[data-line]').elements()).toHaveLength(2);
});

test('each group is a card with its devices, the worst first, and opens to their cards; one device is its own card', async () => {
  const { reload } = await openGroups([groupOf('Leaves', 2, [1, 3]), groupOf('Window sill', 1, [0])]);
  const leaves = card('Leaves');
  await expect.element(leaves).toContainText('1 needs you2 devices · 1 well');
  await expectTexts(leaves.css('[data-device]'), ['Endive', 'Chard']);
  await expect.element(leaves.getByRole('row', { name: /Endive/ })).toContainText('Silent for 1 day');
  await expect.element(leaves.getByRole('row', { name: /Chard/ }).getByRole('cell').first()).toContainText(/^\d\.\d/);
  await expect.element(leaves).toContainText('2 ranges watched');
  await expect.element(card('Basil')).toContainText('Window sill');
  await expect.element(card('Window sill')).not.toBeInTheDocument();
  // What is in no group has its own card.
  await expect.poll(() => names('In no group')).toEqual(['Dill']);
  await leaves.getByRole('link', { name: 'Leaves' }).click();
  await expect.poll(() => names('Leaves')).toEqual(['Chard', 'Endive']);
  await expect.element(list('In no group')).not.toBeInTheDocument();
  await page.getByRole('link', { name: 'All groups' }).click();
  await expect.element(leaves).toBeVisible();
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByText('Cards', { exact: true }).click();
  await expect.poll(() => names('Leaves')).toEqual(['Chard', 'Endive']);
  await reload();
  await expect.poll(() => names('Leaves')).toEqual(['Chard', 'Endive']);

  // The list beside every page follows the groups’ names, order and collapsed state.
  window.location.hash = `#/device/${tanks[0]!.id}`;
  await expect.poll(rows).toEqual(['Leaves', 'Chard', 'Endive', 'Window sill', 'Basil', 'In no group', 'Dill']);
  // Folded here, it is folded in the overview; the device that is open stays in view.
  const inList = (name: RegExp) => deviceList().getByRole('button', { name });
  await inList(/^Leaves/).click();
  await inList(/^Window sill/).click();
  await expect.poll(rows).toEqual(['Leaves', 'Window sill', 'Basil', 'In no group', 'Dill']);
  await expect.element(inList(/^Leaves/)).toHaveAttribute('aria-expanded', 'false');
  await page.getByRole('link', { name: 'Wellhouse' }).click();
  await expect.element(list('In no group')).toBeVisible();
  await expect.element(list('Leaves')).not.toBeInTheDocument();
  const sill = page.getByRole('region', { name: /^Window sill/ }).getByRole('button', { name: 'Window sill' });
  await expect.element(sill).toHaveAttribute('aria-expanded', 'false');
});

interface Places {
  readonly [group: string]: readonly FakeDevice[];
}

/** Opens the cards of groups with these devices, with their tanks and rules. */
function openCards(places: Places, more: { tanks?: readonly FakeDevice[]; rules?: RangeRule[] } = {}) {
  const { tanks: withTank = [], rules = [] } = more;
  const devices = Object.values(places).flat();
  const groups = Object.entries(places).map(([name, members], index) => ({
    ...{ id: `00000000-0000-4000-8000-00000000000${index}`, name, isCollapsed: false },
    devices: members.map(({ id }) => id),
  }));
  return openPage('#/', {
    devices,
    answers: (fake) => {
      fake.setOwnerChoices({ groups });
      const units = { waterLevel: { tank: { empty: 300, full: 100 } } };
      for (const { id } of withTank) fake.setNotes({ id, notes: { ...NO_NOTES, units } });
      return {
        alerts: () => ({ now: Date.now(), alerts: [] }),
        alertRules: () => ({ rules: rules.map((rule) => ({ rule, devices: devices.length, sealedOn: [] })) }),
      };
    },
  });
}
/** A device with an hour and a half of readings: a line needs values of two hours of the clock. */
const deviceOf = (name: string, values: SentReading['values'] = {}, more: Partial<ReadingsOptions> = {}) =>
  new FakeDevice({
    name,
    sent: readings({ count: 90, ...more }).map((sent) => ({ ...sent, values: { ...sent.values, ...values } })),
  });
const ruleOf = (field: RangeRule['field'], low: number, high: number): RangeRule => ({
  ...{ id: `00000000-0000-4000-8000-00000000000${low}`, kind: 'range', name: '', scope: { kind: 'all' } },
  ...{ field, low, high, margin: 0, forMinutes: 15, severity: 'warning', channels: 'all', repeatMinutes: null },
  isOn: true,
});
const row = (name: string, group = 'House') => card(group).getByRole('row', { name: new RegExp(name) });

test('a card has its devices’ lines and ranges and what is outside, their due tasks, and the way to the log', async () => {
  const devices = [deviceOf('Dill', { ph: 6 }), deviceOf('Basil', { ph: 8 }), deviceOf('Chard', { ph: 6.1 })];
  const { node } = await openCards({ House: devices }, { rules: [ruleOf('ph', 5, 7), ruleOf('vpd', 0, 9)] });
  for (const name of ['Dill', 'Basil', 'Chard']) {
    await expect.poll(() => row(name).css('td > svg path').elements().length).toBe(3);
    await expect.poll(() => row(name).css('td > svg rect').elements().length).toBe(1);
    await expect.element(row(name)).toContainText(/VPD \d\.\d\dkPa/);
  }
  await expect.element(row('Basil').css('td > svg[data-outside]')).toBeInTheDocument();
  await expect.element(row('Basil').css('[data-wellness=outside]')).toBeInTheDocument();
  await expect.element(row('Dill').css('[data-wellness=well]')).toBeInTheDocument();
  await expect.element(card('House')).toContainText('Out of range3 devices · 3 well');
  await expect.element(card('House')).toContainText('6 ranges, 1 outside');

  const day = dayOf(Date.now());
  const task = { id: null, everyDays: null, device: devices[1]!.id };
  await node.api.call('writeTask', { ...task, title: 'Clean the filter', due: day });
  await node.api.call('writeTask', { ...task, title: 'Order seeds', due: addDays(day, 5) });
  await expect.element(card('House')).toContainText('Clean the filterBasil · due today');
  expect(card('House').element().textContent).not.toContain('Order seeds');
  await card('House').getByRole('button', { name: 'Log what you did at House' }).click();
  await page.getByRole('button', { name: 'Topped up' }).click();
  const about = page.getByRole('dialog').getByRole('combobox', { name: 'Of' });
  await expectTexts(about.css('option'), ['Basil', 'Chard', 'Dill', 'All devices']);
});

test('cards name the lowest tank, say once what is locked and silent, and since when nothing is known', async () => {
  const low = [deviceOf('Anise', { waterLevel: 150 }), deviceOf('Fennel', { waterLevel: 250 }), deviceOf('Garlic')];
  const tank = deviceOf('Hyssop', { waterLevel: 150 });
  const endAt = Date.now() - 2 * HOUR_MS;
  const places = {
    Tanks: low,
    'Only tank': [tank, deviceOf('Iris', {}, { fields: ['ph', 'ec', 'tempWater'] })],
    House: [
      deviceOf('Dill', {}, { sealed: ['ph', 'ec'] }),
      deviceOf('Basil', {}, { sealed: ['ph'] }),
      deviceOf('Chard', {}, { sealed: ['ph'], endAt }),
      deviceOf('Endive', {}, { sealed: ['ph'], endAt: endAt - HOUR_MS }),
    ],
  };
  const { connect } = await openCards(places, { tanks: [...low.slice(0, 2), tank] });
  await expect.element(card('Tanks')).toContainText('Level25% fullLowest tank: Fennel');
  const drawing = card('Tanks').css('[style*="--level"]').element() as HTMLElement;
  expect(drawing.style.getPropertyValue('--level')).toBe('25%');
  await expect.element(row('Anise', 'Tanks')).toContainText('75% full');

  // The level of the only tank of a group is not told twice.
  await expect.element(card('Only tank')).toContainText('75% fullTank: Hyssop');
  await expectTexts(card('Only tank').getByRole('columnheader'), ['Devices', 'pH', 'EC ppm₅₀₀', 'Water temp. °C']);

  await expect.element(card('House')).toContainText('Locked: pH, ECGo to your keys');
  // What no device shows has no column; a lock is for EC of one device.
  await expectTexts(card('House').getByRole('columnheader'), ['Devices', 'EC ppm₅₀₀', 'Distance mm', 'Water temp. °C']);
  await expect.element(row('Dill').getByRole('img', { name: /Sealed/ })).toBeVisible();
  await expect.element(page.getByRole('note')).not.toBeInTheDocument();
  await expect.element(card('House')).toContainText('· silent for up to 3 hr');
  await expect.element(row('Chard')).toContainText('ChardSilent');
  expect(card('House').element().textContent).not.toContain('Silent for');
  connect(false);
  await expect.element(card('House')).toContainText(/Unknown since .*sec ago/);
  expect(card('House').getByText(/ ago/).elements()).toHaveLength(1);
});

const MANY = Array.from(
  { length: 120 },
  (_, index) => new FakeDevice({ name: `Tank ${index + 1}`, sent: readings({ count: 1 }) }),
);
const MANY_GROUPS = Array.from({ length: 20 }, (_, group) => ({
  id: `00000000-0000-4000-8000-0000000001${String(group).padStart(2, '0')}`,
  name: `House ${group + 1}`,
  isCollapsed: false,
  devices: MANY.slice(group * 6, group * 6 + 6).map(({ id }) => id),
}));

// Each table and each list draws some rows even far below the visible part, which 120 devices in 20 groups add up.
test('of many groups, the tables and cards of those far from the visible part draw nothing', async () => {
  localStorage.setItem('wellhouse.list', JSON.stringify({ view: 'table' }));
  // In the app the window bounds the page, which scrolls inside of it.
  const bounded = document.head.appendChild(document.createElement('style'));
  bounded.textContent = 'body > div { height: 900px }';
  onTestFinished(() => bounded.remove());
  const { reload } = await openPage('#/', {
    devices: MANY,
    answers: (fake) => {
      fake.setOwnerChoices({ groups: MANY_GROUPS });
      return {};
    },
  });
  const drawn = page.getByRole('main').css('[data-device]');
  const drawsFew = async () => {
    await expect.element(drawn.first()).toBeVisible();
    await expect.element(headings.last()).toBeInTheDocument();
    await expect.poll(() => drawn.elements().length).toBeLessThan(60);
    headings.last().element().scrollIntoView();
    await expect.element(page.getByRole('main').getByRole('link', { name: 'Tank 115', exact: true })).toBeVisible();
    await expect.poll(() => drawn.elements().length).toBeLessThan(60);
  };
  await drawsFew();
  localStorage.setItem('wellhouse.list', JSON.stringify({ view: 'cards' }));
  await reload();
  await drawsFew();
});

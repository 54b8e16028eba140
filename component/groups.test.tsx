import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice, type SentReading } from '../scripts/fake-node/devices.ts';
import type { RangeRule } from '../src/shared/alerts/rule.ts';
import { addDays, dayOf } from '../src/shared/owner-data/days.ts';
import { NO_NOTES } from '../src/shared/owner-data/notes.ts';
import { complaints } from './support/complaints.ts';
import { type OpenOptions, openPage } from './support/open-page.tsx';
import {
  deviceList,
  expectTexts,
  HOUR_MS,
  press,
  type ReadingsOptions,
  readings,
  sidewaysScroll,
  textsOf,
} from './support/page-parts.ts';

const tanks = ['Basil', 'Chard', 'Dill', 'Endive'].map(
  (name, index) =>
    new FakeDevice({ name, sent: readings({ count: 20, endAt: Date.now() - (index === 3 ? 86_400_000 : 0) }) }),
);
const groupOf = (name: string, number: number, members: readonly number[]) => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  name,
  isCollapsed: false,
  devices: members.map((index) => tanks[index]!.id),
});
const GROUPS = [groupOf('Herbs', 1, [0, 2]), groupOf('Leaves', 2, [1, 3])];

const openGroups = async (groups: ReturnType<typeof groupOf>[], hash = '#/', options: OpenOptions = {}) =>
  openPage(hash, {
    ...options,
    devices: tanks,
    answers: (fake) => {
      fake.setOwnerChoices({ groups });
      return {};
    },
  });
/** Opens the page with cards of devices chosen, below the names of the groups. */
const open: typeof openGroups = async (...of) => {
  localStorage.setItem('wellhouse.list', JSON.stringify({ view: 'cards' }));
  return openGroups(...of);
};
const dialog = page.getByRole('dialog', { name: 'Groups of devices' });
const list = (name: string) => page.getByRole('list', { name, exact: true });
const names = (group: string) => textsOf(list(group).css('[data-device]'));
const headings = page.getByRole('heading', { level: 2 }).css('bdi');

async function make(name: string): Promise<void> {
  await dialog.getByLabelText('New group').fill(name);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect.element(dialog.getByLabelText(`Name of the group ${name}`)).toBeVisible();
}

test('groups can be created, named, ordered and deleted; a device is in at most one', async () => {
  const { reload } = await open([]);
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
  await reload();
  await asMade();
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete the group South house' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expectTexts(headings, ['Nursery', 'In no group']);
  await expect.poll(() => names('In no group')).toEqual(['Chard', 'Dill', 'Endive']);
});

test('a group stays collapsed, and still shows how many of its devices need their owner', async () => {
  const { reload } = await open(GROUPS);
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
});

const card = (name: string) => page.getByRole('article', { name, exact: true });

test('each group is a card with its devices, the worst first, and opens to their cards', async () => {
  const { reload } = await openGroups([groupOf('Leaves', 2, [1, 3])]);
  const leaves = card('Leaves');
  await expect.element(leaves).toContainText('1 needs you2 devices · 1 well');
  await expectTexts(leaves.css('[data-device]'), ['Endive', 'Chard']);
  await expect.element(leaves.getByRole('row', { name: /Endive/ })).toContainText('Silent for 1 day');
  await expect.element(leaves.getByRole('row', { name: /Chard/ }).getByRole('cell').first()).toContainText(/^\d\.\d/);
  await expect.element(leaves).toContainText('2 ranges watched');
  // What is in no group has its own card.
  await expect.poll(() => names('In no group')).toEqual(['Basil', 'Dill']);
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
});

test('a group of one device has the card of the device, with the name of the group', async () => {
  await openGroups([groupOf('Leaves', 2, [1, 3]), groupOf('Window sill', 1, [0])]);
  await expect.element(card('Leaves')).toBeVisible();
  await expect.element(card('Basil')).toContainText('Window sill');
  await expect.element(card('Window sill')).not.toBeInTheDocument();
});

/** Opens the card of one group, with its devices' notes and rules. */
function openCard(devices: readonly FakeDevice[], more: { tanks?: readonly FakeDevice[]; rules?: RangeRule[] } = {}) {
  const { tanks: withTank = [], rules = [] } = more;
  const place = { id: GROUPS[0]!.id, name: 'House', isCollapsed: false, devices: devices.map(({ id }) => id) };
  return openPage('#/', {
    devices,
    answers: (fake) => {
      fake.setOwnerChoices({ groups: [place] });
      const units = { waterLevel: { tank: { empty: 300, full: 100 } } };
      for (const { id } of withTank) fake.setNotes({ id, notes: { ...NO_NOTES, units } });
      return {
        alerts: () => ({ now: Date.now(), alerts: [] }),
        alertRules: () => ({ rules: rules.map((rule) => ({ rule, devices: devices.length, sealedOn: [] })) }),
      };
    },
  });
}
const deviceOf = (name: string, values: SentReading['values'] = {}, more: Partial<ReadingsOptions> = {}) =>
  new FakeDevice({
    name,
    sent: readings({ count: 120, ...more }).map((sent) => ({ ...sent, values: { ...sent.values, ...values } })),
  });
const ruleOf = (field: RangeRule['field'], low: number, high: number): RangeRule => ({
  ...{ id: `00000000-0000-4000-8000-00000000000${low}`, kind: 'range', name: '', scope: { kind: 'all' } },
  ...{ field, low, high, margin: 0, forMinutes: 15, severity: 'warning', channels: 'all', repeatMinutes: null },
  isOn: true,
});
const row = (name: string) => card('House').getByRole('row', { name: new RegExp(name) });

test('each value on a card has the line and the range of its own device, and what is outside shows', async () => {
  const devices = [deviceOf('Dill', { ph: 6 }), deviceOf('Basil', { ph: 8 }), deviceOf('Chard', { ph: 6.1 })];
  await openCard(devices, { rules: [ruleOf('ph', 5, 7), ruleOf('vpd', 0, 9)] });
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
});

test('the lowest tank of a group is drawn with the name of its device', async () => {
  const devices = [deviceOf('Dill', { waterLevel: 150 }), deviceOf('Basil', { waterLevel: 250 }), deviceOf('Chard')];
  await openCard(devices, { tanks: devices.slice(0, 2) });
  await expect.element(card('House')).toContainText('Level25% fullLowest tank: Basil');
  const drawing = card('House').css('[style*="--level"]').element() as HTMLElement;
  expect(drawing.style.getPropertyValue('--level')).toBe('25%');
  await expect.element(row('Dill')).toContainText('75% full');
});

test('the level of the only tank of a group is not told twice', async () => {
  const tank = deviceOf('Dill', { waterLevel: 150 });
  await openCard([tank, deviceOf('Basil', {}, { fields: ['ph', 'ec', 'tempWater'] })], { tanks: [tank] });
  await expect.element(card('House')).toContainText('75% fullTank: Dill');
  await expectTexts(card('House').getByRole('columnheader'), ['Devices', 'pH', 'EC ppm₅₀₀', 'Water temp. °C']);
});

test('a card says once what is locked, how long its devices are silent, and since when nothing is known', async () => {
  const endAt = Date.now() - 2 * HOUR_MS;
  const devices = [
    deviceOf('Dill', {}, { sealed: ['ph', 'ec'] }),
    deviceOf('Basil', {}, { sealed: ['ph'] }),
    deviceOf('Chard', {}, { sealed: ['ph'], endAt }),
    deviceOf('Endive', {}, { sealed: ['ph'], endAt: endAt - HOUR_MS }),
  ];
  const { connect } = await openCard(devices);
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

test('a card has the tasks that are due with their devices, and the way to the log', async () => {
  const devices = [deviceOf('Dill'), deviceOf('Basil')];
  const { node } = await openCard(devices);
  const day = dayOf(Date.now());
  const task = { id: null, everyDays: null, device: devices[1]!.id };
  await node.api.call('writeTask', { ...task, title: 'Clean the filter', due: day });
  await node.api.call('writeTask', { ...task, title: 'Order seeds', due: addDays(day, 5) });
  await expect.element(card('House')).toContainText('Clean the filterBasil · due today');
  expect(card('House').element().textContent).not.toContain('Order seeds');
  await card('House').getByRole('button', { name: 'Log what you did at House' }).click();
  await page.getByRole('button', { name: 'Topped up' }).click();
  const about = page.getByRole('dialog').getByRole('combobox', { name: 'Of' });
  await expectTexts(about.css('option'), ['Basil', 'Dill', 'All devices']);
});

for (const language of ['en', 'pt-BR', 'es'] as const) {
  test(`cards of groups fit every width, without anything that axe calls an error, ${language}`, async () => {
    await openGroups(GROUPS, '#/', { width: 1440, language });
    for (const width of [390, 1440]) {
      await page.viewport(width, 900);
      await expect.element(card('Leaves').getByRole('row', { name: /Endive/ })).toBeVisible();
      await expect.poll(sidewaysScroll).toBe(0);
      const wide = () => card('Leaves').element().scrollWidth - card('Leaves').element().clientWidth;
      await expect.poll(wide).toBe(0);
      expect(await complaints()).toEqual([]);
    }
  });
}

const MANY = Array.from(
  { length: 200 },
  (_, index) => new FakeDevice({ name: `Tank ${index + 1}`, sent: readings({ count: 1 }) }),
);
const MANY_GROUPS = Array.from({ length: 20 }, (_, group) => ({
  id: `00000000-0000-4000-8000-0000000001${String(group).padStart(2, '0')}`,
  name: `House ${group + 1}`,
  isCollapsed: false,
  devices: MANY.slice(group * 10, group * 10 + 10).map(({ id }) => id),
}));

// Each table and each list draws some rows even far below the visible part, which 200 devices in 20 groups add up.
test.each(['table', 'cards'])(
  'of many groups, the %s of those far from the visible part draws nothing',
  async (view) => {
    localStorage.setItem('wellhouse.list', JSON.stringify({ view }));
    // In the app the window bounds the page, which scrolls inside of it.
    const bounded = document.head.appendChild(document.createElement('style'));
    bounded.textContent = 'body > div { height: 900px }';
    onTestFinished(() => bounded.remove());
    await openPage('#/', {
      devices: MANY,
      answers: (fake) => {
        fake.setOwnerChoices({ groups: MANY_GROUPS });
        return {};
      },
    });
    const drawn = page.getByRole('main').css('[data-device]');
    await expect.element(drawn.first()).toBeVisible();
    await expect.poll(() => drawn.elements().length).toBeLessThan(60);
    headings.last().element().scrollIntoView();
    await expect.element(page.getByRole('main').getByRole('link', { name: 'Tank 191', exact: true })).toBeVisible();
    await expect.poll(() => drawn.elements().length).toBeLessThan(60);
  },
);

test('the search covers all groups', async () => {
  await open(GROUPS);
  await expectTexts(headings, ['Herbs', 'Leaves']);
  await page.getByRole('searchbox', { name: 'Search devices' }).fill('dill');
  await expectTexts(headings, ['Herbs']);
  await expect.poll(() => names('Herbs')).toEqual(['Dill']);
});

test('the comparison offers a whole group', async () => {
  await open(GROUPS, '#/compare?range=all');
  const picker = page.getByRole('group', { name: 'Add a line' });
  await picker.getByLabelText('Device').selectOptions('All of Leaves');
  await picker.getByLabelText('Field').selectOptions('EC');
  await picker.getByRole('button', { name: 'Add' }).click();
  for (const index of [1, 3])
    await expect.element(page.css(`[data-line="${tanks[index]!.id}:ec"]`)).toContainText('20 values');
  await expect.poll(() => page.css('[data-line]').elements()).toHaveLength(2);
});

/** Names of groups and devices in the list, from top to bottom. */
const rows = () =>
  deviceList()
    .getByRole('listitem')
    .css('bdi, span[class*=groupName]')
    .elements()
    .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
    .map(({ textContent }) => textContent);

test('the list beside every page follows the groups’ names, order and collapsed state', async () => {
  await open([groupOf('Leaves', 2, [1, 3]), groupOf('Herbs', 1, [0])], `#/device/${tanks[0]!.id}`);
  await expect.poll(rows).toEqual(['Leaves', 'Chard', 'Endive', 'Herbs', 'Basil', 'In no group', 'Dill']);
  // Folded here, it is folded in the overview; the device that is open stays in view.
  await deviceList()
    .getByRole('button', { name: /^Leaves/ })
    .click();
  await deviceList()
    .getByRole('button', { name: /^Herbs/ })
    .click();
  await expect.poll(rows).toEqual(['Leaves', 'Herbs', 'Basil', 'In no group', 'Dill']);
  await expect.element(deviceList().getByRole('button', { name: /^Leaves/ })).toHaveAttribute('aria-expanded', 'false');
  await page.getByRole('link', { name: 'Wellhouse' }).click();
  await expect.element(list('In no group')).toBeVisible();
  await expect.element(list('Leaves')).not.toBeInTheDocument();
  const herbs = page.getByRole('region', { name: /^Herbs/ }).getByRole('button', { name: 'Herbs' });
  await expect.element(herbs).toHaveAttribute('aria-expanded', 'false');
});

test('devices have the same order in the list, in the dialogs and in the choice of lines', async () => {
  await open([groupOf('North', 1, [2])]);
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByLabelText('Sort by').selectOptions('Name');
  await page.getByRole('button', { name: 'Ascending' }).click();
  const order = ['Dill', 'Endive', 'Chard', 'Basil'];
  const listed = page.css('main [data-device] bdi');
  await expectTexts(listed, order);
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  const inDialog = dialog.getByRole('list', { name: 'Devices and their groups' }).css('bdi');
  await expectTexts(inDialog, order);
  // What is put into a group stays under the pointer.
  await dialog.getByLabelText('Group of Basil').selectOptions('North');
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

test('groups and their dialog fit every width, and axe finds no error', async () => {
  await open([groupOf('Herbs', 1, [0, 2])], '#/', { width: 1440 });
  for (const width of [390, 768, 1024, 1440]) {
    await page.viewport(width, 900);
    await expectTexts(headings, ['Herbs', 'In no group']);
    await expect.poll(sidewaysScroll).toBe(0);
    expect(await complaints()).toEqual([]);
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByRole('button', { name: 'Groups', exact: true }).click();
    await expect.element(dialog.getByLabelText('Group of Basil')).toBeVisible();
    expect(await complaints()).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    // The menu, too, is gone.
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  }
});

import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import type { MethodName } from '../src/shared/owner-api/contract.ts';
import { NO_NOTES } from '../src/shared/owner-data/notes.ts';
import type { FieldName } from '../src/shared/protocol/fields.ts';
import { type OpenOptions, openPage } from './support/open-page.tsx';
import { HOUR_MS, hoverAt, MINUTE_MS, openDevice, rangeBar, readings } from './support/page-parts.ts';

const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
const bed = new FakeDevice({ name: 'Tomato bed', sent: readings({ count: 300, endAt: now }) });
// Half as often, and nothing in the last two hours.
const tank = new FakeDevice({
  name: 'Rain tank',
  sent: readings({
    ...{ everyMs: 2 * MINUTE_MS, endAt: now - 2 * HOUR_MS, count: 100 },
    fields: ['tempWater', 'tempAmbient', 'ec'],
  }),
});

type Line = readonly [FakeDevice, FieldName];
const open = (lines: readonly Line[], range = 'range=8h', options: OpenOptions = {}) =>
  openPage(`#/compare?lines=${lines.map(([{ id }, field]) => `${id}:${field}`).join(',')}&${range}`, {
    devices: [bed, tank],
    ...options,
  });
const picker = page.getByRole('group', { name: 'Add a line' });
const saved = page.getByRole('group', { name: 'Saved comparisons' });
const panel = (name: RegExp) => page.css('figure').filter({ has: page.getByRole('heading', { level: 2, name }) });
const line = (device: FakeDevice, field: FieldName) => page.css(`[data-line="${device.id}:${field}"]`);
const leaveOut = page.getByRole('button', { name: /^Leave out / });

async function add(device: string, field: string): Promise<void> {
  await picker.getByLabelText('Device').selectOptions(device);
  await picker.getByLabelText('Field').selectOptions(field);
  await picker.getByRole('button', { name: 'Add' }).click();
}

test('lines of several devices share a chart by unit, with figures and one cursor; one can be left out', async () => {
  const { reload } = await openPage('#/', { devices: [bed, tank] });
  await page.getByRole('link', { name: 'Compare' }).click();
  await expect.poll(() => document.title).toMatch(/Compare – Wellhouse$/);
  await expect.element(page.getByText('Nothing to compare yet')).toBeVisible();
  await rangeBar().getByText('8 h', { exact: true }).click();
  await add('Tomato bed', 'Water temperature');
  await add('Rain tank', 'Air temperature');
  await add('Tomato bed', 'EC');
  await expect.poll(() => page.css('figure').elements()).toHaveLength(2);

  const temperatures = panel(/^Water temperature, Air temperature · °C$/);
  await expect.poll(() => temperatures.getByRole('listitem').elements()).toHaveLength(2);
  const conductivity = panel(/^EC · ppm/);
  await expect.poll(() => conductivity.getByRole('listitem').elements()).toHaveLength(1);
  await expect
    .element(line(bed, 'tempWater'))
    .toContainText(/min [\d.]+ °C · mean of the readings [\d.]+ °C · max [\d.]+ °C · 300 values/);
  await expect.element(line(tank, 'tempAmbient')).toContainText('100 values');
  // The means of these lines come from different intervals of readings.
  const words = /The readings are between 1 min and 2 min apart\. A mean counts readings/;
  await expect.element(temperatures).toContainText(words);
  await expect.element(conductivity).toContainText('300 values');
  await expect.element(conductivity).not.toContainText(words);
  await reload();
  await expect.element(line(tank, 'tempAmbient')).toContainText('100 values');
  for (const field of ['tempWater', 'ec'] as const) await expect.element(line(bed, field)).toContainText('300 values');

  const plot = temperatures.getByRole('group');
  await hoverAt(plot, 0.5);
  await expect.element(line(bed, 'tempWater')).toContainText(/[\d.]+ °Cmin/);
  await expect.element(line(tank, 'tempAmbient')).toContainText(/[\d.]+ °Cmin/);
  await expect.element(line(bed, 'ec')).toContainText(/[\d,]+ ppm\S*min/);
  await hoverAt(plot, 0.9);
  await expect.element(line(tank, 'tempAmbient')).toContainText(/no valuemin/);

  await line(bed, 'ec').getByRole('button', { name: 'Leave out Tomato bed – EC' }).click();
  await expect.poll(() => page.css('figure').elements()).toHaveLength(1);
  window.history.back();
  await expect.poll(() => page.css('figure').elements()).toHaveLength(2);
});

test('shows the units that the owner chose, and never two on one axis', async () => {
  await open(
    [
      [bed, 'tempWater'],
      [tank, 'tempWater'],
      [tank, 'tempAmbient'],
    ],
    undefined,
    {
      answers: (fake) => {
        fake.setNotes({ id: tank.id, notes: { ...NO_NOTES, units: { tempWater: { shown: 'fahrenheit' } } } });
        return {};
      },
    },
  );
  await expect.poll(() => panel(/°C$/).getByRole('listitem').elements()).toHaveLength(2);
  await expect.poll(() => panel(/°F$/).getByRole('listitem').elements()).toHaveLength(1);
  await expect.element(line(tank, 'tempWater')).toContainText(/mean of the readings 6\d(\.\d+)? °F/);
});

test('accepts at most eight lines, each once', async () => {
  const six = (['ph', 'ec', 'waterLevel', 'tempWater', 'tempAmbient', 'humidity'] as const).map(
    (field) => [bed, field] as const,
  );
  await open([...six, [tank, 'ec']]);
  await expect.poll(() => leaveOut.elements()).toHaveLength(7);
  await picker.getByLabelText('Device').selectOptions('Rain tank');
  await picker.getByLabelText('Field').selectOptions('EC');
  await expect.element(picker.getByRole('button', { name: 'Add' })).toBeDisabled();
  await add('Rain tank', 'Water temperature');
  await expect.poll(() => leaveOut.elements()).toHaveLength(8);
  await picker.getByLabelText('Field').selectOptions('Air temperature');
  await expect.element(picker.getByRole('button', { name: 'Add' })).toBeDisabled();
  await expect.element(picker).toContainText('At most 8 lines');
});

test('saves a comparison with its name and range, changes it and deletes it', async () => {
  await open(
    [
      [bed, 'tempWater'],
      [tank, 'tempWater'],
    ],
    'range=today',
  );
  await saved.getByRole('button', { name: 'Save this comparison' }).click();
  await page.getByLabelText('Name', { exact: true }).fill('Water, both');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const kept = saved.getByLabelText('Saved comparisons');
  await expect.element(kept).toHaveValue(expect.stringMatching(/^[0-9a-f-]{36}$/));
  await add('Tomato bed', 'pH');
  await saved.getByRole('button', { name: 'Save the changes' }).click();
  await expect.element(saved.getByRole('button', { name: 'Save the changes' })).not.toBeInTheDocument();
  await kept.selectOptions('None open');
  await kept.selectOptions('Water, both');
  await expect.element(line(bed, 'ph')).toBeVisible();
  await expect.element(rangeBar().getByRole('radio', { name: 'Today' })).toBeChecked();
  await saved.getByRole('button', { name: 'Delete' }).click();
  await saved.getByRole('button', { name: 'Yes, delete it' }).click();
  await expect.element(kept).not.toBeInTheDocument();
  await expect.element(line(bed, 'ph')).toBeVisible();
});

test('a change that is not saved yet stays on the page while the node reports others', async () => {
  const { node, tell } = await open([[bed, 'tempWater']]);
  const saving = Promise.withResolvers<void>();
  const call = node.api.call.bind(node.api);
  const called = vi.spyOn(node.api, 'call').mockImplementation(async (method, input) => {
    if (method === 'setOwnerChoices') await saving.promise;
    return call(method, input);
  });
  const calls = (name: MethodName) => called.mock.calls.filter(([method]) => method === name).length;
  await saved.getByRole('button', { name: 'Save this comparison' }).click();
  await page.getByLabelText('Name', { exact: true }).fill('Water');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const kept = saved.getByLabelText('Saved comparisons');
  await expect.element(kept).toContainText('Water');
  await expect.poll(() => calls('setOwnerChoices')).toBe(1);
  const [choices, journal] = [calls('ownerChoices'), calls('journal')];
  tell('choices', {});
  tell('journal', {});
  // The page looks for both at once.
  await expect.poll(() => calls('journal')).toBeGreaterThan(journal);
  expect(calls('ownerChoices')).toBe(choices);
  await expect.element(kept).toContainText('Water');
  saving.resolve();
  await expect.poll(() => calls('ownerChoices')).toBeGreaterThan(choices);
  await expect.element(kept).toContainText('Water');
});

test('starts with the fields and range of a device’s charts', async () => {
  await openDevice(bed);
  await rangeBar().getByText('8 h', { exact: true }).click();
  await page.getByRole('link', { name: 'Compare with others' }).click();
  // Six measured fields, VPD and dew point.
  await expect.poll(() => leaveOut.elements()).toHaveLength(8);
  await expect.element(rangeBar().getByRole('radio', { name: '8 h' })).toBeChecked();
});

test('names devices that no longer exist, that are hidden, and values that are sealed', async () => {
  const gone = 'ab'.repeat(32);
  const hidden = new FakeDevice({ name: 'Hidden bed', sent: readings({ count: 10, fields: ['ec'] }) });
  const sealed = new FakeDevice({ name: 'Dill shelf', sent: readings({ count: 5, sealed: ['ph'] }) });
  const lines = [hidden, bed].map(({ id }) => ({ device: id, field: 'ec' as const }));
  await openPage(`#/compare?lines=${sealed.id}:ph&range=8h`, {
    devices: [bed, hidden, sealed],
    answers: (fake) => {
      fake.setNotes({ id: hidden.id, notes: { ...NO_NOTES, isHidden: true } });
      fake.setOwnerChoices({ comparisons: [{ id: crypto.randomUUID(), name: 'Both', lines, range: 'range=8h' }] });
      return {};
    },
  });
  await expect.element(page.css('[data-line]')).toContainText('All 5 values here are sealed');

  await saved.getByLabelText('Saved comparisons').selectOptions('Both');
  await expect.element(line(bed, 'ec')).toBeVisible();
  await expect.element(line(hidden, 'ec')).not.toBeInTheDocument();
  await expect.element(page.getByText(/^The device .* is hidden/)).toBeVisible();
  await expect.element(page.getByText(/no longer knows the device/)).not.toBeInTheDocument();
  await expect.element(page.getByText('Hidden bed')).not.toBeInTheDocument();
  await expect.element(picker.getByRole('option', { name: 'Hidden bed' })).not.toBeInTheDocument();

  window.location.hash = `#/compare?lines=${gone}:ph,${bed.id}:ec&range=8h`;
  await expect.element(page.getByText(/^This node no longer knows the device/)).toBeVisible();
  await page.getByRole('button', { name: 'Leave it out' }).click();
  await expect.poll(() => window.location.hash).not.toContain(gone);
});

import { expect, test } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import type { Answers } from '../scripts/fake-node/fake.ts';
import { type DeviceNotes, NO_NOTES } from '../src/shared/owner-data/notes.ts';
import { openPage } from './support/open-page.tsx';
import { chart, HOUR_MS, hoverAt, MINUTE_MS, openDevice, readings, readout } from './support/page-parts.ts';

/** São Paulo, three hours behind UTC all year. */
const ZONE_MS = 3 * HOUR_MS;
const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
const deviceOf = (name: string) =>
  new FakeDevice({ name, sent: readings({ count: 300, endAt: now, fields: ['ec', 'humidity'] }) });
const time = (ms: number) => new Date(ms).toISOString();
/** An hour with this time in its middle, as addresses have it. */
const hourAround = (at: number) => `from=${time(at - HOUR_MS / 2)}&to=${time(at + HOUR_MS / 2)}`;

const notes = page.getByRole('region', { name: 'Notes', exact: true });
const entries = notes.getByRole('listitem');
const dialog = page.getByRole('dialog');
const save = () => dialog.getByRole('button', { name: 'Save' }).click();

async function add(text: string, at: number, of?: string): Promise<void> {
  await notes.getByRole('button', { name: 'Add a note' }).click();
  await dialog.getByLabelText('What happened').fill(text);
  await dialog.getByLabelText('When, local time').fill(time(at - ZONE_MS).slice(0, 19));
  if (of !== undefined) await dialog.getByLabelText('Of', { exact: true }).selectOptions(of);
  await save();
  await expect.element(dialog).not.toBeInTheDocument();
}

/** How many pixels of a column of the plot, at a part of its width, have the colour of notes. */
function notePixels(group: Locator, part: number): number {
  const canvas = group.css('canvas').element() as HTMLCanvasElement;
  const plot = group.css('.u-over').element().getBoundingClientRect();
  const frame = canvas.getBoundingClientRect();
  const x = Math.round((plot.left - frame.left + plot.width * part) * (canvas.width / frame.width));
  const { data } = canvas.getContext('2d')!.getImageData(x - 1, 0, 3, canvas.height);
  let found = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i + 3]! > 200 && data[i]! < 80 && data[i + 1]! < 80 && data[i + 2]! < 90) found += 1;
  return found;
}

test('a note has one number in every chart and in the list, and can be changed and deleted; a device has notes too', async () => {
  const bed = deviceOf('Tomato bed');
  const { reload } = await openDevice(bed);
  await expect.element(notes).toContainText('No notes about this device yet.');
  await notes.getByRole('button', { name: 'Write about the device' }).click();
  await dialog.getByLabelText('About this device').fill('Pump replaced in spring.\nSpare in the shed.');
  await save();
  await expect.element(notes).toContainText('Spare in the shed.');
  const at = now - 2 * HOUR_MS;
  await add('Changed nutrients', at);
  await add('Cleaned the probe', now - HOUR_MS);
  await expect.poll(() => entries.elements()).toHaveLength(2);
  await expect.element(entries.first()).toContainText('2');
  await expect.element(entries.nth(1)).toContainText(/^1.*Changed nutrients$/);
  // The first note is in the middle of this range, the second is not in it.
  window.location.hash = `#/device/${bed.id}?${hourAround(at)}`;
  await expect.poll(() => entries.elements()).toHaveLength(1);
  for (const field of ['EC', 'Humidity']) {
    await expect.poll(() => notePixels(chart(field), 0.5)).toBeGreaterThan(20);
    expect(notePixels(chart(field), 0.7)).toBe(0);
  }
  await hoverAt(chart('EC'), 0.5);
  await expect.element(readout('EC')).toContainText('note 1: Changed nutrients');
  await hoverAt(chart('EC'), 0.6);
  await expect.element(readout('EC')).not.toContainText('Changed nutrients');
  await reload();
  await expect.element(entries).toContainText('Changed nutrients');
  await expect.element(notes).toContainText('Pump replaced in spring.');
  // Outside of the range it is listed without a number.
  await notes.getByText('All', { exact: true }).click();
  await expect.poll(() => entries.elements()).toHaveLength(2);
  await expect.element(entries.first()).toContainText(/^\w{3} .*Cleaned the probe$/);

  // It is deleted only after a second click.
  const entry = entries.filter({ hasText: 'Cleaned' });
  const change = () => entry.getByRole('button', { name: /^Change the note of / }).click();
  await change();
  await dialog.getByLabelText('What happened').fill('');
  await save();
  await expect.element(dialog).toContainText('Write what happened');
  await dialog.getByLabelText('What happened').fill('Cleaned both probes');
  await save();
  await expect.element(entry).toContainText('Cleaned both probes');
  await change();
  await dialog.getByRole('button', { name: 'Delete the note' }).click();
  await expect.element(entry).toBeInTheDocument();
  await dialog.getByRole('button', { name: 'Yes, delete it for good' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(entry).not.toBeInTheDocument();
});

test('a note is in the charts that compare its device, and in no others', async () => {
  const [fern, moss] = [deviceOf('Fern wall'), deviceOf('Moss wall')];
  const at = now - 2 * HOUR_MS;
  await openPage(`#/compare?${hourAround(at)}&lines=${fern.id}:ec`, { devices: [fern, moss] });
  await add('Changed nutrients', at, 'Fern wall');
  const panel = page.getByRole('group', { name: /^EC/ });
  await expect.poll(() => notePixels(panel, 0.5)).toBeGreaterThan(20);
  await hoverAt(panel, 0.5);
  await expect.element(page.css('figure figcaption')).toContainText('note 1: Changed nutrients');
  window.location.hash = `#/compare?${hourAround(at)}&lines=${moss.id}:ec`;
  await expect.element(page.css('[data-line]')).toContainText('Moss wall');
  await expect.element(notes).toContainText('No notes in the range of the charts');
  await expect.poll(() => notePixels(panel, 0.5)).toBe(0);
});

test('each form saves its own part of the notes on a device, and what another page saved meanwhile stays', async () => {
  const bed = deviceOf('Tomato bed');
  let fake: Answers | undefined;
  await openDevice(bed, '', {
    answers: (answers) => {
      fake = answers;
      return {};
    },
  });
  const kept = () => fake!.device({ id: bed.id }).notes;
  /** Clicks while another page saves, so this page can't know it yet. */
  const clickWhile = async (button: Locator, parts: Partial<DeviceNotes>) => {
    await expect.element(button).toBeVisible();
    fake!.setNotes({ id: bed.id, notes: { ...NO_NOTES, ...parts } });
    (button.element() as HTMLElement).click();
  };
  const units = { ec: { shown: 'millisiemens' } } as const;
  await page.getByRole('tab', { name: 'Device and network' }).click();
  await clickWhile(page.getByRole('button', { name: 'Hide', exact: true }), { displayName: 'Bed' });
  await expect.poll(kept).toMatchObject({ displayName: 'Bed', isHidden: true });
  await clickWhile(page.getByRole('button', { name: 'Show again' }), { isHidden: true, text: 'Under glass' });
  await expect.poll(kept).toMatchObject({ text: 'Under glass', isHidden: false });

  await notes.getByRole('button', { name: 'Write about the device' }).click();
  await dialog.getByLabelText('About this device').fill('Pump replaced');
  await clickWhile(dialog.getByRole('button', { name: 'Save' }), { units });
  await expect.poll(kept).toMatchObject({ text: 'Pump replaced', units });
});

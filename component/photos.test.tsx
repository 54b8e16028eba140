import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drawnJpeg } from '../scripts/drawn-jpeg.ts';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { addDays, dayOf } from '../src/shared/owner-data/days.ts';
import { readJpeg } from '../src/shared/photos/jpeg.ts';
import { PHOTO_BOUNDS } from '../src/shared/photos/photo-limits.ts';
import { type OpenedPage, openPage } from './support/open-page.tsx';
import { readings } from './support/page-parts.ts';

const ALL = { device: null, from: null, to: null };
const DAY_MS = 86_400_000;
/** The most that one call makes. */
const MOST_RANDOM_BYTES = 65_536;
const dialog = () => page.getByRole('dialog');
const choose = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const roof = () => new FakeDevice({ name: 'Roof', sent: readings({ count: 5, fields: ['ph'] }) });

/** A PNG of noise: of all pictures the one that takes most bytes. */
async function noise(width: number, height: number): Promise<File> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d')!;
  const image = context.createImageData(width, height);
  for (let at = 0; at < image.data.length; at += MOST_RANDOM_BYTES)
    crypto.getRandomValues(image.data.subarray(at, at + MOST_RANDOM_BYTES));
  for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
  context.putImageData(image, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return new File([blob!], 'leaf.png', { type: 'image/png' });
}

const drawn = (shade: number) => new File([drawnJpeg(8, 6, (column) => [shade, column * 20, 90])], 'leaf.jpg');
const hostile = (name: string, content: BlobPart) => new File([content], name, { type: 'image/jpeg' });

async function openObserved(): Promise<void> {
  await page.getByRole('button', { name: 'Log what you did at Roof' }).click();
  await choose('Observed');
}

/** Chooses files as the page's own file dialog would: to send megabytes to the browser from outside takes half a minute. */
async function pick(...files: File[]): Promise<void> {
  const field = page.getByLabelText('Photos of this entry').last();
  await expect.element(field).toBeInTheDocument();
  const chosen = new DataTransfer();
  for (const file of files) chosen.items.add(file);
  const input = field.element() as HTMLInputElement;
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** The list is of the range of the charts first, which ends with the newest reading. */
const listAll = () => page.getByRole('radiogroup', { name: 'Which notes are listed' }).getByText('All').click();

/** Writes entries with a photo each, that many days ago. */
async function withPhotos({ node }: OpenedPage, device: string, daysAgo: readonly number[]): Promise<void> {
  for (const days of daysAgo) {
    const bytes = new Uint8Array(await drawn(days * 8).arrayBuffer());
    const image = btoa(String.fromCharCode(...bytes));
    const added = await node.api.call('addPhoto', { image, preview: null });
    if (added.problem !== null) throw new Error(added.problem);
    const act = { kind: 'observed' as const, photos: [added.photo] };
    await node.api.call('writeJournalEntry', { id: null, device, at: Date.now() - days * DAY_MS, text: '', act });
  }
}

test('a large picture is made smaller, needs no text, is shown and can be removed', async () => {
  const device = roof();
  const opened = await openPage('#/', { devices: [device] });
  await openObserved();
  await pick(await noise(2100, 700));
  await expect.element(dialog().getByRole('img', { name: 'Photo 1' })).toBeVisible();
  await choose('Save');
  await expect.element(dialog()).not.toBeInTheDocument();
  const { entries } = await opened.node.api.call('journal', ALL);
  const [photo] = entries[0]!.act!.photos!;
  const { image } = await opened.node.api.call('photo', { photo: photo!.id, entry: entries[0]!.id, size: 'full' });
  const bytes = Uint8Array.from(atob(image!), (letter) => letter.charCodeAt(0));
  const { width, height } = readJpeg(bytes, PHOTO_BOUNDS) as { width: number; height: number };
  expect([width, height]).toEqual([photo!.width, photo!.height]);

  window.location.hash = `#/device/${device.id}`;
  await listAll();
  await page.getByRole('button', { name: /^Show the photo of/ }).click();
  await expect.element(dialog().getByRole('img', { name: /^Photo of/ })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: /^Change the note of/ }).click();
  await choose('Take out photo 1');
  await choose('Save');
  // Without the photo it says nothing.
  await expect.element(dialog().getByText('Write what happened')).toBeVisible();
  await dialog().getByLabelText('Anything else').fill('White roots');
  await choose('Save');
  await expect.element(dialog()).not.toBeInTheDocument();
  expect((await opened.node.api.call('journal', ALL)).entries[0]!.act).toEqual({ kind: 'observed' });
});

test('hostile files, a full node and a missing photo each have their reason, and the typed text stays', async () => {
  let isFull = false;
  const device = roof();
  const opened = await openPage('#/', {
    devices: [device],
    answers: (fake) => ({
      addPhoto: (input) => (isFull ? { problem: 'full' } : fake.addPhoto(input)),
      photo: () => ({ image: null }),
    }),
  });
  await openObserved();
  await dialog().getByLabelText('Anything else').fill('White roots');
  const cut = new Uint8Array(await drawn(9).arrayBuffer());
  const huge = cut.slice();
  const frame = huge.findIndex((byte, index) => byte === 0xff && huge[index + 1] === 0xc0);
  huge.set([0xff, 0xff, 0xff, 0xff], frame + 5);
  for (const [file, reason] of [
    [hostile('a.jpg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), /This is no photo/],
    [hostile('b.jpg', '<!doctype html><title>no photo</title>'), /This is no photo/],
    [hostile('c.jpg', huge), /too many pixels/],
    [hostile('d.jpg', cut.slice(0, frame + 40)), /can’t be read/],
    [hostile('e.jpg', new Uint8Array(41_000_000)), /too large/],
  ] as const) {
    await pick(file);
    await expect.element(dialog().getByText(reason)).toBeVisible();
  }
  isFull = true;
  await pick(drawn(1));
  await expect.element(dialog().getByText(/There is no room for more photos/)).toBeVisible();
  isFull = false;
  expect(await opened.node.api.call('photoSpace', {})).toMatchObject({ photos: 0 });
  await choose('Save');
  await expect.element(dialog()).not.toBeInTheDocument();
  expect((await opened.node.api.call('journal', ALL)).entries).toMatchObject([{ text: 'White roots' }]);

  await withPhotos(opened, device.id, [0]);
  window.location.hash = `#/device/${device.id}`;
  await listAll();
  await expect.element(page.getByText('The photo is missing')).toBeVisible();
});

test('the photos of a place are ordered by date, with the days since planting; their space has a limit', async () => {
  const device = roof();
  const opened = await openPage('#/', { devices: [device] });
  await withPhotos(opened, device.id, [2, 12, 7]);
  const today = dayOf(Date.now());
  await opened.node.api.call('writeCycle', {
    ...{ id: null, crop: 'Tomato', variety: '', place: { kind: 'device', device: device.id }, stages: [] },
    ...{ zone: new Intl.DateTimeFormat().resolvedOptions().timeZone, plantedAt: addDays(today, -10) },
    ...{ endedAt: null, plants: null, areaM2: null },
  });
  // The card shows the newest one.
  const [newest] = (await opened.node.api.call('photos', { devices: null, from: null, to: null })).photos.slice(-1);
  const { image } = await opened.node.api.call('photo', { photo: newest!.id, entry: newest!.entry, size: 'preview' });
  const onCard = page.getByRole('article').getByRole('listitem').css('img');
  await expect.element(onCard).toHaveAttribute('src', `data:image/jpeg;base64,${image}`);
  window.location.hash = `#/device/${device.id}`;
  await page.getByRole('button', { name: 'Timelapse: 3 photos' }).click();
  const caption = dialog().getByTestId('caption');
  await expect.element(dialog().getByText('1 of 3')).toBeVisible();
  await expect.element(caption).not.toContainText('Tomato');
  await choose('Next photo');
  await expect.element(caption).toContainText('Tomato, day 4');
  dialog().getByRole('slider').element().focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(dialog().getByText('3 of 3')).toBeVisible();
  await expect.element(caption).toContainText('Tomato, day 9');
  // From the end it plays from the start, and stops at the end.
  await choose('Play');
  await expect.element(dialog().getByText('2 of 3')).toBeVisible();
  await expect.element(dialog().getByText('3 of 3')).toBeVisible();
  await expect.element(dialog().getByRole('button', { name: 'Play' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();

  window.location.hash = '#/space';
  const card = page.getByRole('region', { name: 'Photos of the log' });
  await expect.element(card.getByText(/of 1\.0?7? ?GB|of 1\.1 GB/)).toBeVisible();
  await card.getByLabelText('Photos may take').selectOptions('5 GB');
  await expect.element(card.getByText(/of 5 GB/)).toBeVisible();
  expect((await opened.node.api.call('getSettings', {})).settings.photosMaxBytes.value).toBe(5e9);
});

import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import type { Answers } from '../scripts/fake-node/fake.ts';
import { NO_NOTES } from '../src/shared/owner-data/notes.ts';
import { cell, chart, expectTexts, hoverAt, openDevice, readings, readout } from './support/page-parts.ts';

// From 80 mm up to 139 mm: full is at 90 mm, empty at 130 mm.
const tank = new FakeDevice({ name: 'Tank', sent: readings({ count: 60, fields: ['waterLevel'] }) });
const withMarks = ({ id }: FakeDevice) => ({
  answers: (fake: Answers) => {
    const units = { waterLevel: { tank: { empty: 130, full: 90 } } };
    fake.setNotes({ id, notes: { ...NO_NOTES, units } });
    return {};
  },
});
const EMPTY = 'below the empty mark';
const FULL = 'above the full mark';

test('figures, chart, tables and comparison mark a level beyond the tank’s distances, uncut on a small screen', async () => {
  await openDevice(tank, 'range=1h', { ...withMarks(tank), width: 1440 });
  const lines = chart('Water level');
  await expectTexts(page.css('[data-stat="min"] dd, [data-stat="max"] dd'), [
    `0.0 % full (${EMPTY})`,
    `100.0 % full (${FULL})`,
  ]);
  await expect
    .element(lines)
    .toHaveAttribute('aria-label', expect.stringContaining(`Minimum 0.0 % full (${EMPTY}), maximum 100.0`));
  await hoverAt(lines, 0.99);
  await expect.element(readout('Water level')).toContainText(`0.0 % full (${EMPTY}) · `);
  await page.getByRole('button', { name: 'Water level as a table' }).click();
  const rows = page.getByRole('table', { name: 'Water level as a table' }).getByRole('row');
  await expect.element(rows.nth(1)).toContainText(new RegExp(`${EMPTY} 0\\.0$`));
  await expect.element(rows.last()).toContainText(new RegExp(`${FULL} 100\\.0$`));
  await expect.element(cell(1, 1)).toBeVisible();
  // How many columns come before it depends on the width of the machine's fonts.
  const headers = [...document.querySelectorAll('[role=grid] [role=columnheader]')];
  const level = cell(1, headers.findIndex(({ textContent }) => textContent.startsWith('Level')) + 1);
  await expect.element(level).toContainText(EMPTY);
  const mark = level.getByText(EMPTY).element().getBoundingClientRect();
  expect(mark.width).toBeGreaterThan(100);
  const { scrollWidth, clientWidth } = level.element();
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);

  window.location.hash = `#/compare?lines=${tank.id}:waterLevel&range=8h`;
  await expect
    .element(page.css(`[data-line="${tank.id}:waterLevel"]`))
    .toContainText(new RegExp(`0\\.0 % full \\(${EMPTY}\\).*100\\.0 % full \\(${FULL}\\)`));

  // On a small screen the text has a line of its own on the card.
  await page.viewport(390, 900);
  window.location.hash = `#/device/${tank.id}?range=1h&tab=readings`;
  const onCard = cell(1, 7).getByText(EMPTY);
  await expect.element(onCard).toBeVisible();
  await expect
    .poll(() => onCard.element().getBoundingClientRect().bottom - cell(1, 7).element().getBoundingClientRect().bottom)
    .toBeLessThanOrEqual(0);
});

test('a chart’s steps mark a level beyond the tank’s distances', async () => {
  const sent = readings({ count: 2400, everyMs: 1000, fields: ['waterLevel'] });
  const long = new FakeDevice({ name: 'Long tank', sent });
  await openDevice(long, 'range=24h', withMarks(long));
  await hoverAt(chart('Water level'), 0.985);
  await expect
    .element(readout('Water level'))
    .toContainText(new RegExp(`^[\\d.]+ % full · 0\\.0 \\(${EMPTY}\\) – 100\\.0 \\(${FULL}\\) · `));
});

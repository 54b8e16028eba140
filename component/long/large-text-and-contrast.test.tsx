import { expect, onTestFinished, test } from 'vitest';
import { cdp, page } from 'vitest/browser';
import { FakeDevice } from '../../scripts/fake-node/devices.ts';
import type { Answers } from '../../scripts/fake-node/fake.ts';
import { dayOf } from '../../src/shared/owner-data/days.ts';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { openPage } from '../support/open-page.tsx';
import { HOUR_MS, readings, sidewaysScroll } from '../support/page-parts.ts';

const greenhouse = new FakeDevice({ name: 'Greenhouse', sent: readings({ count: 120 }) });
const nursery = new FakeDevice({ name: 'Nursery', sent: readings({ count: 120, sealed: ['ph'] }) });
const barrel = new FakeDevice({ name: 'Rain barrel', sent: readings({ count: 20, endAt: Date.now() - 2 * HOUR_MS }) });
const devices = [greenhouse, nursery, barrel];
const HOUSE = { id: '00000000-0000-4000-8000-000000000001', name: 'North house', isCollapsed: false };

/** A tank, a task and a group. */
function withData(fake: Answers): Partial<Answers> {
  const units = { waterLevel: { tank: { empty: 300, full: 100 } } };
  fake.setNotes({ id: greenhouse.id, notes: { ...NO_NOTES, units } });
  fake.setOwnerChoices({ groups: [{ ...HOUSE, devices: devices.map(({ id }) => id) }] });
  const task = { id: null, everyDays: 30, device: greenhouse.id, title: 'Calibrate the sensor' };
  fake.writeTask({ ...task, due: dayOf(Date.now()) });
  return {};
}

/**
 * Elements with text of which a part is out of sight, such as a label that needs more lines than its button has. Less
 * than a third of a line is space around the letters.
 */
function cutTexts(): string[] {
  return [...document.querySelectorAll<HTMLElement>('button, button *, a, dt, dd, h1, h2, h3, td *, th *')]
    .filter((element) => element.closest('.visually-hidden, svg') === null && element.clientWidth > 2)
    .filter((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isWide = element.scrollWidth > element.clientWidth + 1;
      const isHigh = element.scrollHeight > element.clientHeight + 10;
      return overflowX !== 'visible' && textOverflow !== 'ellipsis' && (isWide || isHigh);
    })
    .map(({ textContent, className }) => `${textContent} (${className})`);
}

/** Numbers with a part of their digits on another line, which is another number. */
function brokenNumbers(): string[] {
  return [...document.querySelectorAll('main [class*=value] > [class*=number]')]
    .filter((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    })
    .map(({ textContent }) => textContent);
}

/** Links and buttons of the header that lie on each other. */
function overlaps(): string[] {
  const parts = [...document.querySelectorAll('header a, header button, header input')].filter(
    (each) => each.clientWidth > 2,
  );
  const boxes = parts.map((each) => each.getBoundingClientRect());
  return parts.flatMap((part, a) =>
    parts.slice(a + 1).flatMap((other, index) => {
      const [one, two] = [boxes[a]!, boxes[a + 1 + index]!];
      if (part.contains(other)) return [];
      const isApart = one.right <= two.left + 1 || two.right <= one.left + 1;
      return isApart || one.bottom <= two.top + 1 || two.bottom <= one.top + 1
        ? []
        : [`${part.textContent} × ${other.textContent}`];
    }),
  );
}

async function largeText(): Promise<void> {
  document.documentElement.style.fontSize = '200%';
  onTestFinished(() => {
    document.documentElement.style.fontSize = '';
  });
}

for (const width of [390, 1440]) {
  test(`with text of 200 % nothing is cut, on top of another, or wider than the window, ${width} px`, async () => {
    await largeText();
    const whole = async () => {
      await expect.poll(sidewaysScroll).toBe(0);
      await expect.poll(overlaps).toEqual([]);
      await expect.poll(brokenNumbers).toEqual([]);
      await expect.poll(cutTexts).toEqual([]);
    };
    const { reload } = await openPage('#/', { devices, width, answers: withData });
    const card = page.getByRole('article', { name: 'North house' });
    await expect.element(card).toContainText('Calibrate the sensor');
    await whole();
    localStorage.setItem('wellhouse.list', JSON.stringify({ view: 'cards' }));
    await reload();
    await expect.element(page.getByRole('article', { name: 'Greenhouse' })).toContainText('Calibrate the sensor');
    await whole();
    await page.getByRole('button', { name: 'Log what you did at Greenhouse' }).click();
    await expect.element(page.getByRole('dialog')).toContainText('Topped up');
    await whole();
    await page.getByRole('button', { name: 'Close' }).click();
    window.location.hash = `#/device/${nursery.id}`;
    await expect.element(page.getByRole('button', { name: 'Set ranges for a crop' })).toBeVisible();
    await whole();
    // The texts of a chart's axis grow too, and with them the room for them: 36 px with usual text.
    const heightOf = (part: string) => page.css(`main .uplot ${part}`).first().element().clientHeight;
    await expect.element(page.css('main .uplot .u-over').first()).toBeInTheDocument();
    expect(heightOf('.u-wrap') - heightOf('.u-over')).toBeGreaterThanOrEqual(72);
    await page.getByRole('button', { name: 'Set ranges for a crop' }).click();
    await expect.element(page.getByRole('dialog')).toContainText('Strawberry');
    await whole();
  });
}

/** Turns a media feature on for the page. */
async function emulate(name: string, value: string): Promise<void> {
  const send = (features: { name: string; value: string }[]) => cdp().send('Emulation.setEmulatedMedia', { features });
  await send([{ name, value }]);
  onTestFinished(async () => void (await send([])));
}
const styleOf = (selector: string) => getComputedStyle(page.css(selector).first().element());

test('with forced colours, states, choices and borders can be told apart without a background', async () => {
  await emulate('forced-colors', 'active');
  await openPage('#/', { devices: [...devices, new FakeDevice({ name: 'New', isNew: true })], answers: withData });
  await expect.element(page.css('main [data-wellness=needsYou]').first()).toBeInTheDocument();
  const canvas = getComputedStyle(document.body).backgroundColor;
  const filled = (state: string) => styleOf(`main [data-wellness=${state}]:empty, [data-wellness=${state}][title]`);
  expect(filled('needsYou').backgroundColor).not.toBe(canvas);
  expect(filled('waiting').backgroundColor).toBe('rgba(0, 0, 0, 0)');
  expect(filled('waiting').borderColor).not.toBe(canvas);
  expect(styleOf('main li[data-kind]').borderTopColor).not.toBe(canvas);
  window.location.hash = `#/device/${greenhouse.id}`;
  await expect.element(page.css('.mantine-SegmentedControl-indicator').first()).toBeVisible();
  expect(styleOf('.mantine-SegmentedControl-indicator').borderTopWidth).toBe('2px');
  expect(styleOf('nav a[aria-current]').outlineStyle).toBe('solid');
  await page.getByRole('button', { name: 'Edit notes' }).click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  expect(styleOf('.mantine-Modal-content').borderTopStyle).toBe('solid');
});

test('those who ask for more contrast get no grey text', async () => {
  await openPage('#/', { devices });
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  const grey = () => getComputedStyle(document.documentElement).getPropertyValue('--mantine-color-dimmed');
  expect(grey()).toBe('#565e66');
  await emulate('prefers-contrast', 'more');
  expect(grey()).toBe('#2b3137');
});

/** The elements that move or fade when they change. */
function moving(): string[] {
  return [...document.querySelectorAll('*')].flatMap((element) => {
    const { animationName, transitionDuration, transitionProperty } = getComputedStyle(element);
    const fades = transitionProperty !== 'none' && transitionDuration.split(', ').some((each) => each !== '0s');
    return animationName !== 'none' || fades ? [`${element.tagName} ${element.className}`] : [];
  });
}

test('those who ask for less motion get no transition and no animation', async () => {
  await openPage(`#/device/${greenhouse.id}`, { devices });
  await expect.element(page.css('.mantine-SegmentedControl-indicator').first()).toBeVisible();
  await emulate('prefers-reduced-motion', 'no-preference');
  await expect.poll(() => moving().length).toBeGreaterThan(0);
  await emulate('prefers-reduced-motion', 'reduce');
  await page.getByRole('button', { name: 'Edit notes' }).click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  expect(moving()).toEqual([]);
  expect(document.getAnimations()).toEqual([]);
});

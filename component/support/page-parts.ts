import i18next from 'i18next';
import { expect } from 'vitest';
import { type Locator, locators, page, userEvent } from 'vitest/browser';
import type { FakeDevice, SentReading } from '../../scripts/fake-node/devices.ts';
import { setLanguage } from '../../src/renderer/texts/setup.ts';
import type { FieldName } from '../../src/shared/protocol/fields.ts';
import type { Language } from '../../src/shared/texts/languages.ts';
import { type OpenedPage, type OpenOptions, openPage } from './open-page.tsx';

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** Finds elements without a role or name by a CSS selector. */
    css(selector: string): Locator;
  }
}
declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Checks that the text contains this, whatever its spaces and possible line breaks. */
    toContainText(expected: string | RegExp): R;
  }
}
const plain = (text: string | null): string =>
  (text ?? '')
    .replace(/[\u00ad\u200b]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
expect.extend({
  toContainText(element: Element | null, expected: string | RegExp) {
    const text = plain(element?.textContent ?? null);
    const pass = typeof expected === 'string' ? text.includes(expected) : expected.test(text);
    return { pass, message: () => `the text ${this.isNot ? 'holds' : 'lacks'} ${expected}: ${text}` };
  },
});
locators.extend({ css: (selector: string) => `css=${selector}` });

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns values of six fields at a minute, each with its own course. */
export function valuesAt(
  minute: number,
): Record<'ph' | 'ec' | 'waterLevel' | 'tempWater' | 'tempAmbient' | 'humidity', number> {
  const round = (value: number) => Number(value.toFixed(2));
  return {
    ph: round(6 + 0.5 * Math.sin(minute / 90)),
    ec: Math.round(1200 + 150 * Math.cos(minute / 140)),
    waterLevel: 80 + (minute % 60),
    tempWater: round(19 + 2 * Math.sin(minute / 200)),
    tempAmbient: round(22 + 5 * Math.sin(minute / 230)),
    humidity: round(60 - 8 * Math.sin(minute / 230)),
  };
}

/** The options of `readings`. */
export interface ReadingsOptions {
  readonly count: number;
  /** The milliseconds between two readings; a minute by default. */
  readonly everyMs?: number;
  /** The time of the last reading in Unix milliseconds; now by default. */
  readonly endAt?: number;
  /** The first sequence number; 1 by default. */
  readonly firstSeq?: number;
  /** Fields that are encrypted with key version 3. */
  readonly sealed?: readonly FieldName[];
  /** Fields that are sent; six by default. */
  readonly fields?: readonly FieldName[];
}

/** Returns readings at a regular interval, oldest first. Their values depend on the index, not on the time. */
export function readings(options: ReadingsOptions): SentReading[] {
  const { count, everyMs = MINUTE_MS, endAt = Date.now(), firstSeq = 1, sealed = [], fields } = options;
  return Array.from({ length: count }, (_, index) => {
    const values = Object.entries(valuesAt(index)) as [FieldName, number][];
    return {
      seq: firstSeq + index,
      at: endAt - (count - 1 - index) * everyMs,
      values: Object.fromEntries(values.filter(([name]) => fields?.includes(name) ?? true)),
      sealed,
      keyVersion: sealed.length > 0 ? 3 : 0,
    };
  });
}

/** Opens the page of a device, with a range such as `range=all`, and waits until its readings are there. */
export async function openDevice(device: FakeDevice, query = '', options: OpenOptions = {}): Promise<OpenedPage> {
  const opened = await openPage(`#/device/${device.id}${query && `?${query}`}`, { devices: [device], ...options });
  await expect.element(grid()).toBeVisible();
  return opened;
}

/**
 * Opens the choice of the table's columns on the page of a device without notes. It is hidden when its button is moved
 * out of view, so the charts and notes above must have been loaded.
 */
export async function openColumns(): Promise<void> {
  await expect.element(page.css('main [aria-busy=false]')).toBeVisible();
  await expect.element(page.getByText('No notes in the range of the charts.')).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
}

/** Returns the table of readings on a device's page. */
export const grid = (): Locator => page.css('[role=grid]');
/** Returns a cell of that table. Both numbers start at 1; row 1 is the newest reading. */
export const cell = (row: number, column: number): Locator =>
  page.css(`[role=grid] [role=row][aria-rowindex="${row + 1}"] [role=gridcell]:nth-child(${column})`);
/** Returns the newest value of a field at the head of a device's page. */
export const tile = (field: string): Locator =>
  page
    .css('header dl > div')
    .filter({ has: page.getByText(field, { exact: true }) })
    .css('dd');
/** Returns the group of a chart. Its name summarises the chart. */
export const chart = (field: string): Locator => page.getByRole('group', { name: new RegExp(`^${field} from `) });
/** Returns the buttons of ranges and steps above the charts. */
export const rangeBar = (): Locator => page.getByRole('group', { name: 'Time range of the charts' });
/** Returns the text of a field's chart for the place under the pointer. */
export const readout = (field: string): Locator =>
  page
    .css('figure')
    .filter({ has: page.getByRole('heading', { name: new RegExp(`^${field}`) }) })
    .css('figcaption > span[class*=readout]');
/** Returns the list of devices next to the page. */
export const deviceList = (): Locator => page.getByRole('navigation', { name: 'Devices', exact: true });
/** Returns the texts of all elements of a locator. */
export const textsOf = (locator: Locator): string[] => locator.elements().map(({ textContent }) => plain(textContent));

/** Waits until the elements of a locator have these texts, in this order. */
export const expectTexts = (locator: Locator, texts: readonly string[]) =>
  expect.poll(() => textsOf(locator)).toEqual(texts);

/** Moves the pointer over a chart, at a fraction of the plot's width. */
export async function hoverAt(group: Locator, part: number): Promise<void> {
  const plot = group.css('.u-over');
  await expect.element(plot).toBeVisible();
  const { width, height } = plot.element().getBoundingClientRect();
  await plot.hover({ position: { x: width * part, y: height / 2 } });
}

/** Switches the opened page to a language, and waits until it shows it. A page that is opened with one goes back. */
export async function showIn(language: Language): Promise<void> {
  await setLanguage(language);
  await expect.element(page.getByRole('button', { name: i18next.t('app:shell.skip') })).toBeInTheDocument();
}

/** Presses keys one after another, in the notation of `userEvent.keyboard`. */
export const press = (...keys: string[]) => userEvent.keyboard(keys.join(''));

/** Returns by how many pixels the page is too wide for its window. */
export function sidewaysScroll(): number {
  const areas = [document.scrollingElement!, ...document.querySelectorAll('main')];
  return Math.max(...areas.map((area) => area.scrollWidth - area.clientWidth));
}

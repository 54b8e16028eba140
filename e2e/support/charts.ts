import { expect, type Locator, type Page } from '@playwright/test';

/** Returns the group of a chart. Its name summarises the chart. */
export const chart = (page: Page, field: string) => page.getByRole('group', { name: new RegExp(`^${field} from `) });

/** Returns the buttons of ranges and steps above the charts. */
export const rangeBar = (page: Page) => page.getByRole('group', { name: 'Time range of the charts' });

/** Waits for the charts of a device, and shows those that a phone leaves out at first. */
export async function showAllCharts(page: Page): Promise<void> {
  const more = page.locator('[aria-labelledby="charts-title"] > button');
  // The charts of the previous page stay until these are loaded, and with them the lack of a button.
  await expect(async () => {
    if (await more.isVisible()) await more.click();
    await expect(page.locator('[aria-busy=false] .uplot canvas').nth(4)).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 60_000 });
}

/** Moves the pointer over a chart, at a fraction of the plot's width. */
export async function hoverAt(page: Page, locator: Locator, part: number): Promise<void> {
  await locator.scrollIntoViewIfNeeded();
  const plot = (await locator.locator('.u-over').boundingBox())!;
  await page.mouse.move(plot.x + plot.width * part, plot.y + plot.height / 2);
}

/** Returns the text of a chart for the place under the pointer. */
export const readout = (locator: Locator) =>
  locator.locator('xpath=ancestor::figure').locator('figcaption > span[class*=readout]');

/** Returns which columns of the plot's pixels have the line's own colour, from left to right. */
export async function drawnColumns(locator: Locator): Promise<boolean[]> {
  return (await drawnHeights(locator)).map((height) => height > 0);
}

/** Returns the fraction of each column of the plot's pixels that has the line's own colour, from left to right. */
export function drawnHeights(locator: Locator): Promise<number[]> {
  return locator.evaluate((element) => {
    const swatch = element.closest('figure')!.querySelector('figcaption span')!;
    const [r, g, b] = getComputedStyle(swatch).backgroundColor.match(/\d+/g)!.map(Number);
    const canvas = element.querySelector('canvas')!;
    const plot = element.querySelector('.u-over')!.getBoundingClientRect();
    const frame = canvas.getBoundingClientRect();
    const scale = canvas.width / frame.width;
    const [left, wide] = [Math.round((plot.left - frame.left) * scale), Math.round(plot.width * scale)];
    const { data } = canvas.getContext('2d')!.getImageData(left, 0, wide, canvas.height);
    return Array.from({ length: wide }, (_, x) => {
      let drawn = 0;
      for (let y = 0; y < canvas.height; y += 1) {
        const at = 4 * (y * wide + x);
        const off = Math.abs(data[at]! - r!) + Math.abs(data[at + 1]! - g!) + Math.abs(data[at + 2]! - b!);
        if (data[at + 3]! > 200 && off < 60) drawn += 1;
      }
      return drawn / Math.round(plot.height * scale);
    });
  });
}

/** Returns the number of rows of a chart's pixels that are a dotted line of a colour. */
export function dottedRows(locator: Locator, colour: string): Promise<number> {
  return locator.evaluate((element, hex) => {
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
    const canvas = element.querySelector('canvas')!;
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
    const isDrawn = (at: number): boolean => {
      const off = Math.abs(data[at]! - r) + Math.abs(data[at + 1]! - g) + Math.abs(data[at + 2]! - b);
      return data[at + 3]! > 80 && off < 60;
    };
    const rows = Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (__, x) => 4 * (y * width + x)).filter(isDrawn),
    );
    return rows.filter((drawn) => drawn.length > width / 8).length;
  }, colour);
}

/** Returns the number of a chart's pixels that have a pale form of a colour, like bands. */
export function palePixels(locator: Locator, colour: string): Promise<number> {
  return locator.evaluate((element, hex) => {
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
    const canvas = element.querySelector('canvas')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const off = Math.abs(data[at]! - r) + Math.abs(data[at + 1]! - g) + Math.abs(data[at + 2]! - b);
      if (data[at + 3]! > 10 && data[at + 3]! < 60 && off < 40) count += 1;
    }
    return count;
  }, colour);
}

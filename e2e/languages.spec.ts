import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { THOROUGH } from '../test/support/thorough.ts';
import { minutes, registered, send } from './support/devices.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openDevice, openOwner, test } from './support/owner-test.ts';

let device: SimulatedDevice;
const node = ownerNode(async (started) => {
  device = await registered(started, ['local', 'public'], { name: 'Tank' }, { location: 0x87a813b22ffffffn });
  await send(started, 'local', minutes(device, { count: 20, sealed: ['ph'] }));
  await send(started, 'local', [device.block({ seq: 21, timestamp: Date.now(), plain: { tempWater: 1234.5 } })]);
});

const LANGUAGES = [
  {
    code: 'pt-BR',
    name: 'Português (Brasil)',
    overview: 'Visão geral',
    readings: 'Leituras',
    value: '1.234,5',
    connect: 'Conectar um dispositivo',
  },
  {
    code: 'es',
    name: 'Español',
    overview: 'Resumen',
    readings: 'Lecturas',
    value: '1234,5',
    connect: 'Conectar un dispositivo',
  },
] as const;
/** The long run takes all. */
const TRIED = THOROUGH > 1 ? LANGUAGES : LANGUAGES.slice(0, 1);

async function choose(page: Page, name: string): Promise<void> {
  await page.locator('header').getByRole('button').last().click();
  await page.getByRole('menuitem', { name }).click();
}

/** Texts of the page that look like a key of the catalogue or an unfilled place in one. */
async function leftovers(page: Page): Promise<string[]> {
  const text = await page.locator('body').innerText();
  return (
    text.match(
      /\b(?:overview|device|chart|table|common|range|policy|notes|forget|readings|status)\.[a-zA-Z.]+|\{\{.*?\}\}/g,
    ) ?? []
  );
}

test('every page uses the chosen language with its numbers and dates, and remembers it', async ({ page }) => {
  await openOwner(page, node());
  for (const { code, name, value, readings } of TRIED) {
    await test.step(code, async () => {
      await page.goto(`${node().url('local')}/ui/#/`);
      await choose(page, name);
      await expect(page.locator('html')).toHaveAttribute('lang', code);
      await expect(page.getByRole('link', { name: 'Tank' }).last()).toBeVisible();
      await expect(page.getByTitle(`${value} °C`).last()).toBeVisible();
      await expect(page.getByText(/^(Overview|Readings received today|Any status|Connect a device)$/)).toHaveCount(0);
      expect(await leftovers(page)).toEqual([]);

      await page.goto(`${node().url('local')}/ui/#/device/${device.id}`);
      await expect(page.getByRole('grid', { name: readings })).toBeVisible();
      await expect(page.getByRole('heading', { name: readings })).toBeVisible();
      expect(await leftovers(page)).toEqual([]);
      await expect(page.getByText(/^(Readings|Charts|Identity|Privacy policy|Withheld|Columns|Export)$/)).toHaveCount(
        0,
      );

      await page.goto(`${node().url('local')}/ui/#/connect`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await leftovers(page)).toEqual([]);

      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('lang', code);
      await choose(page, 'English');
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
      await expect(page.getByRole('heading', { level: 1, name: 'Connect a device' })).toBeVisible();
    });
  }
});

test.describe('a browser that prefers Brazilian Portuguese', () => {
  test.use({ locale: 'pt-BR' });
  test('sees the page in it from the start', async ({ page }) => {
    await page.goto(`${node().url('local')}/ui/`);
    await expect(page.locator('html')).toHaveAttribute('lang', 'pt-BR');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/link/);
  });
});

test.describe('in a browser of the United Kingdom', () => {
  test.use({ locale: 'en-GB' });
  test('sees dates in its format, in local time', async ({ page }) => {
    await openDevice(page, node(), device.id);
    const range = page.getByRole('group', { name: 'Time range of the charts' });
    await expect(range).toContainText(/\d{1,2} [A-Z][a-z]{2,3} \d{4}/);
  });
});

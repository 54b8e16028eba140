import type { Page } from '@playwright/test';
import { call } from '../test/support/owner-client.ts';
import { complaints } from './support/axe.ts';
import { expect, openOwner, test } from './support/owner-test.ts';
import { listed, PhDevice, withoutRules, writeRule } from './support/ph-device.ts';

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Alerts/ });
const needs = (page: Page) => page.getByRole('region', { name: 'Needs you now' });

test('an alert appears at once, ends in the history, and is opened by a link', async ({ page, freshNode }) => {
  await test.step('a new alert appears at once in the header, the overview and the alerts page, and ends in the history', async () => {
    const basil = await PhDevice.on(freshNode, 'Basil bed');
    await writeRule(freshNode);
    await openOwner(page, freshNode);
    await expect(bell(page)).toHaveAccessibleName('Alerts');
    await expect(needs(page)).toHaveCount(0);

    await basil.send(5.1);
    await expect(bell(page)).toHaveAccessibleName('Alerts: 1 active');
    await expect(needs(page).getByRole('link', { name: 'pH of Basil bed is below 5.5' })).toBeVisible();
    const cell = page.getByRole('article', { name: 'Basil bed' }).locator('dd').first();
    await expect(cell).toContainText('5.10');
    await expect(cell.getByRole('img', { name: 'below the allowed range' })).toBeVisible();
    expect(await complaints(page)).toEqual([]);

    await needs(page).getByRole('button', { name: 'Acknowledge' }).click();
    await expect(needs(page)).toHaveCount(0);
    await expect(bell(page)).toHaveAccessibleName('Alerts');

    await bell(page).click();
    const item = listed(page);
    await expect(item).toContainText('pH of Basil bed is below 5.5');
    await expect(item).toContainText('now 5.10');
    await expect(item).toContainText('acknowledged');
    await basil.send(5.0);
    await basil.send(5.2);
    await expect(item).toContainText('worst 5.00');

    await basil.send(6);
    await expect(page.getByText('No active alerts')).toBeVisible();
    await page.getByRole('tab', { name: 'History' }).click();
    await expect(page.getByRole('region', { name: 'Earlier alerts' })).toContainText('pH of Basil bed is below 5.5');
    expect(await complaints(page)).toEqual([]);
  });
  await test.step('a link opens its alert, live or ended; an unknown one is reported', async () => {
    await withoutRules(freshNode);
    const basil = await PhDevice.on(freshNode, 'Fern bed');
    await writeRule(freshNode, { name: 'Lettuce', severity: 'critical' });
    await basil.send(5.1);
    await expect.poll(async () => (await call(freshNode.process, 'alerts', {})).alerts.length).toBe(1);
    const { id } = (await call(freshNode.process, 'alerts', {})).alerts[0]!;
    await openOwner(page, freshNode, `#/alerts/${id}`);
    const shown = page.getByRole('region', { name: 'Active now' });
    await expect(shown).toContainText('pH of Fern bed is below 5.5');
    await expect(shown).toContainText('Rule: Lettuce');
    await expect(shown.getByRole('img', { name: 'Critical' })).toBeVisible();
    expect(await complaints(page)).toEqual([]);
    await basil.send(6);
    await expect(page.getByRole('region', { name: 'Ended' })).toContainText('Lasted');
    await page.reload();
    await expect(page.getByRole('region', { name: 'Ended' })).toContainText('pH of Fern bed is below 5.5');
    await page.getByRole('link', { name: 'To Fern bed' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Fern bed' })).toBeVisible();
    await page.goto(`${freshNode.url('local')}/ui/#/alerts/0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11`);
    await expect(page.getByText('There is no such alert')).toBeVisible();
  });
});

import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { complaints } from '../support/complaints.ts';
import { card, dialog, GROUPS, groupOf, headings, openCardsOfDevices, openGroups } from '../support/groups.ts';
import { expectTexts, showIn, sidewaysScroll } from '../support/page-parts.ts';

test('groups and their dialog fit every width, and axe finds no error', async () => {
  await openCardsOfDevices([groupOf('Herbs', 1, [0, 2])], '#/', { width: 1440 });
  for (const width of [390, 768, 1024, 1440]) {
    await page.viewport(width, 900);
    await expectTexts(headings, ['Herbs', 'In no group']);
    await expect.poll(sidewaysScroll).toBe(0);
    if (width === 1440) expect(await complaints()).toEqual([]);
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByRole('button', { name: 'Groups', exact: true }).click();
    await expect.element(dialog.getByLabelText('Group of Basil')).toBeVisible();
    if (width === 390) expect(await complaints()).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    // The menu, too, is gone.
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  }
});

test('cards of groups fit every width in each language, and axe finds no error', async () => {
  await openGroups(GROUPS, '#/', { width: 1440, language: 'en' });
  for (const language of ['en', 'pt-BR', 'es'] as const) {
    await showIn(language);
    for (const width of [1440, 390]) {
      await page.viewport(width, 900);
      await expect.element(card('Leaves').getByRole('row', { name: /Endive/ })).toBeVisible();
      await expect.poll(sidewaysScroll).toBe(0);
      const wide = () => card('Leaves').element().scrollWidth - card('Leaves').element().clientWidth;
      await expect.poll(wide).toBe(0);
      if (language === 'en') expect(await complaints(), `${width}`).toEqual([]);
    }
  }
});

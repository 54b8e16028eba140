import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../../scripts/fake-node/devices.ts';
import { openPage } from '../support/open-page.tsx';
import { cell, readings, showIn, sidewaysScroll } from '../support/page-parts.ts';

const old = new FakeDevice({ name: 'Old', sent: readings({ count: 30, endAt: Date.UTC(2019, 11, 30, 23, 59, 59) }) });
test('shows the actions of a row and whole times of another year, in each language', async () => {
  await openPage(`#/device/${old.id}?range=all`, { devices: [old], language: 'en', width: 900 });
  for (const language of ['en', 'pt-BR', 'es'] as const) {
    await showIn(language);
    for (const width of [900, 1600]) {
      await page.viewport(width, 900);
      await expect.element(cell(2, 1)).toBeVisible();
      await expect
        .element(page.css('[aria-rowindex="3"] [data-column=time] [title]'))
        .toHaveAttribute('title', expect.stringMatching('2019'));
      const cells = () => page.css('[aria-rowindex="3"] [role=gridcell]').elements();
      const frame = () => cells()[1]!.closest('[role=grid]')!.parentElement!.getBoundingClientRect();
      const cut = () => cells()[1]!.scrollWidth - cells()[1]!.clientWidth;
      await expect.poll(cut, { message: `${language}: cut at ${width} pixels` }).toBeLessThanOrEqual(0);
      for (const at of [-2, -1]) {
        const beyond = () => cells().at(at)!.getBoundingClientRect().right - frame().right;
        await expect.poll(beyond, { message: `${language}: action ${at} at ${width} pixels` }).toBeLessThanOrEqual(0.5);
      }
      await expect.poll(sidewaysScroll).toBe(0);
    }
  }
});

import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { devices, openTable } from '../support/overview.ts';
import { showIn } from '../support/page-parts.ts';

/** Returns whether a text is wider than its box. */
const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth + 1;

test('a narrow window cuts no description in the table and no owner’s name beside a page, in each language', async () => {
  await openTable({ language: 'en', width: 900 });
  for (const language of ['en', 'pt-BR', 'es'] as const) {
    await showIn(language);
    const cells = page.getByRole('cell').filter({ has: page.getByRole('link') });
    await expect.element(cells.filter({ hasText: 'Attic tank' })).toBeVisible();
    const cut = cells.elements().flatMap((cell) => {
      const badges = cell.lastElementChild!;
      const room = badges.getBoundingClientRect();
      // Each that stands in the line as a whole; of the last, its drawing.
      const parts = [...badges.children].map((part) => part.querySelector('svg') ?? part);
      return parts
        .filter((part) => isCut(part) || part.getBoundingClientRect().right > room.right + 0.5)
        .map((part) => `${cell.textContent}: ${part.textContent}`);
    });
    expect(cut, language).toEqual([]);
  }
  window.location.hash = `#/device/${devices[0]!.id}`;
  for (const language of ['en', 'pt-BR', 'es'] as const) {
    await showIn(language);
    const item = page.css('nav[data-devices] li').filter({ hasText: 'Stranger’s pump' });
    await expect.element(item).toBeVisible();
    const cut = item.css('span:not(.visually-hidden)').elements().filter(isCut);
    expect(
      cut.map(({ textContent }) => textContent),
      language,
    ).toEqual([]);
  }
});

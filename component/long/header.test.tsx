import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../../scripts/fake-node/devices.ts';
import { keystoreOf, openWithKeystore, typePassphrase } from '../support/kept-keys.ts';
import { readings, showIn } from '../support/page-parts.ts';

/** A hint of the search that is whole, in pixels: about 30 letters, the icon before and the key behind them. */
const WHOLE_HINT_PX = 190;

test('the search has room beside everything else at 768 pixels, in each language', async () => {
  const wall = new FakeDevice({ name: 'Fern wall', sent: readings({ count: 5 }) });
  await openWithKeystore(await keystoreOf([]), '#/', [wall], { width: 768, language: 'en' });
  // Open keys have one more button.
  await page.css('header a[href="#/keys"] + button').click();
  await typePassphrase();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  for (const language of ['en', 'pt-BR', 'es'] as const) {
    await showIn(language);
    const search = page.getByRole('searchbox').element();
    expect(search.getBoundingClientRect().width, language).toBeGreaterThan(WHOLE_HINT_PX);
    const header = page.getByRole('banner').first().element();
    expect(header.scrollWidth - header.clientWidth, language).toBe(0);
    // What lost its words keeps its name.
    const connect = page.getByRole('banner').first().css('a[href="#/connect"]');
    await expect.element(connect).toHaveAccessibleName(expect.stringMatching(/\w+ \w+/));
  }
});

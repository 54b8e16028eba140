import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { bytesToBase64 } from '../src/shared/crypto/base64.ts';
import { createKeystore } from '../src/shared/crypto/keystore/keystore.ts';
import { emptyContents } from '../src/shared/crypto/keystore/keystore-contents.ts';
import { openPage } from './support/open-page.tsx';

test('the header shows a locked keystore by one padlock, beside a key', async () => {
  const { bytes } = await createKeystore('a long passphrase', emptyContents(), { cost: { n: 2 ** 15, r: 8, p: 1 } });
  await openPage('#/', {
    answers: { readKeystore: () => ({ blob: bytesToBase64(bytes), previous: null, revision: '00'.repeat(32) }) },
  });
  const unlock = page.getByRole('banner').getByRole('button', { name: 'Unlock the keys' });
  await expect.element(unlock).toBeVisible();
  const link = page.getByRole('banner').getByRole('link', { name: /^Keys/ });
  const drawn = (element: Element) => element.querySelector('svg')!.innerHTML;
  expect(drawn(link.element())).not.toBe(drawn(unlock.element()));
});

import { MantineProvider } from '@mantine/core';
import i18next from 'i18next';
import { type FormEvent, useState } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import { NewPassphrase } from '../src/renderer/keys/inputs/passphrase.tsx';
import { bytesToBase64 } from '../src/shared/crypto/base64.ts';
import { createKeystore } from '../src/shared/crypto/keystore/keystore.ts';
import { emptyContents } from '../src/shared/crypto/keystore/keystore-contents.ts';
import { openPage } from './support/open-page.tsx';

test('the header shows a locked keystore by one padlock, beside a key', async () => {
  const { bytes } = await createKeystore('a long passphrase', emptyContents());
  await openPage('#/', {
    answers: { readKeystore: () => ({ blob: bytesToBase64(bytes), previous: null, revision: '00'.repeat(32) }) },
  });
  const unlock = page.getByRole('banner').getByRole('button', { name: 'Unlock the keys' });
  await expect.element(unlock).toBeVisible();
  const link = page.getByRole('banner').getByRole('link', { name: /^Keys/ });
  const drawn = (element: Element) => element.querySelector('svg')!.innerHTML;
  expect(drawn(link.element())).not.toBe(drawn(unlock.element()));
});

/** A form as those that ask for a new passphrase have it: its button is disabled until one is chosen. */
function PassphraseForm({ onSend }: { onSend: (passphrase: string) => void }) {
  const [passphrase, setPassphrase] = useState<string | null>(null);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    onSend(passphrase!);
  };
  return (
    <MantineProvider>
      <form onSubmit={send}>
        <NewPassphrase onChosen={setPassphrase} />
        <button type="submit" disabled={passphrase === null}>
          Send
        </button>
      </form>
    </MantineProvider>
  );
}

test.each([
  ['green house pump well under orchard', true],
  ['aaaaaaaaaaaaaaaaaa', false],
])('Enter before the strength of %s is known waits for it', async (passphrase, isSent) => {
  const sent: string[] = [];
  await i18next.loadNamespaces('keys');
  await render(<PassphraseForm onSend={(each) => sent.push(each)} />);
  onTestFinished(cleanup);
  await page.getByLabelText('New passphrase').fill(passphrase);
  await page.getByLabelText('Repeat it').fill(passphrase);
  // On a quick machine the strength may be known by now, which is as good.
  await userEvent.keyboard('{Enter}');
  if (isSent) await expect.poll(() => sent).toEqual([passphrase]);
  else {
    await expect.element(page.getByText('Too weak', { exact: false })).toBeVisible();
    expect(sent).toEqual([]);
  }
});

/** Types into a field as one event does, without waiting for the page. */
function typeAtOnce(label: string, text: string): HTMLInputElement {
  const field = page.getByLabelText(label).element() as HTMLInputElement;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, text);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  return field;
}

test('Enter before the strength is known is not handled by the browser too', async () => {
  const sent: string[] = [];
  await i18next.loadNamespaces('keys');
  await render(<PassphraseForm onSend={(each) => sent.push(each)} />);
  onTestFinished(cleanup);
  await expect.element(page.getByLabelText('Repeat it')).toBeVisible();
  const passphrase = 'green house pump well under orchard';
  typeAtOnce('New passphrase', passphrase);
  const field = typeAtOnce('Repeat it', passphrase);
  // The page shows what was typed after this turn, and knows the strength later.
  await Promise.resolve();
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
  field.dispatchEvent(enter);
  expect(enter.defaultPrevented).toBe(true);
  await expect.poll(() => sent).toEqual([passphrase]);
});

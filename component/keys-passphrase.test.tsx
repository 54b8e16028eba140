import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { openKeys, openLocked, PASSPHRASE, PHRASE, phraseSecret, typePassphrase } from './support/kept-keys.ts';
import { openPage } from './support/open-page.tsx';
import { press } from './support/page-parts.ts';

const kept = () => [phraseSecret(PHRASE, 'Kept')];
const card = page.getByRole('article', { name: 'Kept' });
const LOCK = '{Control>}{Shift>}L{/Shift}{/Control}';

test('a weak passphrase gets a warning; a short or mistyped one is refused', async () => {
  await openPage('#/keys');
  const first = page.getByLabelText('New passphrase', { exact: true });
  const second = page.getByLabelText('Repeat it', { exact: true });
  const make = page.getByRole('button', { name: 'Make the keystore' });
  await first.fill('short');
  await second.fill('short');
  await expect.element(make).toBeDisabled();
  await first.fill('password');
  await expect.element(page.getByText('Too weak: easily guessed')).toBeVisible();
  await second.fill('password');
  await expect.element(make).toBeDisabled();
  await second.fill('passwork');
  await expect.element(page.getByText('The passphrases differ')).toBeVisible();
  await expect.element(make).toBeDisabled();
  await first.fill(`${PASSPHRASE} under stone`);
  await expect.element(page.getByText('Strong', { exact: true })).toBeVisible();
});

test('the keys unlock on any page and stay locked over a reload; settings say when they lock; the passphrase changes', async () => {
  const opened = await openLocked(kept(), '#/');
  const banner = page.getByRole('banner');
  await banner.getByRole('button', { name: 'Unlock the keys' }).click();
  const dialog = page.getByRole('dialog', { name: 'Unlock your keys' });
  await expect.element(dialog.getByLabelText('Passphrase', { exact: true })).toHaveFocus();
  await press(`${PASSPHRASE}{Enter}`);
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(banner.getByRole('button', { name: 'Lock the keys' })).toBeVisible();

  window.location.hash = '#/settings';
  const after = page.getByRole('combobox', { name: 'Lock the keys after' });
  await after.selectOptions('After 30 idle minutes');
  await expect.element(after).toHaveValue('30');
  await press(LOCK);
  await expect.element(banner.getByRole('button', { name: 'Unlock the keys' })).toBeVisible();
  await expect.element(page.getByText('The keys are locked.')).toBeVisible();
  await expect.element(after).not.toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: 'Settings of the keys' })).toHaveAttribute('href', '#/keys');
  await page.getByRole('main').getByRole('button', { name: 'Unlock the keys' }).click();
  await typePassphrase();
  await expect.element(after).toHaveValue('30');
  await press(LOCK);
  await expect.element(banner.getByRole('button', { name: 'Unlock the keys' })).toBeVisible();
  await opened.reload();
  await expect.element(banner.getByRole('button', { name: 'Unlock the keys' })).toBeVisible();

  // After a change of the passphrase the old one no longer opens the file.
  window.location.hash = '#/keys';
  await typePassphrase();
  await page.getByRole('button', { name: 'Change the passphrase' }).click();
  const change = page.getByRole('dialog', { name: 'Change the passphrase' });
  const next = 'another set of words entirely';
  await change.getByLabelText('Current passphrase').fill('not the passphrase');
  await change.getByLabelText('New passphrase', { exact: true }).fill(next);
  await change.getByLabelText('Repeat it', { exact: true }).fill(next);
  await change.getByRole('button', { name: 'Change', exact: true }).click();
  await expect.element(change.getByRole('alert')).toContainText('Wrong passphrase');
  await change.getByLabelText('Current passphrase').fill(PASSPHRASE);
  await change.getByRole('button', { name: 'Change', exact: true }).click();
  await expect.element(change).not.toBeInTheDocument();
  await press(LOCK);
  await typePassphrase();
  await expect.element(page.getByRole('alert').first()).toContainText('Wrong passphrase');
  await typePassphrase(next);
  await expect.element(card).toBeVisible();
});

test('the keys lock after the chosen idle time, but not while the page is used, and after the machine slept', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const ended = vi.spyOn(Worker.prototype, 'terminate');
  onTestFinished(() => {
    vi.useRealTimers();
    ended.mockRestore();
  });
  const locked = async (why: string) => {
    await expect.element(page.getByRole('heading', { name: 'Unlock your keys' })).toBeVisible();
    await expect.element(page.getByText(why, { exact: false })).toBeVisible();
    expect(ended).toHaveBeenCalled();
  };
  const lockAfter = async (option: string, value: string) => {
    await page.getByLabelText('Lock automatically').selectOptions(option);
    await expect.element(page.getByLabelText('Lock automatically')).toHaveValue(value);
    ended.mockClear();
  };
  const MINUTE_MS = 60_000;
  await openKeys(kept());
  await expect.element(card).toBeVisible();
  await lockAfter('After 5 idle minutes', '5');
  vi.advanceTimersByTime(4.5 * MINUTE_MS);
  window.dispatchEvent(new PointerEvent('pointermove'));
  vi.advanceTimersByTime(4.5 * MINUTE_MS);
  await expect.element(card).toBeVisible();
  expect(ended).not.toHaveBeenCalled();
  vi.advanceTimersByTime(40_000);
  await locked('after a time without use');
  await typePassphrase();
  await expect.element(card).toBeVisible();
  await lockAfter('Never', '0');
  vi.advanceTimersByTime(10 * MINUTE_MS);
  await expect.element(card).toBeVisible();
  expect(ended).not.toHaveBeenCalled();
  // As when the lid was closed: the timers of the time between never run.
  vi.setSystemTime(Date.now() + 10 * MINUTE_MS);
  vi.advanceTimersByTime(5000);
  await locked('because this computer slept');
});

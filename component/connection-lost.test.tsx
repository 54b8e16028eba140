import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from './support/open-page.tsx';

test('without the node no device is called online, and the page says since when the state is unknown', async () => {
  const { connect } = await openPage('#/', { devices: 2 });
  const list = page.getByRole('list', { name: 'Your devices' });
  await expect.element(list.getByText(/^Online$/).first()).toBeVisible();
  connect(false);
  await expect.element(list.getByText(/^Unknown since .+ ago$/).first()).toBeVisible();
  await expect.element(page.getByText(/^Online$/)).not.toBeInTheDocument();
  const age = () =>
    list
      .getByText(/^Unknown since/)
      .first()
      .element().textContent;
  const before = age();
  await expect.poll(age).not.toBe(before);
  connect(true);
  await expect.element(list.getByText(/^Online$/).first()).toBeVisible();
});

test('without the node the page does not say that there are no notes', async () => {
  const { connect } = await openPage('#/', { devices: 2 });
  await page.getByRole('article').getByRole('link').first().click();
  await expect.element(page.getByText('No notes in the range of the charts.')).toBeVisible();
  connect(false);
  await page.getByText('7 d', { exact: true }).first().click();
  await expect.element(page.getByText('The notes can’t be shown: the node is not reachable.')).toBeVisible();
  await expect.element(page.getByText('No notes in the range of the charts.')).not.toBeInTheDocument();
});

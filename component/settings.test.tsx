import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { settingsViewOf } from '../scripts/fake-node/views.ts';
import { openPage } from './support/open-page.tsx';
import { textsOf } from './support/page-parts.ts';

test('the settings page starts with units and language, and ends with ports', async () => {
  await openPage('#/settings');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  const headings = () => textsOf(page.getByRole('heading', { level: 2 }));
  await expect.poll(headings).toContain('Endpoints');
  expect(headings().slice(0, 2)).toEqual(['Units', 'This view']);
  expect(headings().indexOf('Endpoints')).toBeGreaterThan(headings().indexOf('Data'));
});

test('the settings page reports an edited settings file, with the settings that need a restart', async () => {
  const view = settingsViewOf({}, 'http://127.0.0.1:3001');
  await openPage('#/settings', {
    answers: { getSettings: () => ({ ...view, file: { ...view.file, edited: ['publicPort'] } }) },
  });
  await expect.element(page.getByText('Restart the node to apply: publicPort.', { exact: false })).toBeVisible();
});

test.each([true, false])('the app offers a start at login if the system supports it: %s', async (applies) => {
  const view = settingsViewOf({}, 'http://127.0.0.1:3001');
  const { closeBehaviour, startAtLogin } = view.settings;
  const settings = {
    ...view.settings,
    closeBehaviour: { ...closeBehaviour, applies: true },
    startAtLogin: { ...startAtLogin, applies },
  };
  await openPage('#/settings', { answers: { getSettings: () => ({ ...view, ownerView: 'desktop', settings }) } });
  await expect.element(page.getByRole('combobox', { name: 'Closing the window' })).toBeVisible();
  expect(page.getByText('Start at login', { exact: true }).elements()).toHaveLength(applies ? 1 : 0);
  expect(page.getByRole('switch', { name: 'Start at login' }).elements()).toHaveLength(applies ? 1 : 0);
});

test('language and theme are in the menus only, not among the node’s settings', async () => {
  let written = 0;
  const opened = await openPage('#/settings', {
    language: 'en',
    answers: (fake) => ({
      setSettings: (input) => {
        written += 1;
        return fake.setSettings(input);
      },
    }),
  });
  await page.getByRole('radiogroup', { name: 'Light or dark' }).getByText('Dark', { exact: true }).click();
  await expect.poll(() => document.documentElement.dataset.mantineColorScheme).toBe('dark');
  await page.getByRole('button', { name: 'Light or dark' }).click();
  const chosen = page.getByRole('menuitem', { name: /Dark/ }).getByRole('img', { name: 'chosen' });
  await expect.element(chosen).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('combobox', { name: 'Language' }).selectOptions('pt-BR');
  const heading = page.getByRole('heading', { level: 1, name: 'Configurações' });
  await expect.element(heading).toBeVisible();
  await opened.reload();
  await expect.element(heading).toBeVisible();
  expect(document.documentElement.dataset.mantineColorScheme).toBe('dark');
  expect(localStorage.getItem('wellhouse.language')).toContain('pt-BR');
  expect(written).toBe(0);
});

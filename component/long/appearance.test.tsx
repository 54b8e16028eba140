import { expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { FakeDevice } from '../../scripts/fake-node/devices.ts';
import { settingsViewOf } from '../../scripts/fake-node/views.ts';
import { complaints, inBothSchemes } from '../support/complaints.ts';
import { openPage } from '../support/open-page.tsx';
import { grid, readings } from '../support/page-parts.ts';

// What the walk of all pages (e2e/layout.spec.ts) does not come to, by what opens it.

/** The sections and dialogs that a device’s page shows on demand, one after the other. */
const OF_DEVICE: Readonly<Record<string, () => Promise<Locator | undefined>>> = {
  map: async () => {
    await page.getByRole('tab', { name: 'Device and network' }).click();
    const location = page.getByRole('region', { name: 'Location', exact: true });
    await expect.element(location).toBeInTheDocument();
    location.element().scrollIntoView();
    await expect.element(page.getByRole('img', { name: /^Map with the cell/ })).toBeVisible();
    return location;
  },
  'a chart as a table': async () => {
    await page.getByRole('button', { name: 'Humidity as a table' }).click();
    await expect.element(page.getByRole('table', { name: 'Humidity as a table' })).toBeVisible();
    return page.getByRole('region', { name: 'Humidity as a table' });
  },
  'raw JSON': async () => {
    await page.getByRole('button', { name: 'Show reading 12 as JSON' }).click();
    await expect.element(page.getByRole('dialog', { name: 'Reading 12' })).toBeVisible();
    return undefined;
  },
  notes: async () => {
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await expect.element(page.getByRole('dialog', { name: 'Notes on this device' })).toBeVisible();
    return undefined;
  },
  units: async () => {
    await page.getByRole('button', { name: 'Units and tank' }).click();
    await expect.element(page.getByRole('dialog', { name: 'Units and tank' })).toBeVisible();
    return undefined;
  },
  export: async () => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('radio', { name: /time range/ }).click();
    await expect.element(page.getByRole('button', { name: 'Everything' })).toBeVisible();
    return undefined;
  },
  forget: async () => {
    await page.getByRole('tab', { name: 'Device and network' }).click();
    await page.getByRole('button', { name: 'Forget in the private store' }).click();
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /Yes, delete/ })
      .click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect.element(page.getByRole('button', { name: 'Forget for good' })).toBeVisible();
    return undefined;
  },
};

/** Checks a part of the page, or what is open, in both schemes. */
const checkBoth = (name: string, part?: Locator) =>
  inBothSchemes(async (scheme) => expect.soft(await complaints(scheme, part), `${name} ${scheme}`).toEqual([]));

test('axe finds nothing serious on a first run, light and dark', async () => {
  await openPage('#/', { devices: 0 });
  await expect.element(page.getByRole('button', { name: /^Just show me/ })).toBeVisible();
  await checkBoth('first run', page.getByRole('main'));
});

test('axe finds nothing serious where the search finds nothing, light and dark', async () => {
  await openPage('#/');
  await page.getByLabelText('Search devices').fill('nothing like that');
  await expect.element(page.getByRole('heading', { name: /^No device matches/ })).toBeVisible();
  await checkBoth('nothing found');
});

test('axe finds nothing serious in what the settings show on demand, light and dark', async () => {
  const view = settingsViewOf({ publicEnabled: false }, 'http://127.0.0.1:3001');
  await openPage('#/settings', { answers: { getSettings: () => view } });
  await page.getByRole('switch', { name: 'Public endpoint' }).click({ force: true });
  await expect.element(page.getByRole('button', { name: 'Turn it on' })).toBeVisible();
  await checkBoth('the public endpoint is asked about');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Show…' }).click();
  await expect.element(page.getByRole('button', { name: 'Save as a zip' })).toBeVisible();
  await checkBoth('diagnostics');
});

test('axe finds nothing serious on a device’s page, light and dark', async () => {
  const device = new FakeDevice({
    name: 'Greenhouse',
    sent: readings({ count: 12, everyMs: 300_000, sealed: ['ec'], fields: ['ec', 'waterLevel', 'humidity'] }),
    stores: ['private', 'public'],
  });
  await openPage(`#/device/${device.id}?range=1h`, { devices: [device] });
  await expect.element(grid()).toBeVisible();
  for (const [name, show] of Object.entries(OF_DEVICE)) {
    const part = await show();
    await checkBoth(name, part);
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  }
});

import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import type { Answers } from '../scripts/fake-node/fake.ts';
import { settingsViewOf } from '../scripts/fake-node/views.ts';
import type { NodeState, StartProblem } from '../src/shared/node-state.ts';
import type { Input } from '../src/shared/owner-api/contract.ts';
import type { SettingsView } from '../src/shared/owner-api/settings.ts';
import { complaints } from './support/complaints.ts';
import { fakeDesktop } from './support/fake-desktop.ts';
import { openPage } from './support/open-page.tsx';
import './support/page-parts.ts';

// What the desktop app's page shows while no node runs. What the app then does is proven in
// test/lifecycle/node-host.test.ts.

const RUNNING: NodeState = { state: 'running', localUrl: 'http://127.0.0.1:3001', publicUrl: null };
const PORT: StartProblem = {
  kind: 'port',
  listener: 'local',
  port: 3001,
  reason: 'taken',
  holder: { pid: 4711, name: 'node', wellhouse: null },
  message: 'port 3001 is in use',
};
const FOLDER: StartProblem = {
  kind: 'folder',
  path: '/media/disk/water',
  reason: 'missing',
  detail: null,
  message: 'no data in /media/disk/water; DATA_DIR names it',
};

beforeEach(() => fakeDesktop.reset());

const live = () => expect.element(page.getByText('Live', { exact: true })).toBeVisible();
const heading = (name: string) => expect.element(page.getByRole('heading', { level: 1, name })).toBeVisible();
const retry = page.getByRole('button', { name: 'Try again' });

/** The page of an app whose node did not start. */
function openFailed(problem: StartProblem, answers: Partial<Answers> | ((fake: Answers) => Partial<Answers>) = {}) {
  fakeDesktop.state = { state: 'failed', problem };
  return openPage('#/', { answers });
}

/** The same; what the page sets is listed, and the node then runs. */
async function openSetting(problem: StartProblem): Promise<Input<'setSettings'>['change'][]> {
  const changes: Input<'setSettings'>['change'][] = [];
  await openFailed(problem, (fake) => ({
    setSettings: (input) => {
      changes.push(input.change);
      fakeDesktop.become(RUNNING);
      return fake.setSettings(input);
    },
  }));
  return changes;
}

/** The settings with one of them set by its variable. */
function pinned(name: 'localPort' | 'dataDir'): SettingsView {
  const view = settingsViewOf({}, 'http://127.0.0.1:3001');
  return { ...view, settings: { ...view.settings, [name]: { ...view.settings[name], source: 'environment' } } };
}

test('the start page names the program that holds a taken port, and another port can be chosen', async () => {
  const changes = await openSetting(PORT);
  await heading('Port 3001 can’t be used');
  await expect.element(page.getByRole('alert')).toContainText('process 4711');
  fakeDesktop.startNode = () => fakeDesktop.state;
  await retry.click();
  await expect.poll(() => fakeDesktop.calls).toContain('startNode');
  const field = page.getByRole('textbox', { name: 'Another port for the local endpoint' });
  const use = page.getByRole('button', { name: 'Use this port' });
  await field.fill('no port');
  await use.click();
  await expect.element(page.getByText('A whole number from 1 to 65535')).toBeVisible();
  expect(changes).toEqual([]);
  await field.fill('4001');
  await use.click();
  await live();
  expect(changes).toEqual([{ localPort: 4001 }]);
});

test('the start page names the variable that sets a taken port', async () => {
  await openFailed(PORT, { getSettings: () => pinned('localPort') });
  await heading('Port 3001 can’t be used');
  const why = 'LOCAL_PORT was set when the node was started, and takes precedence.';
  await expect.element(page.getByText(why)).toBeVisible();
  expect(page.getByRole('textbox').elements()).toEqual([]);
  expect(page.getByRole('button', { name: 'Use this port' }).elements()).toEqual([]);
  await expect.element(retry).toBeVisible();
});

test('the node can start without a taken public port', async () => {
  const changes = await openSetting({ ...PORT, listener: 'public', port: 3000 });
  await page.getByRole('button', { name: 'Start with the public endpoint off' }).click();
  await live();
  expect(changes).toEqual([{ publicEnabled: false }]);
});

test('a refused store has the same message as in the headless node, and can be tried again', async () => {
  const message = 'private.db can’t be used: it is not an SQLite file';
  await openFailed({ kind: 'other', message });
  await heading('The node did not start');
  await expect.element(page.getByRole('alert')).toContainText(message);
  await page.getByRole('button', { name: 'Save diagnostics' }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const folder = page.getByRole('textbox', { name: 'Another data folder' });
  await expect.element(folder).not.toBeInTheDocument();
  await page.getByText('Use another data folder').click();
  await expect.element(folder).toBeVisible();
  expect(await complaints()).toEqual([]);
  await retry.click();
  await live();
});

test('a missing folder is reported; another folder can be refused with a reason, and the start can be tried again', async () => {
  const asked: Input<'useDataDir'>[] = [];
  await openFailed(FOLDER, {
    useDataDir: (input) => {
      asked.push(input);
      return { problem: input.path.startsWith('/') ? 'no_data' : 'not_absolute' };
    },
  });
  await heading('The data is not where it should be');
  await expect.element(page.getByRole('alert')).toContainText('Is its disk connected?');
  await expect.element(page.getByText('/media/disk/water', { exact: true })).toBeVisible();
  await expect.element(page.getByRole('main')).not.toContainText('DATA_DIR');
  expect(await complaints()).toEqual([]);
  const folder = page.getByRole('textbox', { name: 'Another data folder' });
  const use = page.getByRole('button', { name: 'Use this folder' });
  await folder.fill('somewhere');
  await use.click();
  await expect.element(page.getByText('Enter the full path', { exact: false })).toBeVisible();
  expect(page.getByRole('button', { name: 'Start a new node there' }).elements()).toEqual([]);
  await folder.fill('/home/you/fresh');
  await use.click();
  await expect.element(page.getByText('This folder has no Wellhouse data.', { exact: false })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Start a new node there' })).toBeVisible();
  expect(asked.map(({ startOver }) => startOver)).toEqual([false, false]);
  await retry.click();
  await live();
});

test('a new node begins in another folder only if the owner confirms it', async () => {
  const asked: Input<'useDataDir'>[] = [];
  await openFailed(
    { ...FOLDER, reason: 'unusable', detail: 'EACCES' },
    {
      useDataDir: (input) => {
        asked.push(input);
        if (!input.startOver) return { problem: 'no_data' };
        fakeDesktop.become(RUNNING);
        return { problem: null };
      },
    },
  );
  await heading('The data folder can’t be used');
  await page.getByRole('textbox', { name: 'Another data folder' }).fill('/home/you/fresh');
  await page.getByRole('button', { name: 'Use this folder' }).click();
  await page.getByRole('button', { name: 'Start a new node there' }).click();
  await live();
  expect(asked).toEqual([
    { path: '/home/you/fresh', startOver: false },
    { path: '/home/you/fresh', startOver: true },
  ]);
});

test('the start page names the variable of a folder that can’t be made', async () => {
  await openFailed({ ...FOLDER, reason: 'unusable', detail: 'EACCES' }, { getSettings: () => pinned('dataDir') });
  await heading('The data folder can’t be used');
  const why = 'DATA_DIR set the folder when the app was started, and takes precedence.';
  await expect.element(page.getByText(why)).toBeVisible();
  expect(page.getByRole('textbox').elements()).toEqual([]);
  await expect.element(retry).toBeVisible();
});

test('a banner shows what a sleep cost, until it is dismissed; menu, tray and notifications open pages', async () => {
  const device = new FakeDevice({ name: 'Cistern', sent: [{ at: Date.now() - 60_000, values: { ph: 6.5 } }] });
  const { reload } = await openPage('#/', { devices: [device] });
  await live();
  await expect.element(page.getByRole('article', { name: 'Cistern' })).toContainText('6.5');
  const to = Date.now();
  const wake = { from: to - 2 * 3_600_000, to };
  fakeDesktop.wake = wake;
  fakeDesktop.tell('wake', wake);
  const banner = page.getByText(/This computer slept from .* \(2 hr/);
  // One reading a minute, of which the device keeps 50.
  await expect.element(banner).toContainText('The older ones of 1 device are lost: about 70');
  await expect.element(page.getByText(/run Wellhouse without a window on a Raspberry Pi/)).toBeVisible();
  await reload();
  await expect.element(banner).toBeVisible();
  await page.getByRole('status').filter({ hasText: 'slept' }).getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(banner).not.toBeInTheDocument();
  expect(fakeDesktop.calls).toContain('dismissWake');
  await reload();
  await live();
  expect(banner.elements()).toEqual([]);

  // The menu, the tray and notifications open pages.
  fakeDesktop.tell('goTo', { page: 'settings' });
  await heading('Settings');
  fakeDesktop.tell('goTo', { page: 'keys' });
  await heading('Keys');
  fakeDesktop.tell('openAlert', { id: null });
  await expect.element(page.getByRole('tab', { name: /^Now/ })).toHaveAttribute('aria-selected', 'true');
});

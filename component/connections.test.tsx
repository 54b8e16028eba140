import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Connections } from '../src/shared/owner-api/connections.ts';
import type { SettingChange } from '../src/shared/owner-api/settings.ts';
import { complaints } from './support/complaints.ts';
import { openPage } from './support/open-page.tsx';
import './support/page-parts.ts';

const card = (name: string) => page.getByRole('region', { name });
const broker = () => card('Home Assistant, through an MQTT broker');
const metrics = () => card('Metrics for Prometheus');
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** Opens the page, and keeps what it asks the node for. */
async function openConnections(changes: Partial<Connections> = {}, settings: SettingChange = {}) {
  const calls: unknown[] = [];
  const opened = await openPage('#/connections', {
    answers: (fake) => {
      fake.setSettings({ change: settings });
      return {
        connections: () => ({ ...fake.connections({}), ...changes }),
        setSettings: (input) => {
          calls.push(input.change);
          return fake.setSettings(input);
        },
        setConnectionSecrets: (input) => {
          calls.push(input);
          return fake.setConnectionSecrets(input);
        },
        setOwnerChoices: (input) => {
          calls.push(input);
          return fake.setOwnerChoices(input);
        },
      };
    },
  });
  await expect.element(page.getByRole('heading', { level: 1, name: 'Connections' })).toBeVisible();
  return { opened, calls };
}

test('the broker’s password is sent last, in a request of its own; metrics are for others only with a token', async () => {
  const { calls } = await openConnections();
  await expect.element(broker().getByText('Off: no broker is set.')).toBeVisible();
  await expect.element(broker().getByText('Private readings leave this machine', { exact: false })).toBeVisible();
  await expect.element(button('Connect')).toBeDisabled();
  await field('Address of the broker').fill('http://broker.lan');
  await expect.element(broker().getByText('Not an address such as', { exact: false })).toBeVisible();
  await expect.element(button('Connect')).toBeDisabled();
  await field('Address of the broker').fill('mqtt://broker.lan');
  await expect.element(broker().getByText('This connection is not encrypted', { exact: false })).toBeVisible();
  await field('Address of the broker').fill('mqtts://broker.lan');
  expect(broker().getByText('This connection is not encrypted', { exact: false }).elements()).toEqual([]);
  await field('User').fill('wellhouse');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse');
  await button('Connect').click();
  await expect.element(broker().getByText('Connected since', { exact: false })).toBeVisible();
  await expect.element(broker().getByText('Saved.', { exact: false })).toBeVisible();
  expect(calls).toEqual([
    { mqttUrl: 'mqtts://broker.lan', mqttUsername: 'wellhouse' },
    { mqttPassword: 'correct horse' },
  ]);
  await expect.element(button('Replace')).toBeVisible();
  expect(document.body.innerHTML).not.toContain('correct horse');
  expect(await complaints()).toEqual([]);
  await button('Send a test message').click();
  await expect.element(broker().getByText('reached the broker and came back', { exact: false })).toBeVisible();
  await button('Disconnect').click();
  await expect.element(broker().getByText('Off: no broker is set.')).toBeVisible();
  expect(calls.splice(0).at(-1)).toEqual({ mqttUrl: null });

  await field('Port').fill('9464');
  await button('Turn on').click();
  await expect.element(metrics().getByText('http://127.0.0.1:9464/metrics')).toBeVisible();
  await field('Address').fill('192.168.1.300');
  await expect.element(metrics().getByText('Not an IP address of this machine')).toBeVisible();
  await field('Address').fill('0.0.0.0');
  await expect.element(metrics().getByText('metrics stay off until there is a token', { exact: false })).toBeVisible();
  await button('Make one').click();
  expect(metrics().getByText('metrics stay off until there is a token', { exact: false }).elements()).toEqual([]);
  await metrics().getByRole('button', { name: 'Save' }).click();
  await expect.element(metrics().getByText('http://0.0.0.0:9464/metrics')).toBeVisible();
  await expect
    .poll(() => calls)
    .toEqual([
      { metricsPort: 9464 },
      { metricsAddress: '0.0.0.0' },
      { metricsToken: expect.stringMatching(/^[0-9a-f]{48}$/) },
    ]);
  expect(await complaints()).toEqual([]);
  await metrics().getByRole('button', { name: 'Remove' }).click();
  await metrics().getByRole('button', { name: 'Save' }).click();
  await expect.element(metrics().getByText('so it needs a token', { exact: false })).toBeVisible();
  await button('Turn off').click();
  await expect.element(metrics().getByText('Off: no port is set.')).toBeVisible();
});

test('another broker asks for the password again, the password can be removed, and devices left out', async () => {
  const mqttPassword = { source: 'page' as const };
  const { calls } = await openConnections({ mqttPassword }, { mqttUrl: 'mqtts://broker.lan' });
  await expect.element(button('Replace')).toBeVisible();
  await field('Address of the broker').fill('mqtts://elsewhere.lan');
  await expect.element(page.getByLabelText('Password', { exact: true })).toBeVisible();
  await field('Address of the broker').fill('mqtts://broker.lan');
  await button('Remove').click();
  await expect.element(broker().getByText('Is removed when you save')).toBeVisible();
  await broker().getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => calls.splice(0)).toEqual([{ mqttPassword: null }]);

  const devices = card('Devices at the broker');
  await expect.element(devices.getByText('3 of 3')).toBeVisible();
  await devices.getByRole('checkbox', { name: 'Greenhouse' }).click();
  await expect.element(devices.getByText('2 of 3')).toBeVisible();
  await expect.poll(() => calls).toEqual([{ bridge: { leftOut: [expect.stringMatching(/^[0-9a-f]{64}$/)] } }]);
  await devices.getByRole('checkbox', { name: 'Greenhouse' }).click();
  await expect.element(devices.getByText('3 of 3')).toBeVisible();
  await expect.poll(() => calls.at(-1)).toEqual({ bridge: { leftOut: [] } });
});

test('the broker’s state shows its cause, and a failed test shows the reason', async () => {
  const error = { fault: 'login' as const, detail: 'Not authorized', at: Date.now() };
  const mqtt = { state: 'waiting' as const, since: null, error, messages: 12, devices: 3 };
  const answers = { mqttUrl: 'mqtts://broker.lan' };
  await openConnections({ mqtt }, answers);
  const state = broker().getByRole('status').filter({ hasText: 'Not connected' });
  await expect.element(state).toContainText('The broker refuses user and password. (Not authorized)');
  await expect.element(broker().getByText('Messages sent', { exact: false })).toBeVisible();
  expect(await complaints()).toEqual([]);
});

test('settings of the environment are shown and can’t be changed', async () => {
  await openPage('#/connections', {
    answers: (fake) => ({
      getSettings: () => {
        const view = fake.getSettings({});
        const mqttUrl = { ...view.settings.mqttUrl, value: 'mqtts://broker.lan', source: 'environment' as const };
        return { ...view, settings: { ...view.settings, mqttUrl } };
      },
      connections: () => ({ ...fake.connections({}), mqttPassword: { source: 'environment' as const } }),
    }),
  });
  await expect.element(field('Address of the broker')).toBeDisabled();
  await expect.element(broker().getByText('MQTT_URL', { exact: false })).toBeVisible();
  await expect.element(broker().getByText('MQTT_PASSWORD', { exact: false })).toBeVisible();
  expect(page.getByRole('button', { name: 'Disconnect' }).elements()).toEqual([]);
});

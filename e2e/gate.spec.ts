import { SimulatedDevice } from '../src/simulator/device.ts';
import { handWritten, readingsOf, register } from '../test/support/client.ts';
import { post } from '../test/support/http.ts';
import { call } from '../test/support/owner-client.ts';
import { complaints } from './support/axe.ts';
import { SCHEMES } from './support/matrix.ts';
import { OwnerNode } from './support/owner-node.ts';
import { expect, openOwner, test } from './support/owner-test.ts';

let node: OwnerNode;
test.beforeEach(async () => {
  node = await OwnerNode.start({ env: { GATE_PORT: '0' } });
});
test.afterEach(async ({ watch }) => {
  watch.end();
  await node.dispose();
});

test('a device joins through the page alone; every page can close joining, and a device that tried is admitted by name', async ({
  page,
}) => {
  await test.step('a device joins a fresh node through the page alone', async () => {
    await openOwner(page, node);
    await page.getByRole('link', { name: /^On this network/ }).click();
    const gate = page.locator('section[data-recommended]');
    await gate.getByRole('combobox', { name: 'Address of the gate' }).selectOption('Another address…');
    const address = gate.getByRole('textbox', { name: 'Another address' });
    await address.fill('8.8.8.8');
    await expect(gate.getByText('Not a private address')).toBeVisible();
    await expect(gate.getByRole('button', { name: 'Let devices in here' })).toBeDisabled();
    // As it comes from a clipboard.
    await address.fill(' 127.0.0.1 ');
    await gate.getByRole('button', { name: 'Let devices in here' }).click();
    await expect(gate.getByText('The gate listens.')).toBeVisible();
    const step = (name: string) => gate.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    await expect(step('Open a gate for them')).toHaveAttribute('data-done');
    const server = (await gate.locator('code').first().textContent())!;
    expect(server).toMatch(/^127\.0\.0\.1:\d+$/);
    await expect(gate.getByRole('img', { name: `QR code of ${server}` })).toBeVisible();

    // A person who opens the gate lets devices join.
    const banner = page.getByRole('region', { name: 'Devices may join.' });
    await expect(banner.getByRole('timer')).toHaveText(/^(10:00|9:\d\d)$/);
    await banner.getByRole('button', { name: 'Close now' }).click();
    await expect(banner).toBeHidden();

    // It tries while joining is closed, and is listed.
    const device = new SimulatedDevice();
    const registration = device.registration({ name: 'Tank by the door' });
    expect((await register(`http://${server}`, registration)).status).toBe(403);
    await expect(
      gate.getByRole('list', { name: 'Tried to join while joining was closed' }).getByText('Tank by the door'),
    ).toBeVisible();
    await expect(step('Tell the device')).toHaveAttribute('data-done');
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await complaints(page, scheme), scheme).toEqual([]);
    }

    await gate.getByRole('button', { name: 'Let devices join' }).click();
    await expect(banner).toBeVisible();
    expect((await register(`http://${server}`, registration)).status).toBe(201);
    await expect(step('It registers')).toHaveAttribute('data-done');
    await expect(step('Its first reading arrives')).not.toHaveAttribute('data-done');
    expect((await post(`http://${server}/v1/telemetry`, { blocks: [handWritten(device)] })).status).toBe(200);
    await expect(step('Its first reading arrives')).toHaveAttribute('data-done');
    await expect(banner).toBeHidden();
    await gate.getByRole('link', { name: 'Tank by the door sends' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /Tank by the door/ })).toBeVisible();
  });
  await test.step('every page can close joining, and a device that tried is admitted under a name', async () => {
    await call(node.process, 'setSettings', { change: { gateAddress: '127.0.0.1' } });
    await openOwner(page, node, '#/connect');
    await page.getByRole('checkbox', { name: 'Close when one has joined' }).uncheck();
    await page.getByRole('button', { name: 'Let devices join' }).click();
    const banner = page.getByRole('region', { name: 'Devices may join.' });
    await expect(banner).toBeVisible();
    await page.goto(`${node.url('local')}/ui/#/settings`);
    await banner.getByRole('button', { name: 'Close now' }).click();
    await expect(banner).toBeHidden();

    await page.goto(`${node.url('local')}/ui/#/connect`);
    const server = await page.locator('section[data-recommended] code').first().textContent();
    const device = new SimulatedDevice();
    expect((await register(`http://${server}`, device.registration({ name: 'aqua-1' }))).status).toBe(403);
    await page.getByRole('button', { name: /^Let it in: [0-9a-f]+/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Let this device in' });
    await expect(dialog.getByLabel('Name')).toHaveValue('aqua-1');
    await dialog.getByLabel('Name').fill('Basil bench');
    await dialog.getByText('Which of its values are kept').click();
    await dialog.getByLabel('Kept of pH').selectOption('Not kept');
    expect(await complaints(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Let it in' }).click();
    await expect(dialog).toBeHidden();
    const block = handWritten(device, { tail: '|ph=6.10|ec=900', json: { ph: { plain: 6.1 }, ec: { plain: 900 } } });
    expect((await post(`http://${server}/v1/telemetry`, { blocks: [block] })).status).toBe(200);
    expect((await readingsOf(node.url('local'), device.id))[0]).toMatchObject({ ph: null, ec: { value: 900 } });
    await page.goto(`${node.url('local')}/ui/#/`);
    await expect(page.getByRole('article', { name: /Basil bench/ })).toContainText('Online');
  });
});

import { doorOf, givePairingCode } from '../../test/support/door.ts';
import { call } from '../../test/support/owner-client.ts';
import { registered } from '../support/devices.ts';
import { offer, openDoor } from '../support/door.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, test } from '../support/owner-test.ts';

const node = ownerNode(
  async (started) => {
    await registered(started, ['local'], { name: 'Tomatoes' }, { publishTo: 0 });
  },
  { env: { DOOR_PORT: '0' } },
);

test('keys open only if the owner allows it, and the owner chooses who signs in by signature', async ({ page }) => {
  await openDoor(page, node());
  await page.getByText('Port and certificate').click();
  // Where the environment says the port, it says so.
  const port = page.getByRole('textbox', { name: 'Port' });
  await expect(port).toBeDisabled();
  await expect(port).toHaveAccessibleDescription('set by DOOR_PORT');
  const mayUnlock = page.getByRole('checkbox', { name: 'May open the keys there' });
  await expect(mayUnlock).not.toBeChecked();
  await mayUnlock.check();
  await offer(page, 'My tablet', 'Owner');
  const code = (await page.getByTestId('pairing-code').textContent())!;
  expect((await givePairingCode(await doorOf(node().process), code, 'browser')).status).toBe(200);
  await expect(page.getByText('My tablet is in.')).toBeVisible();
  expect((await call(node().process, 'door', {})).pairings).toMatchObject([{ name: 'My tablet', mayUnlock: true }]);
  // Each pairing has a choice of its own.
  await expect(mayUnlock).not.toBeChecked();

  const { ownerKeys } = await call(node().process, 'door', {});
  const [first] = ownerKeys as [(typeof ownerKeys)[number]];
  expect(ownerKeys.every(({ isAllowed }) => !isAllowed)).toBe(true);
  const allowed = async () =>
    (await call(node().process, 'door', {})).ownerKeys.filter(({ isAllowed }) => isAllowed).map(({ key }) => key);
  const box = page.getByRole('checkbox', { description: first.key });
  await box.click();
  await expect(box).toBeChecked();
  await expect.poll(allowed).toEqual([first.key]);
  await box.click();
  await expect(box).not.toBeChecked();
  await expect.poll(allowed).toEqual([]);
});

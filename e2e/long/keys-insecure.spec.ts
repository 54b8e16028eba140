import { networkInterfaces } from 'node:os';
import { complaints } from '../support/axe.ts';
import { registered, send } from '../support/devices.ts';
import { giveKeystore, phraseSecret } from '../support/keys.ts';
import { type OwnerNode, ownerNode } from '../support/owner-node.ts';
import { expect, test } from '../support/owner-test.ts';
import { PHRASE, SealingDevice } from '../support/sealing.ts';
import { forwardTo } from '../support/tcp-forwarder.ts';

const well = new SealingDevice('Well', 'standard');

/** An address of this machine that is not loopback; undefined where it has none. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

// It answers at a public address only where that is listed.
const env = ownAddress === undefined ? {} : { LOCAL_ALLOWED_HOSTS: ownAddress };
const fill = async (started: OwnerNode) => {
  const { seed, mac, name, ownerPubkey } = well.device;
  await registered(started, ['local'], { seed, mac, name, ownerPubkey });
  await send(started, 'local', [well.block({ seq: 1, timestamp: Date.now(), keyVersion: 1, values: { ph: 6.5 } })]);
  await giveKeystore(started, { secrets: [phraseSecret(PHRASE, 'Kept')] });
};
const node = ownerNode(fill, { env });

test('over plain HTTP from a network no keys are used, and the page shows the reason and a remedy', async ({
  page,
  watch,
}) => {
  watch.tolerate(/Cross-Origin-Opener-Policy header has been ignored/);
  test.skip(ownAddress === undefined, 'this machine has no address besides loopback');
  const forwarder = await forwardTo(Number(new URL(node().url('local')).port), '0.0.0.0');
  try {
    const origin = `http://${ownAddress}:${forwarder.port}`;
    await page.goto(`${origin}/ui/#token=${node().token}`);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await page.goto(`${origin}/ui/#/keys`);
    await expect(page.getByRole('alert')).toContainText('came over an unprotected network');
    await expect(page.getByText('ssh -N -L')).toBeVisible();
    await expect(page.locator('input[type=password]')).toHaveCount(0);
    expect(await complaints(page)).toEqual([]);
    await page.goto(`${origin}/ui/#/device/${well.id}`);
    await expect(page.getByRole('grid', { name: 'Readings' })).toBeVisible();
    await expect(page.getByText('so it does not use your keys')).toBeVisible();
    await page.goto(`${origin}/ui/#/settings`);
    await expect(page.getByText('Keys are not used on a page that came over an unprotected network')).toBeVisible();
    await expect(page.getByRole('button', { name: /[Uu]nlock/ })).toHaveCount(0);
    expect(page.workers()).toHaveLength(0);
    await page.close();
  } finally {
    await forwarder.close();
  }
});

import { AlteringRelay } from '../../test/support/altering-relay.ts';
import { DOOR_ENV, doorOf } from '../../test/support/door.ts';
import { ListeningImpostor } from '../../test/support/listening-impostor.ts';
import { complaints } from '../support/axe.ts';
import { minutes, registered, send } from '../support/devices.ts';
import { add, bar, linkOf, row } from '../support/other-nodes.ts';
import { OwnerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';
import { shoot } from '../support/shoot.ts';

test('a node of another version shows the known part, the last known values of one that is away stay, and a changed certificate is refused', async ({
  page,
  watch,
}) => {
  // Three programs are started and one is waited for.
  test.setTimeout(300_000);
  const hut = await OwnerNode.start({ env: DOOR_ENV });
  const own = await OwnerNode.start();
  const relay = await AlteringRelay.open(hut.process);
  relay.alters.value = (method, value) => {
    if (method === 'nodeInfo') return { ...(value as object), version: '9.8.7', later: true };
    return method === 'device' ? { ...(value as object), span: 'long' } : value;
  };
  let swapped = null as ListeningImpostor | null;
  try {
    const pond = await registered(hut, ['local'], { name: 'Pond' });
    await send(hut, 'local', minutes(pond, { count: 60 }));
    await test.step('a node of another version shows the known part, with both versions', async () => {
      await openOwner(page, own, '#/nodes');
      await add(page, relay.by(await linkOf(hut)));
      await expect(page.getByText('connected', { exact: true })).toBeVisible();
      await expect(page.getByText(/^9\.8\.7 \(this node: /)).toBeVisible();
      await page.goto(`${own.url('local')}/ui/#/`);
      await row(page, 'Pond').getByRole('link').first().click();
      await expect(page.getByText('The other node has another version')).toBeVisible();
      await shoot(page, 'version-device');
      await page.goto(`${own.url('local')}/ui/#/`);
      await expect(row(page, 'Pond')).toBeVisible();
      await expect(bar(page).getByText('connected, but some of its answers are not compatible')).toBeVisible();
      await shoot(page, 'version-bar');
      await bar(page).getByRole('link').click();
      await expect(page.getByRole('alert')).toContainText('Wellhouse there is 9.8.7');
      expect(await complaints(page)).toEqual([]);
      await shoot(page, 'version-nodes');
    });
    await test.step('the last known values of a node stay while it is away, and a changed certificate is refused', async () => {
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('button', { name: 'Remove it' }).click();
      await expect(page.getByRole('heading', { name: 'Shed' })).toBeHidden();
      await add(page, await linkOf(hut));
      await page.goto(`${own.url('local')}/ui/#/`);
      const value = row(page, 'Pond').locator('dd').first();
      const before = (await value.textContent())!.slice(0, 4);
      await row(page, 'Pond').getByRole('link').first().click();
      await expect(page.getByRole('grid', { name: 'Readings' }).getByRole('row')).not.toHaveCount(1);
      await expect(page.locator('.uplot canvas').first()).toBeVisible();
      const { port } = new URL(await doorOf(hut.process));
      await hut.stop();
      for (const isAgain of [false, true]) {
        if (isAgain) await page.reload();
        await expect(page.getByText(/^not reached since/)).toBeVisible({ timeout: 60_000 });
        await expect(page.getByText('This page shows its last known state.')).toBeVisible();
        await expect(page.getByRole('grid', { name: 'Readings' }).getByRole('row')).not.toHaveCount(1);
        await expect(page.locator('.uplot canvas').first()).toBeVisible();
      }
      await shoot(page, 'away-device');
      await page.goto(`${own.url('local')}/ui/#/`);
      await expect(bar(page).getByText(/^not reached since/)).toBeVisible();
      await expect(value).toContainText(before);
      await expect(row(page, 'Pond')).toContainText('node away');
      await shoot(page, 'away');

      swapped = await ListeningImpostor.open({ port: Number(port) });
      await expect(bar(page).getByText(/^refused: another certificate/)).toBeVisible({ timeout: 60_000 });
      await expect(value).toContainText(before);
      await bar(page).getByRole('link').click();
      await expect(page.getByRole('alert')).toContainText('somebody may be intercepting the connection');
      await shoot(page, 'refused');
      expect(await complaints(page)).toEqual([]);
      expect(swapped.heard).toBe('');
    });
  } finally {
    watch.end();
    await swapped?.close();
    await relay.close();
    await own.dispose();
    await hut.dispose();
  }
});

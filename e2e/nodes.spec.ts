import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { showFingerprint } from '../src/shared/pairing-link.ts';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { chainOf, DOOR_ENV, doorOf } from '../test/support/door.ts';
import { complaints } from './support/axe.ts';
import { MINUTE_MS, minutes, registered, send } from './support/devices.ts';
import { giveKeystore, phraseSecret, typePassphrase } from './support/keys.ts';
import { add, bar, linkOf, row } from './support/other-nodes.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openOwner, sidewaysScroll, test } from './support/owner-test.ts';
import { PHRASE, PHRASE_NAME, SealingDevice } from './support/sealing.ts';
import { shoot } from './support/shoot.ts';

let bed: SimulatedDevice;
let tank: SimulatedDevice;
const well = new SealingDevice('Well', 'firmware');

/** The node at the desk: with keys, and with a device of its own. */
const desk = ownerNode(async (started) => {
  bed = await registered(started, ['local'], { name: 'Tomato bed' });
  await send(started, 'local', minutes(bed, { count: 60 }));
  await giveKeystore(started, { secrets: [phraseSecret(PHRASE, PHRASE_NAME)] });
});

/** The node in the shed: without keys, with a device that seals and one that does not. */
const shed = ownerNode(
  async (started) => {
    tank = await registered(started, ['local'], { name: 'Rain tank' });
    await send(started, 'local', minutes(tank, { count: 60 }));
    const { seed, mac, name, ownerPubkey } = well.device;
    await registered(started, ['local'], { seed, mac, name, ownerPubkey });
    await send(started, 'local', [wellBlock(1, 6.1), wellBlock(2, 6.2)]);
  },
  { env: DOOR_ENV },
);

const wellBlock = (seq: number, ph: number) =>
  well.block({ seq, timestamp: Date.now() - (10 - seq) * MINUTE_MS, keyVersion: 1, values: { ph } });

const shedId = () => shed().process.started.publicKey;

test('a node is added by its fingerprint; its devices are in the same list, can be opened here, and compared', async ({
  page,
}) => {
  await test.step('the page finds another node, and adds it after showing its fingerprint', async () => {
    await openOwner(page, desk(), '#/node');
    await page.getByRole('link', { name: 'Add a node' }).click();
    const link = page.getByLabel('Pairing link');
    const problem = page.getByRole('alert');
    const look = page.getByRole('button', { name: 'Check the link' });
    await link.fill('https://127.0.0.1:3443/ui/');
    await look.click();
    await expect(problem).toContainText('This is not a pairing link');
    const right = await linkOf(shed());
    await link.fill(right.replace(/fingerprint=\w{8}/, 'fingerprint=00000000'));
    await look.click();
    await expect(problem).toContainText('is not the one that the link names');
    await link.fill(right);
    await look.click();
    const { fingerprint } = (await chainOf(await doorOf(shed().process))).at(-1)!;
    await expect(page.getByText(showFingerprint(fingerprint))).toBeVisible();
    await shoot(page, 'adding');
    await page.getByLabel('Name').fill('Shed');
    await page.getByRole('button', { name: 'Add this node' }).click();
    await expect(page.getByRole('heading', { name: 'Shed' })).toBeVisible();
    await expect(page.getByText('connected', { exact: true })).toBeVisible();
    expect(await complaints(page)).toEqual([]);
    await shoot(page, 'nodes');
    await add(page, await linkOf(shed()), 'Pair again');
    await expect(page.getByText('Shed was added.')).toBeVisible();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name').fill('Hut');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('heading', { name: 'Hut' })).toBeVisible();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove it' }).click();
    await expect(page.getByRole('heading', { name: 'Hut' })).toBeHidden();
  });
  await test.step('all devices are in one list, and values sealed at the shed open at the desk', async () => {
    await add(page, await linkOf(shed()));
    await expect(page.getByText('Shed was added.')).toBeVisible();
    await page.goto(`${desk().url('local')}/ui/#/`);
    await expect(bar(page).getByText('connected', { exact: true })).toBeVisible();
    await expect(row(page, 'Tomato bed')).toContainText('this node');
    await expect(row(page, 'Rain tank')).toContainText('Shed');
    await expect(row(page, 'Well')).toContainText('Locked: ');
    await page.getByRole('button', { name: 'Unlock the keys' }).first().click();
    await typePassphrase(page);
    await expect(row(page, 'Well')).toContainText('6.2');
    await shoot(page, 'overview');
    expect(await sidewaysScroll(page)).toBe(0);

    await send(shed(), 'local', [wellBlock(3, 6.3)]);
    await expect(row(page, 'Well')).toContainText('6.3');
    await row(page, 'Well').getByRole('link').first().click();
    await expect(page).toHaveURL(new RegExp(`#/device/${well.id}/at/${shedId()}`));
    await expect(page.getByRole('heading', { level: 1, name: 'Well' })).toBeVisible();
    await expect(page.getByRole('grid', { name: 'Readings' }).getByText('6.3')).toBeVisible();
    await expect(page.locator('.uplot canvas').first()).toBeVisible();
    await expect(page.getByText('Something went wrong')).toBeHidden();
    await shoot(page, 'device');
    // No key, phrase or keystore has come to the shed.
    const kept = readdirSync(shed().dataDir).filter((name) => !/-(?:wal|shm)$/.test(name));
    expect(kept.filter((name) => name.startsWith('keystore'))).toEqual([]);
    for (const name of kept) {
      const content = readFileSync(join(shed().dataDir, name));
      for (const secret of [well.keyHex(1), Buffer.from(well.key(1)), PHRASE])
        expect(content.includes(secret)).toBe(false);
    }
  });
  await test.step('fields of two nodes are compared, also after a reload', async () => {
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    const picker = page.getByRole('group', { name: 'Add a line' });
    for (const name of ['Tomato bed', 'Rain tank · Shed']) {
      await picker.getByLabel('Device').selectOption(name);
      await picker.getByLabel('Field').selectOption('Water temperature');
      await picker.getByRole('button', { name: 'Add' }).click();
    }
    const panel = page.locator('figure');
    for (const isAgain of [false, true]) {
      if (isAgain) await page.reload();
      await expect(panel).toHaveCount(1);
      await expect(panel.locator(`[data-line="${bed.id}:tempWater"]`)).toContainText('60 values');
      const there = panel.locator(`[data-line="${tank.id}:tempWater:${shedId()}"]`);
      await expect(there).toContainText('60 values');
      await expect(there.getByRole('link')).toContainText('Rain tank · Shed');
    }
    await shoot(page, 'compare');
  });
});

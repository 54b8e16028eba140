import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { openPage } from './support/open-page.tsx';
import { readings } from './support/page-parts.ts';

const step = (name: string) => page.getByRole('listitem', { name });
const tank = new FakeDevice({ name: 'device-17', sent: readings({ count: 60 }) });

/** A node whose channel has sent nothing yet. */
function open(hash: string, devices: readonly FakeDevice[] = [tank]) {
  return openPage(hash, { devices, answers: { alertRules: () => ({ rules: [] }) } });
}

test('asks for name and place, then the crop, and says if no rule watches the device', async () => {
  const { reload } = await open('#/setup');
  await expect.element(step('A device joins')).toContainText('Done');
  const place = step('Its name and place');
  await place.getByLabelText('Name').fill('Tank room');
  await place.getByLabelText('Place (optional)').fill('Greenhouse');
  await place.getByRole('button', { name: 'Save' }).click();
  await expect.element(place).toContainText('Done');
  await place.getByRole('button', { name: 'Next' }).click();
  await step('What grows there').getByRole('button', { name: 'Watch nothing at Tank room' }).click();
  await expect.element(step('What grows there')).toContainText('Nothing is watched at: Tank room.');
  await reload();
  await expect.element(step('What grows there')).toContainText('Done');
  window.location.hash = '#/';
  // The only device of its place has its own card.
  const card = page.getByRole('article', { name: 'Tank room' });
  await expect.element(card).toContainText('Greenhouse');
  await expect.element(card).toContainText('Nothing is watched here. Set ranges');
});

test('a postponed step is shown in one line of the first page, which can be closed', async () => {
  const { node, reload } = await open('#/setup');
  await step('Its name and place').getByRole('button', { name: 'Later' }).click();
  await expect.element(step('Its name and place')).toContainText('Put off');
  await expect.element(step('What grows there').getByRole('button', { name: 'Later' })).toBeVisible();
  window.location.hash = '#/';
  await expect.element(page.getByRole('link', { name: /^Finish setting up: \d left$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Don’t remind me' }).click();
  await expect.poll(async () => (await node.api.call('ownerChoices', {})).setup.isOver).toBe(true);
  await reload();
  await expect.element(page.getByRole('article', { name: 'device-17' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: /^Finish setting up/ })).not.toBeInTheDocument();
});

test('the step for messages is done after a successful test', async () => {
  await openPage('#/setup', {
    devices: [tank],
    answers: (fake) => {
      let sentAt: number | null = null;
      return {
        alertChannels: () => ({
          channels: fake.alertChannels({}).channels.map((state) => ({
            ...state,
            channel: { ...state.channel, target: { kind: 'ntfy', server: 'https://ntfy.sh', topic: 'tank-17' } },
            lastSuccessAt: sentAt,
          })),
        }),
        testAlertChannel: () => {
          sentAt = Date.now();
          return { failure: null };
        },
      };
    },
  });
  const phone = step('Tell my phone');
  await phone.getByRole('button', { name: /^Tell my phone/ }).click();
  await expect.element(phone).toContainText('To do');
  await phone
    .getByRole('button', { name: /^Test: / })
    .first()
    .click();
  await expect.element(phone).toContainText('Done');
});

import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FAKE_ID } from '../scripts/fake-node/alerts.ts';
import type { Answers } from '../scripts/fake-node/fake.ts';
import type { DigestSetting } from '../src/shared/alerts/channel.ts';
import { openPage } from './support/open-page.tsx';
import { sidewaysScroll } from './support/page-parts.ts';

const card = () => page.getByRole('region', { name: 'Summary' });
const onSwitch = () => card().getByRole('switch', { name: /^Send a summary/ });
const button = (name: string) => card().getByRole('button', { name });

/** The page of channels; gives what the node keeps of the summary, and what was asked to be sent. */
async function openChannels(answers: Partial<Answers> = {}, width?: number) {
  let kept: Answers | undefined;
  const sent: DigestSetting[] = [];
  await openPage('#/alerts?tab=channels', {
    ...(width === undefined ? {} : { width }),
    answers: (fake) => {
      kept = fake;
      return {
        sendAlertDigest: (setting) => {
          sent.push(setting as DigestSetting);
          return fake.sendAlertDigest(setting);
        },
        ...answers,
      };
    },
  });
  await expect.element(card()).toBeVisible();
  const options = async () => kept!.alertOptions({});
  const digest = async () => (await options()).digest;
  /** Changes the time as another page does, of which this one hears later. */
  const setTime = async (time: string) => {
    const [others, setting] = [await options(), (await digest())!];
    await kept!.setAlertOptions({ ...others, digest: { ...setting, time } });
  };
  return { digest, setTime, sent };
}

test('a summary is off by default, and saves its day, time, zone and channels', async () => {
  const { digest } = await openChannels();
  expect(await digest()).toBeNull();
  await expect.element(card().getByLabelText('How often')).not.toBeInTheDocument();
  await onSwitch().click();
  await card().getByLabelText('How often').selectOptions('Every week on Sunday');
  await card().getByLabelText('At', { exact: true }).fill('18:30');
  await card().getByLabelText('Send to').selectOptions('These channels');
  await button('Save').click();
  await expect.element(card().getByText('Saved')).toBeVisible();
  const zone = 'America/Sao_Paulo';
  expect(await digest()).toEqual({ weekday: 7, time: '18:30', zone, channels: [FAKE_ID] });
  await onSwitch().click();
  await button('Save').click();
  await expect.poll(digest).toBeNull();
});

test('the form refuses a missing time or channel, and the other options keep the summary’s settings', async () => {
  const { digest, setTime } = await openChannels();
  await onSwitch().click();
  await card().getByLabelText('At', { exact: true }).fill('');
  await card().getByLabelText('Send to').selectOptions('These channels');
  await card().getByRole('checkbox', { name: 'Desktop notification' }).click();
  await button('Save').click();
  await expect.element(card().getByText('Enter a time')).toBeVisible();
  await expect.element(card().getByText('Choose a channel')).toBeVisible();
  expect(await digest()).toBeNull();
  await card().getByLabelText('At', { exact: true }).fill('06:00');
  await card().getByLabelText('Send to').selectOptions('All channels');
  await button('Save').click();
  await expect.poll(async () => (await digest())?.time).toBe('06:00');
  await page.getByRole('tab', { name: 'Options' }).click();
  await page.getByRole('switch', { name: /^Quiet hours/ }).click();
  await setTime('08:00');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('Saved')).toBeVisible();
  expect((await digest())?.time).toBe('08:00');
});

test('the preview shows the present summary; a test sends it once, and shows why a channel refused it', async () => {
  const failure = { at: 1, fault: 'refused', detail: '', isPermanent: false, isGivenUp: true } as const;
  let isDown = true;
  const { sent } = await openChannels({
    sendAlertDigest: (setting) => {
      sent.push(setting as DigestSetting);
      return { results: [{ channel: FAKE_ID, failure: isDown ? failure : null }] };
    },
  });
  await onSwitch().click();
  await button('Show it as it would be now').click();
  const preview = card().getByRole('region', { name: 'Show it as it would be now' });
  await expect.element(preview).toContainText('Daily summary: 1 of 3 needs you: Basil, pH 5.31.');
  await expect.element(preview).toContainText('pH: in range 91 %, from 5.22 to 6.40');
  await button('Send one now').click();
  await expect.element(card().getByRole('alert')).toContainText('Nothing takes connections at this address and port.');
  isDown = false;
  await button('Send one now').click();
  await expect.element(card().getByText('Sent.')).toBeVisible();
  expect(sent).toHaveLength(2);
});

test('the form fits a phone', async () => {
  await openChannels({}, 390);
  await onSwitch().click();
  await button('Show it as it would be now').click();
  await expect.element(card().getByText(/Basil: Needs you/)).toBeVisible();
  expect(sidewaysScroll()).toBe(0);
});

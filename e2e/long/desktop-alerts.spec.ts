import type { Input, MethodName, Output } from '../../src/shared/owner-api/contract.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { RANGE_RULE } from '../../test/support/alerts.ts';
import { post } from '../../test/support/http.ts';
import { type DesktopApp, expect, test } from '../support/desktop-app.ts';

/** Calls the owner API as the app's page does. */
async function call<M extends MethodName>(app: DesktopApp, method: M, input: Input<M>): Promise<Output<M>> {
  const page = await app.page();
  const json = await page.evaluate(
    async ([name, value]) => {
      type Answer = { ok: boolean; json: string };
      const { owner } = window as unknown as { owner: { call(method: string, input: unknown): Promise<Answer> } };
      const answer = await owner.call(name, value);
      if (!answer.ok) throw new Error(JSON.stringify(answer));
      return answer.json;
    },
    [method, input] as const,
  );
  return JSON.parse(json) as Output<M>;
}

/** An app whose node has a rule on the pH, a device in its range, and tells by notifications. */
async function watching(app: DesktopApp): Promise<(ph: number) => Promise<void>> {
  const page = await app.page();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const url = await app.url('local');
  const device = new SimulatedDevice({ name: 'Tank one' });
  expect((await post(`${url}/v1/devices`, device.registration({ publishTo: 0 }))).status).toBe(201);
  await call(app, 'writeAlertRule', { rule: RANGE_RULE });
  await call(app, 'writeAlertChannel', {
    channel: { id: null, name: '', isOn: true, withoutValues: false, target: { kind: 'desktop' } },
    secrets: {},
  });
  let seq = 0;
  const send = async (ph: number): Promise<void> => {
    seq += 1;
    const block = device.block({ seq, timestamp: Date.now(), plain: { ph } });
    expect((await post(`${url}/v1/telemetry`, { blocks: [block] })).status).toBe(200);
  };
  await send(6);
  return send;
}

interface Told {
  readonly title: string;
  readonly body: string;
  readonly actions?: readonly { readonly text: string }[];
}
const told = (app: DesktopApp) => app.operate<Told[]>('notifications');
const tray = (app: DesktopApp) => app.operate<{ toolTip: string; items: { id: string; label: string }[] }>('tray');

test('a click on an alert’s notification opens it, and the tray counts alerts until they end', async ({ launch }) => {
  const app = await launch();
  const send = await watching(app);
  await expect.poll(async () => (await tray(app)).items.map(({ id }) => id)).not.toContain('alerts');
  await send(5.1);
  await expect.poll(() => told(app)).toHaveLength(1);
  expect((await told(app))[0]!.title).toContain('Tank one');
  await expect
    .poll(async () => (await tray(app)).items.find(({ id }) => id === 'alerts')?.label)
    .toBe('1 active alert');
  expect((await tray(app)).toolTip).toContain('1 active alert');

  await app.operate('minimizeWindow');
  await app.operate('clickNotification', 0);
  const page = await app.page();
  await expect(page.getByRole('region', { name: 'Active now' })).toContainText('pH of Tank one is below 5.5');
  expect(await app.operate('window')).toMatchObject({ isFront: true });
  await app.operate('pressTray', 'alerts');
  await expect(page.getByRole('tab', { name: 'Now' })).toHaveAttribute('aria-selected', 'true');

  await send(6);
  await expect.poll(() => told(app)).toHaveLength(2);
  await expect.poll(async () => (await tray(app)).items.map(({ id }) => id)).not.toContain('alerts');
});

import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { post } from '../../test/support/http.ts';
import type { DesktopApp } from '../support/desktop-app.ts';
import { expect, isReal, test } from '../support/desktop-app.ts';

/** The bridge as the page has it, for what no page of ours calls. */
interface Bridge {
  call(method: string, input: unknown): Promise<{ ok: boolean; json?: string; error?: string }>;
  callDesktop(method: string, input: unknown): Promise<{ ok: boolean; json?: string; error?: string }>;
}

async function registered(app: DesktopApp, name: string): Promise<SimulatedDevice> {
  const device = new SimulatedDevice({ name });
  const reply = await post(`${await app.url('local')}/v1/devices`, device.registration({ publishTo: 0 }));
  expect(reply.status).toBe(201);
  return device;
}

test('the page writes to the store over IPC, the app does not delay a shutdown of the machine, and the next start finds all data', async ({
  launch,
}) => {
  const first = await launch();
  const device = await registered(first, 'Tank one');
  const page = await first.page();
  const { id } = device;
  const notes = { ...NO_NOTES, displayName: 'Greenhouse' };
  const answer = await page.evaluate(
    async (input) => (window as unknown as { owner: Bridge }).owner.call('setNotes', input),
    { id, notes },
  );
  expect(answer.ok).toBe(true);
  await expect(page.getByRole('article', { name: 'Greenhouse' })).toBeVisible();
  // Nobody shuts a real machine down for a test.
  if (isReal) await first.operate('quit');
  else expect(await first.operate('shutDown')).toEqual({ isHeldUp: false });
  expect(await first.exited).toBe(0);

  const second = await launch({ home: first.home });
  const again = await second.page();
  await expect(again.getByText('Live', { exact: true })).toBeVisible();
  await expect(again.getByRole('article', { name: 'Greenhouse' })).toBeVisible();
});

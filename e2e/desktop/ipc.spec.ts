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

test('the page writes to the store over IPC, and the data is there after a restart of the app', async ({ launch }) => {
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
  await first.operate('quit');
  expect(await first.exited).toBe(0);

  const second = await launch({ home: first.home });
  await expect((await second.page()).getByRole('article', { name: 'Greenhouse' })).toBeVisible();
});

test('the page has no access to Node or Electron except named functions', async ({ launch }) => {
  const page = await (await launch()).page();
  // Before its scripts have run, no page has globals of its own.
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const found = await page.evaluate(() => {
    const { owner } = window as unknown as { owner: object };
    const members = (object: object, path: string): string[] =>
      Object.entries(object).flatMap(([name, value]) =>
        typeof value === 'object' ? members(value, `${path}${name}.`) : `${path}${name}: ${typeof value}`,
      );
    // A page in the page, which has what any browser gives.
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const plain = frame.contentWindow!;
    const globals = Object.getOwnPropertyNames(window).filter((name) => !(name in plain) && !/^\d+$/.test(name));
    frame.remove();
    return { globals, bridge: members(owner, '').sort(), isFrozen: Object.isFrozen(owner) };
  });
  // Of the tools of this test, and of a library that comes with a part of the page, now or a moment later.
  const known = /^(standIn|__playwright|__pw|__zod_global)/;
  expect(found.globals.filter((name) => !known.test(name))).toEqual(['owner']);
  expect(found.bridge).toEqual([
    'call: function',
    'callDesktop: function',
    'listen: function',
    'listenDesktop: function',
    'osWrap.available: function',
    'osWrap.unwrap: function',
    'osWrap.wrap: function',
  ]);
  // By Electron's own bridge; a stand-in's would prove nothing.
  if (isReal) expect(found.isFrozen).toBe(true);
});

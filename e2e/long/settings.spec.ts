import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '../support/owner-test.ts';
import { field, kept, openSettings, save, test } from '../support/settings-file.ts';

test('names settings of variables, and settings that only the desktop app has', async ({ page, files }) => {
  const node = await files.startWith({ publicPort: 0 }, { LOCAL_PORT: '0', LOCAL_ALLOWED_HOSTS: 'well.lan' });
  await openSettings(page, node);
  await expect(field(page, 'Port of the local endpoint')).toBeDisabled();
  await expect(page.getByText('set by LOCAL_PORT')).toBeVisible();
  await expect(field(page, 'Further host names')).toHaveValue('well.lan');
  await expect(field(page, 'Further host names')).toBeDisabled();
  await expect(field(page, 'Port of the public endpoint')).toBeEnabled();
  await expect(page.getByText('set by DATA_DIR')).toBeVisible();
  await expect(page.getByText('Only in the desktop app')).toHaveCount(2);
  await expect(page.getByText(join(node.dataDir, 'settings.json'))).toBeVisible();

  const set = async (change: object) => {
    const answer = await fetch(`${node.url('local')}/ui/api/setSettings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${node.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ change }),
    });
    return ((await answer.json()) as { value: unknown }).value;
  };
  const problem = (setting: string, kind: string) => ({ saved: false, problem: { setting, kind, holder: null } });
  expect(await set({ publicRateLimit: 5, localPort: 4000 })).toEqual(problem('localPort', 'pinned'));
  expect(await set({ startAtLogin: true })).toEqual(problem('startAtLogin', 'not_applicable'));
  expect(await set({ theme: 'dark' })).toEqual(problem('theme', 'not_applicable'));
  expect(kept(node)).toEqual({ publicPort: 0 });
});

test('a broken settings file is set aside, and the page says so', async ({ page, files }) => {
  const broken = '{"publicPort": 0, "localPort": 0, "theme": 7}';
  const node = await files.startWith(broken);
  const aside = readdirSync(node.dataDir).find((name) => name.startsWith('settings.json.damaged-'));
  expect(readFileSync(join(node.dataDir, aside!), 'utf8')).toBe(broken);
  await openSettings(page, node);
  await expect(page.getByText(/^settings\.json was damaged/)).toBeVisible();
  await expect(page.getByText(aside!)).toBeVisible();
  await field(page, 'Requests a second from one address').fill('7');
  await save(page);
  await expect(page.getByText('Saved. The change applies now.')).toBeVisible();
  expect(kept(node)).toEqual({ publicPort: 0, localPort: 0, publicRateLimit: 7 });
  expect(readFileSync(join(node.dataDir, aside!), 'utf8')).toBe(broken);
});

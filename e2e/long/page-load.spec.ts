import { registered } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

const node = ownerNode(async (started) => {
  await registered(started, ['local'], { name: 'North tank' });
});

const fileOf = (url: string) => new URL(url).pathname.replace(/^.*\/assets\//, '').replace(/-[\w-]{8}\./, '.');

test('fetches every file once, and the next page’s files only after the first page has its answers', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(fileOf(request.url())));
  const done: string[] = [];
  page.on('requestfinished', (request) => done.push(fileOf(request.url())));
  const ahead = page.waitForRequest(/\/device-page-[\w-]{8}\.js$/).then(() => [...done]);
  await openOwner(page, node());
  await expect(page.getByRole('link', { name: 'North tank' }).first()).toBeVisible();
  const before = await ahead;
  expect(before).toEqual(expect.arrayContaining(['/ui/api/overview', '/ui/api/ownerChoices']));
  const files = asked.filter((name) => !name.startsWith('/'));
  expect(files).toContain('first.js');
  expect(files.toSorted()).toEqual([...new Set(files)].toSorted());
});

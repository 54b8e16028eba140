import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RANGE_RULE } from '../support/alerts.ts';
import { type RunningNode, removeFolder, startNode, startProcess, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { answerOf } from '../support/wellhouse.ts';

let dataDir: string;
let node: RunningNode;
const options = () => ({ dataDir, args: ['--ui'], env: { PUBLIC_ENABLED: 'false' } });
const start = async () => {
  node = await startNode(options());
};
beforeEach(async () => {
  dataDir = temporaryFolder();
  await start();
});
afterEach(async () => {
  await node.dispose();
  removeFolder(dataDir);
});

it('are reported over restarts, by the node and by the command line, until the owner dismisses each', async () => {
  await call(node, 'writeAlertRule', { rule: { ...RANGE_RULE, name: 'Broken' } });
  await call(node, 'writeAlertRule', { rule: { ...RANGE_RULE, name: 'Whole' } });
  await node.stop();
  const path = join(dataDir, 'alerts.json');
  const kept = JSON.parse(readFileSync(path, 'utf8'));
  kept.rules[0].low = 'low';
  writeFileSync(path, JSON.stringify(kept));
  writeFileSync(join(dataDir, 'settings.json'), '{"theme":7}');
  const killed = await startProcess(options());
  node = killed;
  const names = (await call(node, 'alertRules', {})).rules.flatMap(({ rule }) =>
    rule.kind === 'range' ? rule.name : [],
  );
  // Taken from the copy before it.
  expect(names).toEqual(['Broken', 'Whole']);
  await killed.kill();
  await start();
  const { files } = await call(node, 'damagedFiles', {});
  expect(files).toMatchObject([
    { file: 'settings.json', whole: null, lost: [{ part: 'settings', entry: 'theme' }] },
    { file: 'alerts.json', whole: null, lost: [], restored: [{ part: 'rules', entry: 'Broken' }] },
  ]);
  const [settings, alerts] = files as [(typeof files)[0], (typeof files)[0]];
  expect(JSON.parse(readFileSync(alerts.copy!, 'utf8'))).toEqual(kept);
  expect((await answerOf(dataDir, ['status'])).damagedFiles).toEqual(files);
  await call(node, 'dismissDamagedFile', { id: alerts.id });
  await node.stop();
  expect((await answerOf(dataDir, ['status'])).damagedFiles).toEqual([settings]);
  await start();
  expect((await call(node, 'damagedFiles', {})).files).toEqual([settings]);
});

it('a missing store is reported until it is dismissed; a first start reports nothing', async () => {
  const missing = async () => (await call(node, 'damagedFiles', {})).files.map(({ file, whole }) => [file, whole]);
  await node.stop();
  // The public endpoint is turned on for the first time.
  node = await startNode({ dataDir, args: ['--ui'] });
  expect(await missing()).toEqual([]);
  await node.stop();
  rmSync(join(dataDir, 'private.db'));
  for (const end of ['-wal', '-shm']) rmSync(join(dataDir, `private.db${end}`), { force: true });
  // The list of stores is gone, too.
  for (const end of ['', '.previous']) rmSync(join(dataDir, `stores.json${end}`), { force: true });
  await start();
  expect(await missing()).toEqual([['private.db', 'missing']]);
  await expect
    .poll(async () => (await call(node, 'alerts', {})).alerts.map(({ kind, store }) => `${kind} ${store}`), {
      timeout: 60_000,
    })
    .toEqual(['storeMissing private']);
  await node.stop();
  await start();
  expect(await missing()).toEqual([['private.db', 'missing']]);
  const [told] = (await call(node, 'damagedFiles', {})).files;
  expect((await answerOf(dataDir, ['status'])).damagedFiles).toEqual([told]);
  await call(node, 'dismissDamagedFile', { id: told!.id });
  await node.stop();
  // Also where no listener takes in for the store.
  for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `public.db${end}`), { force: true });
  await start();
  expect(await missing()).toEqual([['public.db', 'missing']]);
});

import { expect, it } from 'vitest';
import { noteFindings } from '../../src/main/proof/log-findings.ts';
import { removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

it('a node whose store was found changed raises an alert and says so beside its witnesses', async () => {
  const dataDir = temporaryFolder();
  const start = () => startNode({ args: ['--ui'], dataDir });
  try {
    await (await start()).stop();
    await noteFindings(dataDir, new Map([['private', 2]]), Date.now());
    const node = await start();
    try {
      const kinds = async () => (await call(node, 'alerts', {})).alerts.map(({ kind, store }) => `${kind} ${store}`);
      await expect.poll(kinds, { timeout: 60_000 }).toEqual(['logBroken private']);
      const { stores } = await call(node, 'witnesses', {});
      expect(stores.find(({ store }) => store === 'private')!.found).toMatchObject({ count: 2 });
    } finally {
      await node.stop();
    }
  } finally {
    removeFolder(dataDir);
  }
});

import { describe, expect, test } from 'vitest';
import { accept, handWritten, readingsOf, registeredDevice } from '../support/client.ts';
import { ENDPOINTS, removeFolder, startNode, startProcess, temporaryFolder } from '../support/node-process.ts';
import { queryStore } from '../support/store-file.ts';
import { THOROUGH } from '../support/thorough.ts';

/** Both write the log before they answer; the long run kills with both. */
const MODES = THOROUGH > 1 ? ['full', 'normal'] : ['normal'];

describe.each(MODES)('DURABILITY=%s', (durability) => {
  test('confirmed readings are there after a kill', async () => {
    const folder = temporaryFolder();
    const options = { dataDir: `${folder}/data`, env: { DURABILITY: durability } };
    try {
      const devices = [];
      for (let round = 0; round < 3; round += 1) {
        const node = await startProcess(options);
        for (const endpoint of ENDPOINTS) {
          const device = await registeredDevice(node.url(endpoint));
          await accept(
            node.url(endpoint),
            handWritten(device, { seq: round, tail: '|ph=6.20', json: { ph: { plain: 6.2 } } }),
          );
          devices.push({ endpoint, device, round });
        }
        await node.kill();
      }
      const node = await startNode(options);
      for (const { endpoint, device, round } of devices) {
        expect(await readingsOf(node.url(endpoint), device.id)).toMatchObject([
          { seq: BigInt(round), ph: { value: 6.2 } },
        ]);
        expect(queryStore(node.dataDir, endpoint, 'PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
      }
      expect((await node.stop()).code).toBe(0);
    } finally {
      removeFolder(folder);
    }
  });
});

import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { WireClient } from '../../src/simulator/wire-client.ts';
import { runCrashRounds } from '../durability/crash-rounds.ts';
import { nodeStarter } from '../durability/faults.ts';
import { Ledger } from '../durability/ledger.ts';
import { blockOf } from '../durability/load.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));
// After the line above, since hooks run in reverse: the nodes end before their folders go.
const startNode = nodeStarter();

test('four kills under load lose no confirmed reading and no confirmed device (npm run test:crash: a hundred)', async () => {
  const seed = randomInt(2 ** 32);
  const reports = await runCrashRounds({ rounds: 4, seed, dataDir: join(folder, 'crash') });
  expect(
    reports.flatMap(({ findings }) => findings),
    `seed ${seed}`,
  ).toEqual([]);
  expect(reports).toHaveLength(4);
  expect(reports.at(-1)!.readings, 'the load confirmed too little to say anything').toBeGreaterThan(200);
  expect(reports.at(-1)!.devices).toBeGreaterThan(16);
});

test('the comparison detects a missing reading or device, and a changed reading', async () => {
  const dataDir = join(folder, 'tampered');
  const node = await startNode({ dataDir });
  const ledger = new Ledger();
  const client = new WireClient(node.url('local'));
  const device = new SimulatedDevice();
  expect((await client.register(device.registration())).status).toBe(201);
  expect(await client.post([1, 2, 3].map((seq) => blockOf(device, seq)))).toMatchObject({ status: 200, accepted: 3 });
  for (const seq of [1, 2, 3]) ledger.confirmReading(device.id, seq);
  client.close();
  await node.stop();

  const path = storePath(dataDir, 'local');
  expect(ledger.compareWith(path)).toEqual([]);
  const db = new Database(path);
  db.exec('DELETE FROM readings WHERE seq = 2; UPDATE readings SET water_level = 5 WHERE seq = 3');
  db.close();
  ledger.confirmDevice('ab'.repeat(32));
  const findings = ledger.compareWith(path);
  expect(findings.map((finding) => finding.replace(device.id, 'D'))).toEqual([
    expect.stringMatching(/^reading 3 of D is not what was sent/),
    'reading 2 of D was confirmed and is missing',
    `device ${'ab'.repeat(32)} was confirmed and is missing`,
  ]);
});

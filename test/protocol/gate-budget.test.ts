import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MAX_BLOCKS_PER_BATCH } from '../../src/shared/protocol/limits.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, postBlocks, registeredDevice } from '../support/client.ts';
import { post } from '../support/http.ts';
import { runningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { confirmedWhile } from '../support/steady-device.ts';

const RATE = 20;
const BURST = 5000;
const node = runningNode({
  args: ['--ui'],
  env: { GATE_ADDRESS: '127.0.0.1', GATE_PORT: '0', GATE_DEVICE_RATE: String(RATE), PUBLIC_RATE_LIMIT: '0' },
});

async function gate(): Promise<string> {
  const { gate: standing } = await call(node.process, 'gate', {});
  if (standing.state !== 'listening') throw new Error('the gate does not listen');
  return `http://${standing.address}:${standing.port}`;
}
const overBudget = async () => (await call(node.process, 'gate', {})).overBudget;
const blocksOf = (device: SimulatedDevice, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => handWritten(device, { seq: from + index }));
const postAll = async (blocks: readonly object[]) => {
  for (let from = 0; from < blocks.length; from += MAX_BLOCKS_PER_BATCH)
    await postBlocks(await gate(), blocks.slice(from, from + MAX_BLOCKS_PER_BATCH));
};

test('a device that floods the gate is refused, is shown to the owner, and delays no other', async () => {
  const flooding = await registeredDevice(node.url('local'));
  const other = await registeredDevice(node.url('local'));
  const burst = blocksOf(flooding, 1, BURST);
  await confirmedWhile(await gate(), other, () => postAll(burst));
  // Sent again they are duplicates, and in another's hands their signature is wrong: neither costs anything.
  await postAll(burst.slice(0, 500));
  const forged = { ...blocksOf(flooding, 190_000, 1)[0]!, signature: 'ab'.repeat(64) };
  expect((await post(`${await gate()}/v1/telemetry`, { blocks: [forged] })).status).not.toBe(429);
  // What was filled up while the burst was sent is used up first.
  let seq = BURST;
  const more = async () => {
    seq += MAX_BLOCKS_PER_BATCH;
    return post(`${await gate()}/v1/telemetry`, { blocks: blocksOf(flooding, seq, MAX_BLOCKS_PER_BATCH) });
  };
  const refused = await confirmedWhile(await gate(), other, async () => {
    // Until the next ones are refused too, however late they come: one reading left lets a whole batch pass.
    const wait = async () => Number((await more()).headers['retry-after'] ?? 0);
    await expect.poll(wait, { timeout: 60_000, interval: 1 }).toBeGreaterThan(3);
    return more();
  });
  expect([refused.status, refused.json]).toEqual([429, { error: 'rate_limited' }]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const [shown, ...others] = await overBudget();
  expect(shown).toMatchObject({ id: flooding.id, budget: 'rate', refused: expect.any(Number) });
  expect(shown!.refused).toBeGreaterThan(1);
  expect(others).toEqual([]);
  // Of a batch with blocks of several devices only its own are refused.
  const mixed = await postBlocks(await gate(), [
    handWritten(flooding, { seq: 199_999 }),
    handWritten(other, { seq: 1 }),
  ]);
  expect(mixed).toEqual({ status: 207, accepted: 1, errors: [{ seq: '199999', error: 'rate_limited' }] });
  // The local endpoint has no such budget.
  await accept(node.url('local'), handWritten(flooding, { seq: 200_000 }));
  // As the answer said: after so many seconds it is taken again.
  const again = await post(`${await gate()}/v1/telemetry`, { blocks: [handWritten(flooding, { seq: 200_001 })] });
  await delay(Number(again.headers['retry-after'] ?? 0) * 1000 + 100);
  await accept(await gate(), handWritten(flooding, { seq: 200_002 }));
});

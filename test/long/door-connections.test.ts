import { afterEach, expect, test } from 'vitest';
import { DOOR_ENV, DoorClient, sendToDoor } from '../support/door.ts';
import { IdleConnections } from '../support/idle-connections.ts';
import { runningNode } from '../support/node-process.ts';

const node = runningNode({ args: ['--ui'], env: { ...DOOR_ENV, PUBLIC_RATE_LIMIT: '0' } });
const ADDRESSES = Array.from({ length: 7 }, (_, index) => `127.0.4.${index + 1}`);
/** As many as an address may have; seven addresses together could have more than the door keeps. */
const OF_EACH = 48;
const ALL = 256;

const idle = new IdleConnections();
/** Aborted when a test is over: what was closed meanwhile must not come back. */
let over = new AbortController();
afterEach(() => {
  over.abort();
  over = new AbortController();
  idle.close();
});

test('a paired phone is served while seven addresses hold all connections and reconnect', async () => {
  const phone = await DoorClient.pair(node.process, 'app');
  const events = phone.events();
  await events.ready;
  const port = Number(new URL(phone.door).port);
  let reopened = 0;
  const { signal } = over;
  const hold = (address: string, hasHandshake: boolean): void => {
    if (signal.aborted) return;
    idle.open(port, address, hasHandshake).once('close', () => {
      reopened += 1;
      setImmediate(() => hold(address, hasHandshake));
    });
  };
  for (const address of ADDRESSES) for (let count = 0; count < OF_EACH; count += 1) hold(address, count % 2 === 0);
  await expect.poll(() => reopened, { timeout: 60_000 }).toBeGreaterThan(ALL);
  const statuses: number[] = [];
  for (let count = 0; count < 10; count += 1) {
    // Each time over a new connection.
    const { status } = await sendToDoor(`${phone.door}/ui/api/caller`, {
      ...{ method: 'POST', body: '{}', from: `127.0.5.${count + 1}` },
      headers: { ...phone.headers, 'content-type': 'application/json' },
    });
    statuses.push(status);
  }
  expect(statuses).toEqual(statuses.map(() => 200));
  expect(events.socket.readyState).toBe(events.socket.OPEN);
}, 120_000);

test('a paired phone at its known address is served while hundreds of addresses take turns with all connections', async () => {
  const phone = await DoorClient.pair(node.process, 'app');
  const port = Number(new URL(phone.door).port);
  const ask = () =>
    sendToDoor(`${phone.door}/ui/api/caller`, {
      ...{ method: 'POST', body: '{}', from: '127.0.6.1' },
      headers: { ...phone.headers, 'content-type': 'application/json' },
    });
  expect((await ask()).status).toBe(200);
  let reopened = 0;
  const { signal } = over;
  const hold = (address: string): void => {
    if (signal.aborted) return;
    idle.open(port, address, true).once('close', () => {
      reopened += 1;
      setImmediate(() => hold(address));
    });
  };
  for (let count = 0; count < 2 * ALL; count += 1) hold(`127.0.7.${1 + (count % 250)}`);
  await expect.poll(() => reopened, { timeout: 60_000 }).toBeGreaterThan(2 * ALL);
  const statuses: number[] = [];
  for (let count = 0; count < 10; count += 1) statuses.push((await ask()).status);
  expect(statuses).toEqual(statuses.map(() => 200));
}, 120_000);

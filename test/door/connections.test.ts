import { afterEach, expect, test } from 'vitest';
import { DOOR_ENV, DoorClient } from '../support/door.ts';
import { IdleConnections } from '../support/idle-connections.ts';
import { runningNode } from '../support/node-process.ts';

// Floods of connections from many addresses: test/long/door-connections.test.ts.

const node = runningNode({ args: ['--ui'], env: { ...DOOR_ENV, PUBLIC_RATE_LIMIT: '0' } });
/** As many as an address may have. */
const OF_EACH = 48;

const idle = new IdleConnections();
afterEach(() => idle.close());

test('at the limit of an address its own idle connections close before those of a paired client', async () => {
  const phone = await DoorClient.pair(node.process, 'app');
  const port = Number(new URL(phone.door).port);
  const events = phone.events();
  await events.ready;
  const first = idle.open(port, '127.0.0.1', true);
  const ended = new Promise((resolve) => first.once('close', resolve));
  for (let count = 0; count < OF_EACH; count += 1) idle.open(port, '127.0.0.1', false);
  await ended;
  expect((await phone.ask('caller', {})).status).toBe(200);
  expect(events.socket.readyState).toBe(events.socket.OPEN);
}, 60_000);

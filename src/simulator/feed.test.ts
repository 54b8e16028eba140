import { afterEach, beforeEach, expect, test } from 'vitest';
import { BlockSource } from './block-source.ts';
import { SimulatedDevice } from './device.ts';
import { BUFFER_SIZE, DeviceFeed, type Moment } from './feed.ts';
import { StubNode } from './stub-node.ts';
import { WireClient } from './wire-client.ts';

const never = new AbortController().signal;
const patience = { retryMs: 1, maxFailures: 5 };

let node: StubNode;
let client: WireClient;
let port = 0;
let lines: string[] = [];
let feed: DeviceFeed;

beforeEach(async () => {
  node = new StubNode();
  const url = await node.listen();
  port = Number(new URL(url).port);
  client = new WireClient(url);
  lines = [];
  const device = new SimulatedDevice();
  let seq = 0n;
  const takeSeq = () => {
    seq += 1n;
    return seq;
  };
  const settings = { ownerSeed: new Uint8Array(32), keyVersion: 0, encrypt: new Set<never>(), bootedAt: null };
  const source = new BlockSource(device, takeSeq, settings);
  feed = new DeviceFeed(client, source, device.registration(), (line) => lines.push(line));
});
afterEach(async () => {
  client.close();
  await node.close();
});

const moments = (count: number): Moment[] =>
  Array.from({ length: count }, (_, index) => ({ measuredAt: 60_000 * index, datedAt: 60_000 * index }));
const seqs = (blocks: readonly { seq: string }[]) => blocks.map(({ seq }) => Number(seq));
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const tick = async (times = 1) => {
  for (let index = 0; index < times; index += 1) await feed.tick({ measuredAt: 0, datedAt: index }, never);
};

test('a backfill registers once and is sent in batches of 100, in order', async () => {
  expect(await feed.backfill(moments(250), patience, never)).toBe(true);
  expect(node.registrations).toBe(1);
  expect(node.batches.map((batch) => batch.length)).toEqual([100, 100, 50]);
  expect(seqs(node.accepted)).toEqual(upTo(250));
  expect(feed).toMatchObject({ sent: 250, confirmed: 250, lost: 0 });
});

test('a registered device continues after 409', async () => {
  node.devices.set(feed.source.device.id, {});
  expect(await feed.backfill(moments(1), patience, never)).toBe(true);
  expect(lines[0]).toContain('was registered before');
});

test('after 207 only unconfirmed readings are sent again', async () => {
  let refused = false;
  node.script = ({ path }) => {
    if (path !== '/v1/telemetry' || refused) return null;
    refused = true;
    const errors = ['3', '7'].map((seq) => ({ seq, error: 'storage hiccup' }));
    return { status: 207, body: { accepted: 98, errors } };
  };
  expect(await feed.backfill(moments(150), patience, never)).toBe(true);
  expect(seqs(node.batches[1]!)).toEqual([3, 7, ...upTo(150, 101)]);
  expect(feed).toMatchObject({ sent: 150, confirmed: 150 });
});

test('inconsistent errors confirm nothing: the whole batch is sent again', async () => {
  let count = 0;
  node.script = ({ path }) => {
    if (path !== '/v1/telemetry') return null;
    count += 1;
    return count === 1 ? { status: 207, body: { accepted: 9, errors: [{ seq: '', error: 'Invalid block' }] } } : null;
  };
  expect(await feed.backfill(moments(10), patience, never)).toBe(true);
  expect(node.batches.map(seqs)).toEqual([upTo(10), upTo(10)]);
});

test('a backfill that is refused repeatedly is given up', async () => {
  node.script = ({ path, body }) => {
    if (path !== '/v1/telemetry') return null;
    const { blocks } = body as { blocks: { seq: string }[] };
    return { status: 207, body: { accepted: 0, errors: blocks.map(({ seq }) => ({ seq, error: 'no' })) } };
  };
  expect(await feed.backfill(moments(150), patience, never)).toBe(false);
  expect(node.batches).toHaveLength(3);
  expect(feed).toMatchObject({ sent: 100, confirmed: 0, lost: 100 });
});

test('a backfill survives a node that is down or full, and reports each once', async () => {
  await node.close();
  const running = feed.backfill(moments(120), { retryMs: 1, maxFailures: Number.POSITIVE_INFINITY }, never);
  while (lines.length === 0) await new Promise((resolve) => setImmediate(resolve));
  let full = 3;
  node.script = ({ path }) => {
    if (path !== '/v1/telemetry' || full === 0) return null;
    full -= 1;
    return { status: 503, body: { error: 'storage_unavailable' } };
  };
  await node.listen(port);
  expect(await running).toBe(true);
  expect(seqs(node.accepted)).toEqual(upTo(120));
  const told = lines.filter((line) => /no answer|503/.test(line));
  expect(told).toHaveLength(2);
  expect(told[0]).toContain('ECONNREFUSED');
  expect(told[1]).toContain('503 storage_unavailable');
  expect(lines.at(-1)).toContain('works again');
});

test('a backfill with bounded patience ends without a node', async () => {
  await node.close();
  expect(await feed.backfill(moments(5), patience, never)).toBe(false);
  expect(feed).toMatchObject({ sent: 0, confirmed: 0, lost: 5 });
});

test('live: one block a request; while the node is down the newest 50 are kept, then sent oldest first', async () => {
  await tick(2);
  expect(node.batches.map(seqs)).toEqual([[1], [2]]);
  await node.close();
  await tick(BUFFER_SIZE + 3);
  expect(feed).toMatchObject({ confirmed: 2, waiting: BUFFER_SIZE, lost: 3 });
  await node.listen(port);
  await tick();
  expect(seqs(node.accepted)).toEqual([1, 2, 56, ...upTo(55, 6)]);
  expect(node.batches.every((batch) => batch.length === 1)).toBe(true);
  expect(feed).toMatchObject({ sent: 56, confirmed: 53, waiting: 0, lost: 3 });
});

test('live: a device that could not register keeps its readings and registers when the node comes', async () => {
  await node.close();
  await tick(3);
  expect(feed).toMatchObject({ sent: 0, waiting: 3 });
  await node.listen(port);
  await tick();
  expect(seqs(node.accepted)).toEqual([4, 1, 2, 3]);
  expect(feed).toMatchObject({ sent: 4, confirmed: 4, waiting: 0 });
});

test('live: tries its stored readings once an interval, and stops at the first failure', async () => {
  const refused = new Set(['1', '2']);
  node.script = ({ path, body }) => {
    const [block] = (body as { blocks?: { seq: string }[] }).blocks ?? [];
    if (path !== '/v1/telemetry' || !refused.has(block!.seq)) return null;
    return { status: 207, body: { accepted: 0, errors: [{ seq: block!.seq, error: 'no' }] } };
  };
  await tick(3);
  // Each reading is followed by the re-sends: reading 1 is refused first, so 2 is not tried again.
  expect(node.batches.flatMap(seqs)).toEqual([1, 2, 1, 3, 1]);
  refused.clear();
  await tick();
  expect(node.batches.flatMap(seqs).slice(5)).toEqual([4, 1, 2]);
  expect(feed.waiting).toBe(0);
});

test('live: 207 never confirms, even without a named error', async () => {
  node.script = ({ path }) => (path === '/v1/telemetry' ? { status: 207, body: { accepted: 1, errors: [] } } : null);
  await tick();
  expect(feed).toMatchObject({ confirmed: 0, waiting: 1 });
});

test('a device that the node deleted does not register again, and prints once what to do', async () => {
  await tick();
  node.devices.clear();
  await tick(3);
  expect(node.registrations).toBe(1);
  expect(feed).toMatchObject({ confirmed: 1, waiting: 3 });
  const told = lines.filter((line) => line.includes('Device not found'));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('start the simulator again');
  expect(told[0]).not.toContain(feed.source.device.id);
});

test('a device that gets a 404 registers again before its next reading, as at a gate that does not know it', async () => {
  await tick();
  node.devices.clear();
  node.script = ({ path }) =>
    path === '/v1/telemetry' && node.registrations === 1 ? { status: 404, body: { error: 'Device not found' } } : null;
  await tick(2);
  expect(node.registrations).toBe(2);
  expect(seqs(node.accepted)).toEqual([1, 3, 2]);
  expect(feed).toMatchObject({ isConfirmed: true, waiting: 0 });
});

test('a registration that is refused is tried again before the next reading', async () => {
  node.script = ({ count }) => (count === 1 ? { status: 400, body: { error: 'validation_error' } } : null);
  await tick(2);
  expect(node.registrations).toBe(2);
  expect(seqs(node.accepted)).toEqual([2, 1]);
  expect(lines[0]).toContain('registration failed: the node answered 400 validation_error');
});

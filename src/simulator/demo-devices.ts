import { parentPort, workerData } from 'node:worker_threads';
import { publicKeyOf } from '../shared/crypto/ed25519.ts';
import { demoDeviceSeed, demoSecret } from '../shared/demo-keys.ts';
import { MAX_BLOCKS_PER_BATCH } from '../shared/protocol/limits.ts';
import { BlockSource } from './block-source.ts';
import { type BlockInput, SimulatedDevice } from './device.ts';
import { type PostResponse, WireClient } from './wire-client.ts';

/**
 * The thread with a node's demo devices. Three devices register at its local endpoint, send a day of past readings and
 * then continue live. Keys and seqs are derived from the node's key and the time, so a later start continues with the
 * same devices and no file is needed: no seq is repeated with other values. Any message ends the thread when its
 * requests have been answered.
 */

const { url, nodePublicKey } = workerData as { url: string; nodePublicKey: string };

const PAST_MS = 24 * 3_600_000;
const PAST_STEP_MS = 60_000;
const LIVE_STEP_MS = 5000;

const DEMOS = [
  { name: 'Demo: greenhouse', encrypt: [], drift: [] },
  { name: 'Demo: nursery', encrypt: ['ph', 'ec'], drift: [] },
  // The demo's alert rule is about this drift.
  { name: 'Demo: herb bench', encrypt: [], drift: [['ph', 'low']] },
] as const;

const ownerSeed = demoSecret(nodePublicKey, 'owner');
const ownerPubkey = Buffer.from(publicKeyOf(ownerSeed)).toString('hex');
const client = new WireClient(url);
const startedAt = Date.now();

interface Demo {
  readonly source: BlockSource;
  /** The seq of the next block: the second in which it is measured, so that it is never used twice. */
  seq: number;
}

const demos = DEMOS.map(({ name, encrypt, drift }, index): Demo => {
  const mac = `02${Buffer.from(demoSecret(nodePublicKey, `mac ${index}`)).toString('hex', 0, 5)}`;
  const device = new SimulatedDevice({ seed: demoDeviceSeed(nodePublicKey, index), mac, name, ownerPubkey });
  const demo: { source?: BlockSource; seq: number } = { seq: 0 };
  demo.source = new BlockSource(device, () => BigInt(demo.seq), {
    ownerSeed,
    keyVersion: encrypt.length > 0 ? 1 : 0,
    encrypt: new Set(encrypt),
    bootedAt: null,
    drift: { fields: new Map(drift), from: startedAt },
  });
  return demo as Demo;
});

async function register({ source: { device } }: Demo): Promise<void> {
  const { status } = await client.register(device.registration({ publishTo: 0, ownerName: 'Demo' }));
  if (status !== 201 && status !== 409) throw new Error(`a demo device was not registered: ${status}`);
}

let isStopping = false;
const underWay = new Set<Promise<unknown>>();

/** Sends blocks, unless the demo is ending. */
async function post(blocks: () => BlockInput[]): Promise<PostResponse | null> {
  if (isStopping) return null;
  const sent = client.post(blocks());
  underWay.add(sent);
  try {
    return await sent;
  } finally {
    underWay.delete(sent);
  }
}

parentPort!.once('message', async () => {
  isStopping = true;
  await Promise.allSettled(underWay);
  process.exit();
});

function blockAt(demo: Demo, time: number) {
  demo.seq = Math.floor(time / 1000);
  return demo.source.next(time, time);
}

/** Sends the past readings, newest first, so that the readings that people look at first arrive first. */
async function sendPast(demo: Demo, now: number): Promise<void> {
  const start = Math.floor(now / PAST_STEP_MS) * PAST_STEP_MS;
  const times = Array.from({ length: PAST_MS / PAST_STEP_MS }, (_, index) => start - index * PAST_STEP_MS);
  for (let at = 0; at < times.length; at += MAX_BLOCKS_PER_BATCH) {
    await post(() => times.slice(at, at + MAX_BLOCKS_PER_BATCH).map((time) => blockAt(demo, time)));
  }
}

/** Continues live. A forgotten device, or a node that does not answer, does not stop the other devices. */
async function goLive(demo: Demo): Promise<void> {
  try {
    const reply = await post(() => [blockAt(demo, Date.now())]);
    if (reply === null || reply.errors.some(({ error }) => error.startsWith('Device not found'))) return;
  } catch {
    // Without an answer the reading is lost; the next one comes soon.
  }
  setTimeout(() => void goLive(demo), LIVE_STEP_MS);
}

await Promise.all(demos.map(register));
parentPort!.postMessage('registered');
for (const demo of demos) {
  await sendPast(demo, Date.now());
  void goLive(demo);
}

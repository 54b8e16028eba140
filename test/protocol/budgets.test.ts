import { randomBytes } from 'node:crypto';
import { statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { MAX_BLOCKS_PER_BATCH } from '../../src/shared/protocol/limits.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { NODE_PHRASE } from '../support/care.ts';
import { accept, handWritten, postBlocks, register, registeredDevice } from '../support/client.ts';
import { post, type Reply, send } from '../support/http.ts';
import {
  isOverPostgres,
  type RunningNode,
  removeFolder,
  runningNode,
  startNode,
  temporaryFolder,
} from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { confirmedWhile } from '../support/steady-device.ts';
import { storePath } from '../support/store-file.ts';

// Each budget is used up by somebody else, while a device of the owner's goes on posting and is always confirmed. The rate
// of one device at the gate: gate-budget.test.ts; connections and codes: test/long/budgets.test.ts.

const GATE_ENV = { GATE_ADDRESS: '127.0.0.1', GATE_PORT: '0' };

function expectUnavailable(reply: Reply): void {
  expect([reply.status, reply.json], reply.text).toEqual([503, { error: 'storage_unavailable' }]);
  expect(String(reply.headers['retry-after'])).toMatch(/^[1-9][0-9]*$/);
}

async function gateOf(node: RunningNode): Promise<string> {
  const { gate } = await call(node, 'gate', {});
  if (gate.state !== 'listening') throw new Error('the gate does not listen');
  return `http://${gate.address}:${gate.port}`;
}

/** The devices that the owner sees, as `budget id`. */
async function refusedAt(node: RunningNode): Promise<string[]> {
  return (await call(node, 'gate', {})).overBudget.map(({ budget, id }) => `${budget} ${id}`);
}

const postOne = (url: string, device: SimulatedDevice, seq: number) =>
  post(`${url}/v1/telemetry`, { blocks: [handWritten(device, { seq })] });

/** A registration near its limit of 64 KiB. */
const bulky = (device: SimulatedDevice) =>
  device.registration({
    networks: Array.from({ length: 64 }, () => 'n'.repeat(256)),
    localServers: Array.from({ length: 64 }, () => 's'.repeat(256)),
  });

describe('the public store', () => {
  const node = runningNode({ args: ['--ui'], env: { ...GATE_ENV, PUBLIC_MAX_BYTES: String(8 * 1024 ** 2) } });

  // Over PostgreSQL the owner's page does not know the devices of the public store.
  test.skipIf(isOverPostgres)(
    'filled by strangers, keeps a fifth for the devices that the owner claimed',
    async () => {
      const url = node.url('public');
      const [claimed, both, denied, stranger] = (await Promise.all(
        Array.from({ length: 4 }, () => registeredDevice(url)),
      )) as [SimulatedDevice, SimulatedDevice, SimulatedDevice, SimulatedDevice];
      for (const [device, mine] of [
        [claimed, true],
        [denied, false],
      ] as const)
        await call(node.process, 'setNotes', { id: device.id, notes: { ...NO_NOTES, mine } });
      // What the private store has is the owner's without a word.
      expect((await register(node.url('local'), both.registration())).status).toBe(201);

      await confirmedWhile(url, claimed, async () => {
        let refused: Reply | undefined;
        for (let count = 0; refused === undefined && count < 1000; count += 1) {
          const reply = await register(url, bulky(new SimulatedDevice()));
          if (reply.status !== 201) refused = reply;
        }
        expectUnavailable(refused!);
        for (const device of [denied, stranger]) expectUnavailable(await postOne(url, device, 1));
        for (let seq = 1; seq <= 20; seq += 1) await accept(url, handWritten(both, { seq }));
        const mixed = await postBlocks(url, [handWritten(stranger, { seq: 2 }), handWritten(both, { seq: 21 })]);
        expect(mixed).toEqual({ status: 207, accepted: 1, errors: [{ seq: '2', error: 'storage_unavailable' }] });
        expect((await send(`${url}/health`)).status).toBe(503);
        expect((await send(`${node.url('local')}/health`)).status).toBe(200);
      });
      expect(await refusedAt(node.process)).toEqual(
        expect.arrayContaining([`share ${denied.id}`, `share ${stranger.id}`]),
      );
      expect((await refusedAt(node.process)).join()).not.toContain(claimed.id);

      // The owner's word counts from then on.
      await call(node.process, 'setNotes', { id: stranger.id, notes: { ...NO_NOTES, mine: true } });
      await expect.poll(async () => (await postOne(url, stranger, 3)).status, { timeout: 30_000 }).toBe(200);
      await call(node.process, 'setNotes', { id: stranger.id, notes: { ...NO_NOTES, mine: false } });
      await expect.poll(async () => (await postOne(url, stranger, 4)).status, { timeout: 30_000 }).toBe(503);
    },
    120_000,
  );
});

/** Four bytes a character: as much as a registration can add to the list. */
const LONG = { name: '🛰'.repeat(1024), ownerName: '🛰'.repeat(1024) };
/** A little less than what the list takes. */
const STRANGERS = 3700;
/** For requests that wait until the node has read the whole list. */
const PATIENT = { timeoutMs: 60_000 };

/** Writes devices into the public store of a node before its start: to register them takes ten times as long. */
function fillWithStrangers(dataDir: string): void {
  const path = storePath(dataDir, 'public');
  writeFileSync(join(dataDir, 'identity.mnemonic'), `${NODE_PHRASE}\n`, { mode: 0o600 });
  prepareStore(path, 'public');
  const writer = new DirectWriter(path);
  const registration = deviceRegistration.parse(new SimulatedDevice().registration(LONG));
  writer.run(
    Array.from({ length: STRANGERS }, () => {
      const id = randomBytes(32).toString('hex');
      return { kind: 'register', registration: { ...registration, id, ownerPubkey: id }, createdAt: Date.now() };
    }),
  );
  writer.close();
}

describe('the list of devices', () => {
  const dataDir = temporaryFolder();
  // Over PostgreSQL all of them are registered.
  if (!isOverPostgres) beforeAll(() => fillWithStrangers(dataDir));
  const node = runningNode({ dataDir, args: ['--ui'], env: GATE_ENV });
  afterAll(() => removeFolder(dataDir));

  test('strangers with many devices are refused before the list becomes too long to send', async () => {
    const url = node.url('public');
    const own = new SimulatedDevice();
    expect((await register(url, own.registration(), PATIENT)).status).toBe(201);
    const refused = await confirmedWhile(url, own, async () => {
      for (let batch = 0; batch < 100; batch += 1) {
        const replies = await Promise.all(
          Array.from({ length: 40 }, () => {
            const device = new SimulatedDevice();
            return register(url, device.registration({ ...LONG, ownerPubkey: device.id }));
          }),
        );
        const other = replies.find(({ status }) => status !== 201);
        if (other !== undefined) return other;
      }
      return null;
    });
    expect(refused?.json).toEqual({ error: 'device_limit_reached' });
    expect(refused?.status).toBe(503);
    const list = await send(`${url}/v1/devices`, PATIENT);
    expect(list.status).toBe(200);
    expect(list.text).toContain(own.id);
    expect(Buffer.byteLength(list.text)).toBeLessThanOrEqual(16 * 1024 ** 2);
    expect((await refusedAt(node.process)).some((each) => each.startsWith('list '))).toBe(true);
    await registeredDevice(node.url('local'));
  }, 180_000);
});

const MIB = 1024 ** 2;
const disk = mountSmallDisk(96);

describe.skipIf(disk === null)('the disk (needs root on Linux, to mount a small one)', () => {
  test('with little free space, the flooding device is refused first', async () => {
    const { folder } = disk!;
    const node = await startNode({
      dataDir: join(folder, 'data'),
      args: ['--ui'],
      env: { ...GATE_ENV, GATE_DEVICE_RATE: '0', PUBLIC_ENABLED: 'false' },
    });
    try {
      const local = node.url('local');
      const gate = await gateOf(node);
      const [own, quiet, flood] = (await Promise.all(Array.from({ length: 3 }, () => registeredDevice(local)))) as [
        SimulatedDevice,
        SimulatedDevice,
        SimulatedDevice,
      ];
      await accept(local, handWritten(quiet, { seq: 1 }));
      let seq = 0;
      const batch = () => {
        seq += MAX_BLOCKS_PER_BATCH;
        return Array.from({ length: MAX_BLOCKS_PER_BATCH }, (_, index) => handWritten(flood, { seq: seq + index }));
      };
      await confirmedWhile(local, own, async () => {
        for (let count = 0; count < 30; count += 1) expect((await postBlocks(gate, batch())).status).toBe(200);
        // A fifth is 19 MiB, the node's own reserve not yet 10.
        const { bavail, bsize } = statfsSync(folder);
        writeFileSync(join(folder, 'ballast'), Buffer.alloc(bavail * bsize - 15 * MIB));
        await expect
          .poll(async () => (await post(`${gate}/v1/telemetry`, { blocks: batch() })).status, { timeout: 60_000 })
          .toBe(503);
        for (const url of [gate, local]) expectUnavailable(await postOne(url, flood, 1));
        await accept(gate, handWritten(quiet, { seq: 2 }));
        const mixed = await postBlocks(local, [handWritten(flood, { seq: 2 }), handWritten(quiet, { seq: 3 })]);
        expect(mixed).toEqual({ status: 207, accepted: 1, errors: [{ seq: '2', error: 'storage_unavailable' }] });
        expect((await send(`${gate}/health`)).status).toBe(200);
      });
      expect(await refusedAt(node)).toEqual([`disk ${flood.id}`]);
      const [told] = (await call(node, 'gate', {})).overBudget;
      expect(Date.now() - told!.since).toBeLessThan(60_000);
      disk!.free();
      await expect.poll(async () => (await postOne(local, flood, 3)).status, { timeout: 60_000 }).toBe(200);
    } finally {
      await node.dispose();
      disk!.remove();
    }
  }, 240_000);
});

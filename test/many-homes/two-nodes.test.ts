import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPhrase } from '../../src/shared/crypto/phrase/phrase.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, postBlocks, readingsOf, register } from '../support/client.ts';
import { post, send } from '../support/http.ts';
import {
  type RunningNode,
  removeFolder,
  runToEnd,
  startNode,
  startProcess,
  temporaryFolder,
} from '../support/node-process.ts';
import { moveTests } from './move-store.ts';
import { describeTwoNodes, PASSWORD } from './two-nodes.ts';

describeTwoNodes('two nodes', ({ nodes, urls, server, env }) => {
  it('have one identity', () => {
    const [one, other] = nodes();
    expect(one.started.publicKey).toBe(other.started.publicKey);
  });

  it('answer at once what the other one has confirmed', async () => {
    const device = new SimulatedDevice();
    const [first, second] = urls();
    expect((await register(first, device.registration())).status).toBe(201);
    expect((await register(second, device.registration())).status).toBe(409);
    for (let seq = 1; seq <= 20; seq += 1) {
      const [at, beside] = seq % 2 === 0 ? [first, second] : [second, first];
      await accept(at, handWritten(device, { seq }));
      expect((await readingsOf(beside, device.id)).map((reading) => reading.seq)[0]).toBe(BigInt(seq));
    }
    const lists = await Promise.all(urls().map((url) => send(`${url}/v1/devices`)));
    expect(lists[0]!.text).toBe(lists[1]!.text);
    const added = new SimulatedDevice();
    await register(second, added.registration());
    expect((await send(`${first}/v1/devices`)).text).toContain(added.id);
  });

  it('register a device once, however they race', async () => {
    for (let round = 0; round < 10; round += 1) {
      const device = new SimulatedDevice();
      const replies = await Promise.all([...urls(), ...urls()].map((url) => register(url, device.registration())));
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    }
  });

  it('count the registrations of an address together, as a trusted proxy names it', async () => {
    const from = (address: string) => ({ headers: { 'x-forwarded-for': `198.51.100.1, ${address}` } });
    const statuses: number[] = [];
    for (let count = 0; count < 61; count += 1) {
      const reply = await register(urls()[count % 2]!, new SimulatedDevice().registration(), from('203.0.113.7'));
      statuses.push(reply.status);
      if (reply.status === 429) expect(Number(reply.headers['retry-after'])).toBeGreaterThan(3000);
    }
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 201), 429]);
    expect((await register(urls()[0], new SimulatedDevice().registration(), from('203.0.113.8'))).status).toBe(201);
  });

  it('refuse while the database is gone, and go on by themselves when it is back', async () => {
    const device = new SimulatedDevice();
    const [first, second] = urls();
    await register(first, device.registration());
    await accept(first, handWritten(device, { seq: 1 }));
    let late: RunningNode | undefined;
    await server().restart(async () => {
      for (const url of urls()) {
        const reply = await post(`${url}/v1/telemetry`, { blocks: [handWritten(device, { seq: 2 })] });
        expect([reply.status, reply.json]).toEqual([503, { error: 'storage_unavailable' }]);
        expect((await send(`${url}/v1/devices/${device.id}/telemetry`)).status).toBe(503);
        expect((await send(`${url}/health`)).json).toMatchObject({ status: 'storage_unavailable' });
        expect((await register(url, new SimulatedDevice().registration())).status).toBe(503);
      }
      expect((await send(`${nodes()[0].url('local')}/health`)).status).toBe(200);
      late = await startNode({ env: { ...env(), LOCAL_ENABLED: 'false' } });
      expect((await send(`${late.url('public')}/health`)).json).toMatchObject({ status: 'storage_unavailable' });
      const reply = await post(`${late.url('public')}/v1/telemetry`, { blocks: [handWritten(device, { seq: 2 })] });
      expect([reply.status, reply.json]).toEqual([503, { error: 'storage_unavailable' }]);
    });
    for (const url of [...urls(), late!.url('public')])
      await expect.poll(async () => (await send(`${url}/health`)).status).toBe(200);
    await accept(second, handWritten(device, { seq: 2 }));
    expect((await readingsOf(first, device.id)).map(({ seq }) => seq)).toEqual([2n, 1n]);
    expect((await readingsOf(late!.url('public'), device.id)).map(({ seq }) => seq)).toEqual([2n, 1n]);
    await accept(late!.url('public'), handWritten(device, { seq: 3 }));
    await late!.dispose();
  });

  it('lose no confirmed reading when one stops', async () => {
    const device = new SimulatedDevice();
    const [first] = urls();
    await register(first, device.registration());
    const third = await startNode({ env: env() });
    let confirmed = 0;
    const sending = (async () => {
      for (let seq = 1; ; seq += 1) {
        const reply = await postBlocks(third.url('public'), [handWritten(device, { seq })]).catch(() => null);
        if (reply?.status !== 200) return;
        confirmed = seq;
      }
    })();
    await expect.poll(() => confirmed).toBeGreaterThan(20);
    expect((await third.stop()).code).toBe(0);
    await sending;
    await third.dispose();
    expect((await readingsOf(first, device.id)).length).toBeGreaterThanOrEqual(Math.min(confirmed, 500));
  });

  it('may serve the public endpoint alone', async () => {
    const device = new SimulatedDevice();
    const alone = await startProcess({ env: { ...env(), LOCAL_ENABLED: 'false' } });
    try {
      expect(alone.started.localUrl).toBeNull();
      expect((await register(alone.url('public'), device.registration())).status).toBe(201);
      await accept(alone.url('public'), handWritten(device, { seq: 1 }));
      expect((await readingsOf(urls()[0], device.id)).map(({ seq }) => seq)).toEqual([1n]);
      expect(readdirSync(alone.dataDir).filter((name) => name.includes('.db'))).toEqual([]);
      expect((await alone.stop()).code).toBe(0);
    } finally {
      await alone.dispose();
    }
    const { code, stderr } = await runToEnd({ env: { LOCAL_ENABLED: 'false' } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('set PUBLIC_STORE_URL')]);
  });

  describe('a store that is moved', () => moveTests(server));

  it('say nothing of the password', () => {
    for (const { stdout, stderr } of nodes()) expect(stdout + stderr).not.toContain(PASSWORD);
  });

  it('refuse a node with another identity', async () => {
    const folder = temporaryFolder();
    const other = join(folder, 'identity');
    writeFileSync(other, `${createPhrase()}\n`, { mode: 0o600 });
    const { code, stderr } = await runToEnd({ env: { ...env(), IDENTITY_FILE: other } });
    removeFolder(folder);
    expect(code).not.toBe(0);
    expect(stderr).not.toContain(PASSWORD);
    expect(stderr).toContain(`belongs to the node ${nodes()[0].started.publicKey}, not to`);
  });

  it('do not start with the name of a database that the server has not', async () => {
    const location = env().PUBLIC_STORE_URL.replace('/postgres?', '/nothing?');
    const { code, stderr } = await runToEnd({ env: { ...env(), PUBLIC_STORE_URL: location } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('"nothing" does not exist')]);
  });

  it('say in one line that the database can’t be reached at the start', async () => {
    const location = 'postgres://me:secret@127.0.0.1:1/db';
    const { code, stderr } = await runToEnd({ env: { PUBLIC_STORE_URL: location } });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/the public store postgres:\/\/127\.0\.0\.1:1\/db can't be opened/);
    expect(stderr).not.toContain('secret');
  });
});

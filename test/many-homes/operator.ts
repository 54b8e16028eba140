import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PublishTo } from '../../src/shared/protocol/codes.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, postBlocks, readingsOf, register } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/http.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { wellhouse } from '../support/wellhouse.ts';

/** Metrics, the page and the commands for the operator of a shared store. `env`: how nodes of a store are started. */
export function operatorTests(env: () => Record<string, string>, server: () => PostgresServer): void {
  const shared = async (args: readonly string[]) => {
    const folder = temporaryFolder();
    try {
      return await wellhouse(folder, ['--json', ...args], { env: { ...env(), LOCAL_ENABLED: 'false' } });
    } finally {
      removeFolder(folder);
    }
  };
  const withNode = async (more: Record<string, string>, run: (node: RunningNode) => Promise<void>) => {
    const node = await startNode({ env: { ...env(), LOCAL_ENABLED: 'false', ...more } });
    try {
      await run(node);
    } finally {
      await node.dispose();
    }
  };

  it('are seen by metrics and a page of a node that serves the public endpoint alone', async () => {
    const port = await freePort();
    await withNode({ METRICS_PORT: String(port) }, async (node) => {
      const device = new SimulatedDevice();
      await register(node.url('public'), device.registration({ name: '<b>Basil</b>' }));
      await accept(node.url('public'), handWritten(device, { seq: 1 }));
      const metrics = `http://127.0.0.1:${port}/metrics`;
      await expect.poll(async () => (await send(metrics)).text).toMatch(/^wellhouse_nodes_alive [1-9]/m);
      const { text } = await send(metrics);
      for (const line of [
        'wellhouse_database_up 1',
        'wellhouse_blocks_total{listener="public",outcome="accepted"} 1',
        'wellhouse_waiting_blocks 0',
        'wellhouse_database_pool{state="waiting"} 0',
      ]) {
        expect(text).toContain(`\n${line}\n`);
      }
      const page = await send(`http://127.0.0.1:${port}/operator`);
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
      expect(page.text).toContain(device.id);
      expect(page.text).toContain('&#60;b&#62;Basil&#60;/b&#62;');
      const older = await send(`http://127.0.0.1:${port}/operator?before=${device.id}&posting=999`);
      expect(older.text).not.toContain(device.id);
      expect((await send(`http://127.0.0.1:${port}/anything`)).status).toBe(404);
    });
  });

  it('ask for the token where there is one, from a browser too', async () => {
    const port = await freePort();
    await withNode({ METRICS_PORT: String(port), METRICS_TOKEN: 'a-token-of-the-operator' }, async () => {
      const page = `http://127.0.0.1:${port}/operator`;
      expect((await send(page)).headers['www-authenticate']).toContain('Basic');
      const as = (token: string) => ({
        headers: { authorization: `Basic ${Buffer.from(`operator:${token}`).toString('base64')}` },
      });
      expect((await send(page, as('a-token-of-somebody-else'))).status).toBe(401);
      expect((await send(page, as('a-token-of-the-operator'))).status).toBe(200);
    });
  });

  it('are listed by status with the database', async () => {
    await withNode({}, async (node) => {
      const status = async () => JSON.parse((await shared(['status'])).stdout);
      await expect
        .poll(async () => (await status()).nodes.map(({ url }: { url: string }) => new URL(url).port), {
          timeout: 20_000,
        })
        .toContain(new URL(node.url('public')).port);
      expect(await status()).toMatchObject({ running: false, database: { bytes: expect.any(Number) }, blockedKeys: 0 });
    });
  });

  it('take nothing of a key that is blocked, until that is lifted', async () => {
    await withNode({}, async (node) => {
      const url = node.url('public');
      const device = new SimulatedDevice();
      const { ownerPubkey } = device.registration();
      expect((await register(url, device.registration())).status).toBe(201);
      await accept(url, handWritten(device, { seq: 1 }));
      for (const key of [device.id, ownerPubkey]) {
        expect((await shared(['block', key.toUpperCase(), '--reason', 'floods'])).code).toBe(0);
        const { status, errors } = await postBlocks(url, [handWritten(device, { seq: 2 })]);
        expect([status, errors]).toEqual([207, [{ seq: '2', error: `Device not found: ${device.id}` }]]);
        const listed = JSON.parse((await shared(['block'])).stdout);
        expect(listed.blocked).toMatchObject([{ key, reason: 'floods' }]);
        const again = await register(url, new SimulatedDevice().registration({ ownerPubkey }));
        expect([again.status, again.json]).toEqual(
          key === ownerPubkey ? [503, { error: 'device_limit_reached' }] : [201, expect.anything()],
        );
        expect((await shared(['block', key, '--lift'])).code).toBe(0);
      }
      await accept(url, handWritten(device, { seq: 2 }));
      expect((await shared(['block', device.id, '--lift'])).code).toBe(6);
      expect((await shared(['block', 'not-a-key'])).code).toBe(2);
    });
  });

  it('prove what is stored, and show what was changed behind their back', async () => {
    await withNode({ PUBLIC_STORE_URL: server().location('proven') }, async (node) => {
      const url = node.url('public');
      const device = new SimulatedDevice();
      await register(url, device.registration());
      for (let seq = 1; seq <= 3; seq += 1) await accept(url, handWritten(device, { seq }));
      const run = (args: readonly string[]) =>
        wellhouse(node.dataDir, ['--json', ...args], {
          env: { PUBLIC_STORE_URL: server().location('proven'), LOCAL_ENABLED: 'false' },
        });
      const verified = async () => JSON.parse((await run(['verify', '--store'])).stdout).logs[0];
      await expect.poll(async () => (await verified()).size, { timeout: 30_000 }).toBe(4);
      expect(await verified()).toMatchObject({
        store: 'public',
        unlogged: 0,
        signed: 3,
        problems: [],
        badSignatures: [],
      });
      const file = join(node.dataDir, 'readings.proof');
      expect(JSON.parse((await run(['proof', device.id, '-o', file])).stdout)).toMatchObject({
        readings: 3,
        leftOut: 0,
      });
      expect((await run(['verify', file])).code).toBe(0);
      await server().query('UPDATE proven.reading SET received_at = received_at + 1 WHERE seq = -9223372036854775806');
      expect((await run(['verify', '--store'])).code).toBe(3);
      expect((await verified()).problems).toEqual([
        { index: 2, kind: 'changed', reading: { device: device.id, seq: '2' } },
      ]);
    });
  });

  it('forget a device, or all of an owner, while they run', async () => {
    await withNode({}, async (node) => {
      const url = node.url('public');
      const [device, other] = [new SimulatedDevice(), new SimulatedDevice()];
      const { ownerPubkey } = device.registration();
      for (const each of [device, other]) {
        await register(url, each.registration({ ownerPubkey }));
        await accept(url, handWritten(each, { seq: 1 }));
      }
      expect(JSON.parse((await shared(['forget', device.id])).stdout)).toEqual({ devices: 1, readings: 1 });
      expect(await readingsOf(url, device.id)).toEqual([]);
      expect((await postBlocks(url, [handWritten(device, { seq: 2 })])).status).toBe(207);
      expect((await shared(['forget', ownerPubkey])).code).toBe(6);
      expect(JSON.parse((await shared(['forget', '--owner', ownerPubkey])).stdout)).toEqual({
        devices: 1,
        readings: 1,
      });
      expect((await send(`${url}/v1/devices/${other.id}`)).status).toBe(404);
    });
  });

  it('forget a device that posts: what each node does with its next blocks follows from its registration of then', async () => {
    await withNode({}, async (one) => {
      await withNode({}, async (other) => {
        const device = new SimulatedDevice();
        const urls = [one.url('public'), other.url('public')] as const;
        const block = (seq: number) => handWritten(device, { seq, json: { ph: { plain: 6.2 } } });
        const forged = (seq: number) => ({ ...block(seq), signature: block(seq + 1).signature });
        const answers = async (sent: (seq: number) => ReturnType<typeof block>) =>
          Promise.all(urls.map(async (url, at) => (await postBlocks(url, [sent(30 + 2 * at)])).errors[0]?.error));
        const unknown = `Device not found: ${device.id}`;
        const kept = async () => (await readingsOf(urls[0], device.id)).map(({ seq, ph }) => [seq, ph]);

        await register(urls[0], device.registration());
        for (const [at, url] of urls.entries()) await accept(url, block(at));
        expect(await kept()).toEqual([
          [1n, { value: 6.2 }],
          [0n, { value: 6.2 }],
        ]);
        expect(await answers(forged)).toEqual([
          expect.stringMatching(/signature/i),
          expect.stringMatching(/signature/i),
        ]);

        expect((await shared(['forget', device.id])).code).toBe(0);
        expect(await answers(forged)).toEqual([unknown, unknown]);
        expect(await answers(block)).toEqual([unknown, unknown]);

        await register(urls[1], device.registration({ privacyPolicy: { ph: { default_disposition: 2 } } }));
        for (const [at, url] of urls.entries()) await accept(url, block(at));
        expect(await kept()).toEqual([
          [1n, null],
          [0n, null],
        ]);

        for (const [at, url] of urls.entries()) await accept(url, block(2 + at));
        expect((await shared(['forget', device.id])).code).toBe(0);
        await register(urls[1], device.registration({ publishTo: PublishTo.LOCAL_ONLY }));
        // No server keeps the readings of such a device: they are accepted, and dropped.
        for (const [at, url] of urls.entries()) await accept(url, block(at));
        expect(await kept()).toEqual([]);
      });
    });
  });
}

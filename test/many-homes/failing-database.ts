import { chownSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoreLocation } from '../../src/main/store/engine.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { handWritten, register } from '../support/client.ts';
import { post, send } from '../support/http.ts';
import { type RunningNode, startNode } from '../support/node-process.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const PINO_WARN = 40;
const BLOCKS = 100;

/** Tests the log and the `/health` of nodes over a database that fails. `env`: how nodes are started. */
export function failingDatabaseTests(env: () => Record<string, string>, server: () => PostgresServer): void {
  const alone = () => startNode({ env: { ...env(), LOCAL_ENABLED: 'false' } });

  it('write one warning with the reason when the server is gone, and one line when it is back', async () => {
    const node = await alone();
    try {
      const url = node.url('public');
      const device = new SimulatedDevice();
      await register(url, device.registration());
      await server().restart(async () => {
        expect((await send(`${url}/v1/devices/${device.id}/telemetry`)).status).toBe(503);
        await expect.poll(() => linesOf(node)).toEqual([refusing('unreachable')]);
        for (let count = 0; count < 5; count += 1) {
          expect((await send(`${url}/v1/devices/${device.id}/telemetry`)).status).toBe(503);
          expect(await statusOf(url, [handWritten(device)])).toBe(503);
        }
        expect(String(linesOf(node)[0]!.reason)).toMatch(/ENOENT|ECONNREFUSED|terminat|shutting down/);
      });
      await expect.poll(() => statusOf(url, [handWritten(device)])).toBe(200);
      await expect.poll(() => linesOf(node)).toEqual([refusing('unreachable'), ACCEPTING]);
      expect(node.stdout + node.stderr).not.toContain(/:([^:@]+)@/.exec(env().PUBLIC_STORE_URL!)![1]);
    } finally {
      await node.dispose();
    }
  });

  it('say that its server takes no writes, before a device asks', async () => {
    const node = await alone();
    try {
      await server().query('ALTER SYSTEM SET default_transaction_read_only = on');
      await server().query('SELECT pg_reload_conf()');
      await expect.poll(() => linesOf(node), { timeout: 20_000 }).toEqual([refusing('read_only')]);
    } finally {
      await server().query('ALTER SYSTEM RESET default_transaction_read_only');
      await server().query('SELECT pg_reload_conf()');
      await node.dispose();
    }
  });

  it('say that its disk is full, also at /health, until it has room again', async ({ skip }) => {
    const disk = mountSmallDisk(48);
    if (disk === null) return skip('mounting a small disk needs root on Linux');
    const { uid, gid } = statSync(dirname(server().socket));
    const space = join(disk.folder, 'space');
    mkdirSync(space);
    for (const folder of [disk.folder, space]) chownSync(folder, uid, gid);
    await server().query(`CREATE TABLESPACE small LOCATION '${space}'`);
    await server().query('CREATE DATABASE small TABLESPACE small');
    const location = env().PUBLIC_STORE_URL!.replace('/postgres?', '/small?') as StoreLocation;
    const node = await startNode({ env: { ...env(), PUBLIC_STORE_URL: location, LOCAL_ENABLED: 'false' } });
    try {
      const url = node.url('public');
      const health = async () => (await send(`${url}/health`)).status;
      const device = new SimulatedDevice();
      await register(url, device.registration());
      let seq = 0;
      const postSome = () => {
        const blocks = Array.from({ length: BLOCKS }, (_, index) => handWritten(device, { seq: seq + index + 1 }));
        seq += BLOCKS;
        return statusOf(url, blocks);
      };
      expect([await postSome(), await health()]).toEqual([200, 200]);
      disk.fill();
      await expect.poll(postSome, { timeout: 15_000 }).toBe(503);
      for (let count = 0; count < 5; count += 1) expect([await health(), await postSome()]).toEqual([503, 503]);
      expect(linesOf(node)).toEqual([refusing('full')]);
      disk.free();
      expect([await health(), await postSome()]).toEqual([200, 200]);
      expect(linesOf(node)).toEqual([refusing('full'), ACCEPTING]);
    } finally {
      await node.dispose();
      await server().query('DROP DATABASE small WITH (FORCE)');
      await server().query('DROP TABLESPACE small');
      disk.remove();
    }
  });
}

const ACCEPTING = expect.objectContaining({ msg: 'the store accepts writes again' });

function refusing(code: string): unknown {
  return expect.objectContaining({ level: PINO_WARN, msg: 'the store refuses writes', code });
}

async function statusOf(url: string, blocks: readonly unknown[]): Promise<number> {
  return (await post(`${url}/v1/telemetry`, { blocks })).status;
}

/** Returns what a node has logged about its store. */
function linesOf(node: RunningNode): Record<string, unknown>[] {
  return node.records.filter(({ msg }) => String(msg).startsWith('the store '));
}

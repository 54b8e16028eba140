import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoreLocation } from '../../src/main/store/engine.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, readingsOf, register } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/http.ts';
import { removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import type { PostgresServer } from '../support/postgres-server.ts';

const NGINX = '/usr/sbin/nginx';

/** Nodes with nginx before them, and the database's own backup. `env`: how nodes are started. */
export function aroundTests(env: () => Record<string, string>, server: () => PostgresServer, programs: string): void {
  it.skipIf(!existsSync(NGINX))(
    'are reached through nginx, which goes on with the other node when one stops, and tells no invented address',
    async () => {
      const folder = temporaryFolder();
      const alone = { ...env(), LOCAL_ENABLED: 'false' };
      const nodes = [await startNode({ env: alone }), await startNode({ env: alone })] as const;
      const port = await freePort();
      const config = join(folder, 'nginx.conf');
      writeFileSync(
        config,
        nginxConfig(
          folder,
          port,
          nodes.map((node) => new URL(node.url('public')).host),
        ),
      );
      const nginx = spawn(NGINX, ['-p', folder, '-c', config, '-e', 'stderr'], { stdio: 'ignore' });
      try {
        const url = `http://127.0.0.1:${port}`;
        await expect
          .poll(() =>
            send(`${url}/health`).then(
              ({ status }) => status,
              () => 0,
            ),
          )
          .toBe(200);
        const as = { headers: { 'x-forwarded-for': '203.0.113.99' } };
        for (let count = 0; count < 61; count += 1) {
          expect((await register(url, new SimulatedDevice().registration(), as)).status).toBe(201);
        }
        const device = new SimulatedDevice();
        await register(url, device.registration());
        let stopping: Promise<unknown> = Promise.resolve();
        for (let seq = 1; seq <= 60; seq += 1) {
          if (seq === 20) stopping = nodes[0].stop();
          await accept(url, handWritten(device, { seq }));
        }
        await stopping;
        expect(await readingsOf(url, device.id)).toHaveLength(60);
      } finally {
        nginx.kill('SIGQUIT');
        if (nginx.exitCode === null) await once(nginx, 'exit');
        for (const node of nodes) await node.dispose();
        removeFolder(folder);
      }
    },
  );

  it('are the same over a database that pg_restore made from what pg_dump wrote', async () => {
    const folder = temporaryFolder();
    const login = ['-h', dirname(server().socket), '-U', 'wellhouse'];
    const device = new SimulatedDevice();
    const first = await startNode({ env: { ...env(), LOCAL_ENABLED: 'false' } });
    try {
      await register(first.url('public'), device.registration());
      for (let seq = 1; seq <= 5; seq += 1) await accept(first.url('public'), handWritten(device, { seq }));
      const file = join(folder, 'public.dump');
      const run = (program: string, args: readonly string[]) =>
        execFileSync(join(programs, program), [...login, ...args], { stdio: 'pipe' });
      run('pg_dump', ['--format=custom', '--schema=shared', '--file', file, 'postgres']);
      await server().query('CREATE DATABASE restored');
      run('pg_restore', ['--exit-on-error', '--dbname', 'restored', file]);
      const restored = server().location('shared').replace('/postgres?', '/restored?') as StoreLocation;
      const other = await startNode({ env: { ...env(), PUBLIC_STORE_URL: restored, LOCAL_ENABLED: 'false' } });
      try {
        const [before, after] = [first.url('public'), other.url('public')];
        expect(await readingsOf(after, device.id)).toEqual(await readingsOf(before, device.id));
        expect((await send(`${after}/v1/devices`)).text).toBe((await send(`${before}/v1/devices`)).text);
        await accept(after, handWritten(device, { seq: 6 }));
        expect(await readingsOf(before, device.id)).toHaveLength(5);
      } finally {
        await other.dispose();
      }
    } finally {
      await first.dispose();
      removeFolder(folder);
    }
  });
}

/** The configuration of docs/many-homes.md, for two nodes on this machine. */
function nginxConfig(folder: string, port: number, [one, other]: readonly string[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  return `daemon off; master_process off; pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  ${temporary.join(' ')}
  upstream nodes {
    server ${one} max_fails=1 fail_timeout=5s;
    server ${other} max_fails=1 fail_timeout=5s;
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 1m;
    location / {
      proxy_pass http://nodes;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_connect_timeout 2s;
      proxy_next_upstream error timeout non_idempotent;
    }
  }
}
`;
}

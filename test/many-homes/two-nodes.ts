import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { createPhrase } from '../../src/shared/crypto/phrase/phrase.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { PostgresServer, postgresPrograms } from '../support/postgres-server.ts';

/** The password in the location of the store. The PostgreSQL server of the tests asks for none. */
export const PASSWORD = 'not-to-be-logged';

/** Two nodes that share a public store in a PostgreSQL server of the tests. */
export interface TwoNodes {
  readonly nodes: () => readonly [RunningNode, RunningNode];
  /** The addresses of both public endpoints. */
  readonly urls: () => readonly [string, string];
  readonly server: () => PostgresServer;
  /** The environment that starts another node of the same store and identity. */
  readonly env: () => Record<string, string> & { readonly PUBLIC_STORE_URL: string };
  /** The folder of PostgreSQL's programs. */
  readonly programs: string;
}

/** Describes tests of two nodes, which run for all of them. Skips them where PostgreSQL is not installed. */
export function describeTwoNodes(name: string, tests: (two: TwoNodes) => void): void {
  const programs = postgresPrograms();
  if (programs === null) {
    describe.skip(`${name} (skipped: no server in /usr/lib/postgresql)`, () => tests({} as TwoNodes));
    return;
  }
  describe(name, () => {
    const folder = temporaryFolder();
    const identityFile = join(folder, 'identity');
    let server: PostgresServer;
    let nodes = [] as unknown as [RunningNode, RunningNode];
    const env = () => ({
      PUBLIC_STORE_URL: server.location('shared').replace('@', `:${PASSWORD}@`),
      IDENTITY_FILE: identityFile,
      PUBLIC_RATE_LIMIT: '1000000',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    beforeAll(async () => {
      writeFileSync(identityFile, `${createPhrase()}\n`, { mode: 0o600 });
      server = await PostgresServer.start(programs);
      nodes = await Promise.all([startNode({ env: env() }), startNode({ env: env() })]);
    });
    afterAll(async () => {
      await Promise.all(nodes.map((node) => node.dispose()));
      await server?.stop();
      removeFolder(folder);
    });
    tests({
      nodes: () => nodes,
      urls: () => [nodes[0].url('public'), nodes[1].url('public')],
      server: () => server,
      env,
      programs,
    });
  });
}

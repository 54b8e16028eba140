import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPhrase } from '../../src/shared/crypto/phrase/phrase.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, readingsOf, register } from '../support/client.ts';
import { removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { PostgresServer, postgresPrograms } from '../support/postgres-server.ts';

const programs = postgresPrograms();
const POSTS = 100_000;
const DEVICES = 16;
/** An answer has 500 readings at most; most answers are kept short, as all are parsed here. */
const READINGS_EACH = 50;

// Each device posts at one node and reads at the other, which it does the other way round next time.
test.skipIf(programs === null)(
  `of ${POSTS} readings, each is in the next answer of the other node`,
  async () => {
    const folder = temporaryFolder();
    const server = await PostgresServer.start(programs!);
    writeFileSync(join(folder, 'identity'), `${createPhrase()}\n`, { mode: 0o600 });
    const env = {
      PUBLIC_STORE_URL: server.location('shared'),
      IDENTITY_FILE: join(folder, 'identity'),
      LOCAL_ENABLED: 'false',
      PUBLIC_RATE_LIMIT: '0',
      TRUSTED_PROXIES: '127.0.0.1',
    };
    const nodes = await Promise.all([startNode({ env }), startNode({ env })]);
    try {
      const urls = nodes.map((node) => node.url('public')) as [string, string];
      let left = POSTS;
      let registered = 0;
      const checkOne = async () => {
        while (left > 0) {
          const device = new SimulatedDevice();
          registered += 1;
          // Registrations are counted by address.
          const from = `198.51.${(registered >> 6) & 255}.${registered >> 14}`;
          const reply = await register(urls[0], device.registration(), { headers: { 'x-forwarded-for': from } });
          expect(reply.status, reply.text).toBe(201);
          for (let seq = 1; seq <= READINGS_EACH && left > 0; seq += 1) {
            left -= 1;
            const [at, beside] = seq % 2 === 0 ? urls : [urls[1], urls[0]];
            await accept(at, handWritten(device, { seq }));
            const readings = await readingsOf(beside, device.id);
            if (readings[0]?.seq !== BigInt(seq) || readings.length !== seq) {
              expect.fail(`${seq} was confirmed, and the other node then gave ${readings.map((each) => each.seq)}`);
            }
          }
        }
      };
      await Promise.all(Array.from({ length: DEVICES }, checkOne));
      expect(left).toBe(0);
    } finally {
      for (const node of nodes) await node.dispose();
      await server.stop();
      removeFolder(folder);
    }
  },
  3_600_000,
);

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../src/main/common/clock.ts';
import { brokenLogs } from '../../src/main/proof/log-findings.ts';
import { SharedLog } from '../../src/main/proof/shared-log.ts';
import type { StoreLocation } from '../../src/main/store/engine.ts';
import { engineOf, StoreWriters } from '../../src/main/store/engines.ts';
import { hashOfText } from '../../src/main/store/log-leaves.ts';
import type { Store } from '../../src/main/store/port.ts';
import type { NewReading } from '../../src/main/store/reading.ts';
import type { StoreLog } from '../../src/main/store/store-log.ts';
import type { LogView } from '../../src/main/store/stores-view.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { NODE_PHRASE } from '../support/care.ts';
import { problemsOf, rootAt, rootOfLeaves } from '../support/log-trees.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { PostgresServer, postgresPrograms } from '../support/postgres-server.ts';
import { makeIdentity } from '../support/proven-store.ts';
import { THOROUGH } from '../support/thorough.ts';
import { wellhouse } from '../support/wellhouse.ts';
import { appendInParts, LOG_DEVICES, LOG_START, logContract, loggedReadings, textsOf } from './contract/log.ts';

const HASH_WRITER = fileURLToPath(new URL('../durability/shared-hash-writer.ts', import.meta.url));
const log = pino({ level: 'silent' });
const programs = postgresPrograms();
const [START, devices] = [LOG_START, LOG_DEVICES];

describe.skipIf(programs === null)(
  programs === null ? 'a log in PostgreSQL (skipped: no server in /usr/lib/postgresql)' : 'a log in PostgreSQL',
  () => {
    let server: PostgresServer;
    let schemas = 0;
    let schema: string;
    let location: StoreLocation;
    let close: () => Promise<void>;
    let [one, other] = [] as unknown as [Store, Store];
    let next: () => NewReading;

    /** A fresh store as two nodes have it open. */
    const openStores = async () => {
      schemas += 1;
      const name = `log_${schemas}`;
      const at = server.location(name);
      await engineOf(at).prepare('public', at);
      const writers = new StoreWriters({ log, ingesting: null });
      const options = { durability: 'full', bounds: null } as const;
      const stores = [await writers.open('public', at, options), await writers.open('public', at, options)] as const;
      const closeAll = async () => {
        for (const store of stores) await store.close();
        await writers.close();
      };
      return { schema: name, location: at, stores, close: closeAll };
    };

    beforeAll(async () => {
      server = await PostgresServer.start(programs!);
    }, 60_000);
    afterAll(() => server.stop());
    beforeEach(async () => {
      ({
        schema,
        location,
        close,
        stores: [one, other],
      } = await openStores());
      for (const device of devices) {
        const registration = deviceRegistration.parse(device.registration());
        await one.register(registration, START, { way: 'public', by: null, received: registration });
      }
      next = loggedReadings();
    });
    afterEach(() => close());

    const append = (count: number) => appendInParts(one, Array.from({ length: count }, next));
    const logAll = async (store = one) => {
      while ((await store.shared!.logWaiting(200)) > 0);
    };
    const ask = <T>(question: (tree: StoreLog, view: LogView) => T | Promise<T>) => askOf(location, question);
    const askOf = async <T>(location: StoreLocation, question: (tree: StoreLog, view: LogView) => T | Promise<T>) => {
      const reader = await engineOf(location).openLog!(location);
      try {
        return await reader.snapshot(async (view) => question(await view.log('public'), view));
      } finally {
        await reader.close();
      }
    };

    describe('passes the contract', () =>
      logContract(async () => {
        const opened = await openStores();
        const [store] = opened.stores;
        return {
          name: 'public',
          register: (registration, at, origin) => store.register(registration, at, origin),
          append: (readings) => store.append(readings),
          prune: async (id, before) => {
            await store.prune(id, before, 1000);
          },
          forget: async (id) => {
            while (!(await store.forget(id, 100)).isDone);
          },
          hash: () => logAll(store),
          ask: (question) => askOf(opened.location, question),
          close: opened.close,
        };
      }));

    it('gives each entry one index while two nodes log at the same time, and connections end', async () => {
      await append(400);
      const breaking = server.endConnections();
      const working = [one, other].map(async (store) => {
        for (let taken = 1; taken > 0; ) taken = await store.shared!.logWaiting(30).catch(() => 1);
      });
      await Promise.all([breaking, ...working]);
      await ask(async (tree) => {
        expect(tree.size).toBe(402);
        expect(await problemsOf(tree)).toEqual([]);
      });
    });

    describe.each(['forget', 'prune'] as const)('%s while another node adds the readings to the log', (how) => {
      it('marks them as deleted in it', async () => {
        await logAll();
        await append(1400);
        const { id } = devices[0]!;
        const gate = new pg.Client({ connectionString: server.address });
        await gate.connect();
        try {
          // The other node's transaction waits for this lock after it has added the leaves.
          await gate.query('BEGIN');
          await gate.query(`SELECT FROM ${schema}.log_queue FOR UPDATE`);
          const logging = one.shared!.logWaiting(2000);
          const waiting = async () =>
            (await server.rows(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).length;
          await expect.poll(waiting).toBe(1);
          let isDone = false;
          const deleting = (how === 'forget' ? other.forget(id, 1000) : other.prune(id, START * 2, 1000)).then(
            (done) => {
              isDone = true;
              return done;
            },
          );
          await expect.poll(async () => isDone || (await waiting()) === 2).toBe(true);
          await gate.query('COMMIT');
          expect(await logging).toBe(1400);
          expect((await deleting).readings).toBeGreaterThan(0);
        } finally {
          await gate.end();
        }
        await ask(async (tree) => expect(await problemsOf(tree)).toEqual([]));
        const unmarked =
          await server.rows(`SELECT entry FROM ${schema}.log_leaf AS leaf WHERE NOT is_deleted AND device IS NOT NULL
          AND NOT EXISTS (SELECT FROM ${schema}.reading WHERE reading.device = leaf.device AND reading.seq = leaf.seq)`);
        expect(unmarked).toEqual([]);
      });
    });

    describe.each(['a node', 'the operator'] as const)('a device that %s forgets', (who) => {
      let forget: () => Promise<{ readonly readings: number; readonly isDone: boolean }>;
      let gate: pg.Client;
      let end: () => Promise<void>;
      const { id } = devices[0]!;
      beforeEach(async () => {
        const operator = await engineOf(location).openOperator!(location);
        forget = () => (who === 'a node' ? other : operator).forget(id, 1000);
        gate = new pg.Client({ connectionString: server.address });
        await gate.connect();
        await gate.query('BEGIN');
        end = async () => {
          await gate.end();
          await operator.close();
        };
      });
      afterEach(() => end());
      const waiting = async () =>
        (await server.rows(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).length;

      it('has every reading marked as deleted in the log, also where another node begins to add them meanwhile', async () => {
        await logAll();
        await append(20);
        // The deletion waits for this row.
        await gate.query(`SELECT FROM ${schema}.reading WHERE device = 1 LIMIT 1 FOR UPDATE`);
        const forgetting = forget();
        await expect.poll(waiting).toBe(1);
        let isLogged = false;
        const logging = one.shared!.logWaiting(100).then(() => {
          isLogged = true;
        });
        await expect.poll(async () => isLogged || (await waiting()) === 2).toBe(true);
        await gate.query('COMMIT');
        expect((await forgetting).readings).toBe(10);
        await logging;
        await ask(async (tree) => expect(await problemsOf(tree)).toEqual([]));
      });

      it('loses a reading too that arrives meanwhile, and its registration only with itself', async () => {
        await append(20);
        await logAll();
        const registrations = () => ask((tree) => tree.registrations(id).length);
        // As a node does that stores a reading.
        await gate.query(`INSERT INTO ${schema}.reading (device, seq, timestamp, received_at, key_version)
          VALUES (1, 0, 0, ${START}, 0)`);
        const forgetting = forget();
        await expect.poll(waiting).toBe(1);
        expect(await registrations()).toBe(1);
        await gate.query('COMMIT');
        // The readings of the step that was undone are not counted.
        expect(await forgetting).toEqual({ readings: 11, isDone: true });
        expect([await one.device(id), await registrations()]).toEqual([null, 0]);
      });
    });

    it('loses and repeats nothing when a process that hashes is killed', async () => {
      let before = { size: 0, root: '' };
      const kills = THOROUGH > 1 ? 5 : 1;
      for (let kill = 1; kill <= kills; kill += 1) {
        await append(300);
        const child = spawn(process.execPath, [HASH_WRITER, location], { stdio: ['ignore', 'pipe', 'inherit'] });
        const closed = once(child, 'close');
        await Promise.race([once(child.stdout, 'data'), closed]);
        await delay(randomInt(40));
        child.kill('SIGKILL');
        await closed;
        expect(child.signalCode).toBe('SIGKILL');
        before = await ask(async (tree) => {
          expect(tree.size).toBeGreaterThanOrEqual(before.size);
          if (before.size > 0) expect(rootAt(tree, before.size)).toBe(before.root);
          expect(await problemsOf(tree)).toEqual([]);
          return { size: tree.size, root: rootAt(tree) };
        });
      }
      await logAll();
      await ask(async (tree, view) => {
        const texts = await textsOf(tree, view, 'public');
        const size = 2 + 300 * kills;
        expect([tree.size, new Set(texts).size]).toEqual([size, size]);
        expect(rootAt(tree)).toBe(Buffer.from(rootOfLeaves(texts.map(hashOfText))).toString('hex'));
      });
    }, 60_000);

    describe('of nodes', () => {
      const HOUR = 3_600_000;
      let dataDirs: string[];
      let nodes: TestNode[];
      interface TestNode {
        readonly log: SharedLog;
        /** Sets how long the node has run, and has it look. */
        readonly lookAt: (ms: number) => void;
      }
      beforeEach(() => {
        dataDirs = [temporaryFolder(), temporaryFolder()];
        nodes = [one, other].map((store, at) => nodeOf(dataDirs[at]!, store));
      });
      afterEach(async () => {
        for (const node of nodes) await node.log.stop();
        for (const folder of dataDirs) removeFolder(folder);
      });

      function nodeOf(dataDir: string, store: Store): TestNode {
        makeIdentity(dataDir, NODE_PHRASE);
        let passed = 0;
        let look = () => {};
        const clock: Clock = {
          now: () => START + passed,
          steady: () => passed,
          after: (_ms, run) => {
            look = run;
            return () => {};
          },
        };
        const shared = new SharedLog({
          ...{ dataDir: () => dataDir, store: () => store, clock, log },
          openLog: () => engineOf(location).openLog!(location),
        });
        shared.start();
        return {
          log: shared,
          lookAt: (ms) => {
            passed = ms;
            look();
          },
        };
      }
      const sizes = () => ask((tree) => tree.checkpoints().map(({ size }) => size));
      /** Waits for what a node has begun. */
      const settled = async ({ log: shared }: TestNode) => {
        await shared.logWaiting();
        await shared.logWaiting();
      };
      const verified = async () => {
        const { stdout } = await wellhouse(dataDirs[0]!, ['--json', 'verify', '--store'], {
          env: { PUBLIC_STORE_URL: location, LOCAL_ENABLED: 'false' },
        });
        return JSON.parse(stdout).logs[0];
      };

      it('has a checkpoint signed once an hour by the node with the lease, if something was added', async () => {
        const [holder, standby] = nodes as [TestNode, TestNode];
        await append(5);
        holder.lookAt(1);
        await settled(holder);
        expect(await ask((tree) => tree.size)).toBe(7);
        holder.lookAt(59_000);
        await settled(holder);
        expect(await sizes()).toEqual([]);
        holder.lookAt(60_001);
        await expect.poll(sizes).toEqual([7]);
        await append(2);
        standby.lookAt(2 * HOUR);
        expect(await standby.log.logWaiting()).toBe(false);
        expect(await ask((tree) => tree.size)).toBe(7);
        holder.lookAt(HOUR + 59_000);
        await settled(holder);
        expect(await sizes()).toEqual([7]);
        holder.lookAt(HOUR + 61_000);
        await expect.poll(sizes).toEqual([7, 9]);
        holder.lookAt(2 * HOUR + 62_000);
        await settled(holder);
        expect(await sizes()).toEqual([7, 9]);
        // Its lease is over: the other one goes on after the checkpoints that it finds.
        await holder.log.stop();
        await server.query(`UPDATE ${schema}.lease SET until = now() - interval '1 second'`);
        await append(1);
        standby.lookAt(5 * HOUR);
        await expect.poll(sizes).toEqual([7, 9, 10]);
        // The node writes its own file after the checkpoint.
        await settled(standby);
        const heads = dataDirs.map((folder) => JSON.parse(readFileSync(join(folder, 'log-heads.json'), 'utf8')));
        expect(heads.map((each) => each.public.size)).toEqual([9, 10]);
        expect(await verified()).toMatchObject({ broken: [], problems: [], checkpoints: 3 });
      });

      it('detects that it was restored to an earlier state, also after it has grown again, and signs nothing more', async () => {
        const [{ log: shared }] = nodes as [TestNode, TestNode];
        await append(400);
        await shared.logWaiting();
        await shared.sign();
        await append(300);
        await shared.logWaiting();
        await shared.sign();
        expect(await sizes()).toEqual([402, 702]);
        // What it was when 402 entries were in it.
        for (const sql of [
          `DELETE FROM ${schema}.reading USING ${schema}.log_leaf AS leaf
             WHERE leaf.entry >= 402 AND reading.device = leaf.device AND reading.seq = leaf.seq`,
          `DELETE FROM ${schema}.log_leaf WHERE entry >= 402`,
          `DELETE FROM ${schema}.log_node WHERE (position + 1) * (1 << level) > 402`,
          `DELETE FROM ${schema}.log_checkpoint WHERE size > 402`,
          `UPDATE ${schema}.log_state SET size = 402`,
        ]) {
          await server.query(sql);
        }
        for (const more of [0, 500]) {
          if (more > 0) await append(more);
          await shared.logWaiting();
          await shared.sign();
          expect(await sizes()).toEqual([402]);
          expect(brokenLogs(dataDirs[0]!)[0]).toEqual({ store: 'public', since: START });
          expect(await verified()).toMatchObject({ broken: [702], problems: [], checkpoints: 1 });
        }
      });
    });

    it.each(['UPDATE log_node SET hash = sha256(hash) WHERE level = 9', 'DELETE FROM log_node WHERE level = 9'])(
      'detects a hash above the blocks that another program changed: %s',
      async (sql) => {
        await append(900);
        await logAll();
        await server.query(sql.replace('log_node', `${schema}.log_node`));
        expect(await ask(problemsOf)).toEqual([{ index: 256, kind: 'hash', reading: null }]);
      },
    );

    it('detects changed, deleted and restored rows', async () => {
      await append(900);
      await logAll();
      await server.query(`UPDATE ${schema}.reading SET received_at = received_at + 1
        WHERE seq = ${5n - 2n ** 63n}; DELETE FROM ${schema}.reading WHERE seq = ${6n - 2n ** 63n};
        UPDATE ${schema}.log_node SET hash = sha256(hash) WHERE level = 8 AND "position" = 2`);
      const found = await ask(problemsOf);
      expect(found).toHaveLength(3);
      for (const problem of [
        { index: expect.any(Number), kind: 'changed', reading: { device: devices[1]!.id, seq: '5' } },
        { index: expect.any(Number), kind: 'deleted', reading: null },
        { index: 512, kind: 'hash', reading: null },
      ]) {
        expect(found).toContainEqual(problem);
      }
    });
  },
);

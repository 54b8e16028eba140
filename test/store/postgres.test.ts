import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SharedRetention } from '../../src/main/care/retention/shared-retention.ts';
import type { StoreLocation } from '../../src/main/store/engine.ts';
import { engineOf, StoreWriters } from '../../src/main/store/engines.ts';
import type { Store } from '../../src/main/store/port.ts';
import { Database } from '../../src/main/store/postgres/database.ts';
import { Verifiers } from '../../src/main/store/verifier/verifiers.ts';
import type { StoreName } from '../../src/shared/protocol/codes.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { HalfOpenLink } from '../support/half-open-link.ts';
import { PostgresServer, postgresPrograms } from '../support/postgres-server.ts';
import { registrationsContract } from './contract/devices.ts';
import { ingestContract } from './contract/ingest.ts';
import { checkAppends, readingsContract } from './contract/readings.ts';
import { BOTH, kinds, type OpenStores, plainReading, register } from './contract/stores-under-test.ts';

const log = pino({ level: 'silent' });
const programs = postgresPrograms();
let server: PostgresServer;
let verifiers: Verifiers;
let schemas = 0;

/** Two fresh stores, each in a schema of its own. */
const openPostgres: OpenStores = async (bounds) => {
  schemas += 1;
  const locations: Record<StoreName, StoreLocation> = {
    private: server.location(`private_${schemas}`),
    public: server.location(`public_${schemas}`),
  };
  const open = async () => {
    const writers = new StoreWriters({ log, ingesting: { verifiers, isByAppend: true } });
    const stores = {} as Record<StoreName, Store>;
    for (const name of BOTH) {
      await engineOf(locations[name]).prepare(name, locations[name]);
      const options = { durability: 'full', bounds: name === 'public' ? (bounds ?? null) : null } as const;
      stores[name] = await writers.open(name, locations[name], options);
    }
    const close = async () => {
      for (const store of Object.values(stores)) await store.close();
      await writers.close();
    };
    return { stores, close };
  };
  let opened = await open();
  return {
    store: (name) => opened.stores[name],
    get reader(): never {
      throw new Error('stores in PostgreSQL have no reader yet');
    },
    restart: async () => {
      await opened.close();
      opened = await open();
    },
    loseAnswers: async (name) => {
      await server.endConnections();
      await expect.poll(() => opened.stores[name].refusal(), { timeout: 15_000 }).toBeNull();
    },
    dispose: () => opened.close(),
  };
};

describe.skipIf(programs === null)(
  programs === null ? 'PostgreSQL (skipped: no server in /usr/lib/postgresql)' : 'PostgreSQL',
  () => {
    beforeAll(async () => {
      server = await PostgresServer.start(programs!);
      verifiers = new Verifiers(log, { least: 2, most: 2 });
    }, 60_000);
    afterAll(async () => {
      await verifiers.close();
      await server.stop();
    });

    describe('registrations', () => registrationsContract(openPostgres));
    describe('readings', () => readingsContract(openPostgres));
    describe('blocks', () => ingestContract(openPostgres));

    it('a store exists after its preparation, with this version', async () => {
      const location = server.location('fresh');
      const engine = engineOf(location);
      expect(await engine.exists(location)).toBe(false);
      await engine.prepare('private', location);
      await engine.prepare('private', location);
      expect(await engine.exists(location)).toBe(true);
      expect(await engine.snapshots.version(location)).toBe(engine.snapshots.newestVersion);
      await expect(engine.prepare('public', location)).rejects.toThrow('holds a private store');
    });

    it('a newer schema is refused, unless it says that this program still works with it', async () => {
      const location = server.location('newer');
      const engine = engineOf(location);
      const newer = engine.snapshots.newestVersion + 1;
      await engine.prepare('public', location);
      await server.query(`UPDATE newer.store SET version = ${newer}`);
      await engine.prepare('public', location);
      await server.query(`UPDATE newer.store SET works_since = ${newer}`);
      await expect(engine.prepare('public', location)).rejects.toThrow('newer Wellhouse');
    });

    it('nodes that make a store at the same time make one', async () => {
      const location = server.location('race');
      const engine = engineOf(location);
      await Promise.all(Array.from({ length: 5 }, () => engine.prepare('public', location)));
      expect(await engine.snapshots.version(location)).toBe(engine.snapshots.newestVersion);
    });

    it('a store belongs to the identity that bound it first', async () => {
      const location = server.location('bound');
      const { prepare, bind } = engineOf(location);
      await prepare('public', location);
      await bind!('public', location, 'aa'.repeat(32));
      await bind!('public', location, 'aa'.repeat(32));
      await expect(bind!('public', location, 'bb'.repeat(32))).rejects.toThrow(
        `belongs to the node ${'aa'.repeat(32)}`,
      );
    });

    it('a location is shown without its password', () => {
      const location = 'postgres://me:secret@[::1]:5432,two.example/db?sslmode=require&password=other' as StoreLocation;
      expect(engineOf(location).describe(location)).toBe('postgres://[::1]:5432,two.example/db');
    });

    it.each([
      ['off', 'on'],
      ['local', 'on'],
      ['remote_apply', 'remote_apply'],
    ])('what is confirmed waits for the disk where the database’s synchronous_commit is %s', async (setting, level) => {
      schemas += 1;
      const [schema, at] = [`synced_${schemas}`, server.location(`synced_${schemas}`)];
      await engineOf(at).prepare('public', at);
      await server.query(`CREATE TABLE ${schema}.seen (what text, level text);
        CREATE FUNCTION ${schema}.see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO ${schema}.seen VALUES (TG_TABLE_NAME, current_setting('synchronous_commit')); RETURN NULL; END $$;
        CREATE TRIGGER see AFTER INSERT ON ${schema}.reading EXECUTE FUNCTION ${schema}.see();
        CREATE TRIGGER see AFTER INSERT ON ${schema}.device EXECUTE FUNCTION ${schema}.see();
        CREATE TRIGGER see AFTER INSERT ON ${schema}.log_checkpoint EXECUTE FUNCTION ${schema}.see()`);
      const writers = new StoreWriters({ log, ingesting: null });
      const lax = `${at}&options=-c%20synchronous_commit%3D${setting}` as StoreLocation;
      const store = await writers.open('public', lax, { durability: 'full', bounds: null });
      const { id } = await register(store);
      await store.append([plainReading(id, 1n)]);
      await store.shared!.addCheckpoint({ size: 1, at: 1, note: 'note' });
      const seen = await server.rows(`SELECT what, level FROM ${schema}.seen`);
      expect(seen).toEqual(['device', 'reading', 'log_checkpoint'].map((what) => ({ what, level })));
      await store.close();
      await writers.close();
    });

    it('a transaction that fails leaves nothing, and its connection to no other', async () => {
      const location = server.location('undone');
      await engineOf(location).prepare('public', location);
      const database = await Database.at(location, { connections: 1 });
      const insert = `INSERT INTO undone.outcome VALUES (1, 'stored', 1)`;
      const failing = database.transaction(async (query) => {
        await query(insert);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await expect(database.transaction((query) => query('SELECT 1 / 0'))).rejects.toThrow('division by zero');
      const rows = await database.transaction((query) => query('SELECT * FROM undone.outcome'));
      expect(rows).toEqual([]);
      await database.query(insert);
      expect(await database.query('SELECT * FROM undone.outcome')).toHaveLength(1);
      await database.close();
    });

    describe('a server behind a network', () => {
      let link: HalfOpenLink;
      let writers: StoreWriters;
      beforeEach(async () => {
        link = await HalfOpenLink.to(server.socket);
        writers = new StoreWriters({ log, ingesting: null });
      });
      afterEach(() => link.close());

      const openAt = async (hosts: string) => {
        schemas += 1;
        const location = `postgres://wellhouse@${hosts}/postgres?schema=net_${schemas}` as StoreLocation;
        await engineOf(location).prepare('public', location);
        return writers.open('public', location, { durability: 'full', bounds: null });
      };

      it('that goes silent is unreachable within 5 s, and is used again once it is back', async () => {
        const store = await openAt(`127.0.0.1:${link.port}`);
        const { id } = await register(store);
        expect(kinds(await store.append([plainReading(id, 1n)]))).toEqual(['stored']);
        link.goSilent();
        const faults = [store.append([plainReading(id, 2n)]), store.latest(id, 1), store.device(id)];
        const outcomes = await Promise.allSettled(faults);
        for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'unreachable' } });
        link.comeBack();
        await expect.poll(() => store.refusal(), { timeout: 15_000 }).toBeNull();
        expect(kinds(await store.append([plainReading(id, 2n), plainReading(id, 1n)]))).toContain('duplicate');
        await store.close();
      });

      it('ends within a transaction, which rejects and ends nothing else', async () => {
        const location = server.location('ended');
        await engineOf(location).prepare('public', location);
        const database = await Database.at(location);
        const ended = database.transaction(async (query) => {
          await server.endConnections();
          await query('SELECT 1');
        });
        await expect(ended).rejects.toMatchObject({ code: 'unreachable' });
        expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
        await database.close();
      });

      it('is the one of several hosts that answers', async () => {
        const store = await openAt(`127.0.0.1:1,127.0.0.1:${link.port},127.0.0.1:2`);
        await expect.poll(() => store.refusal(), { timeout: 15_000 }).toBeNull();
        expect((await register(store)).result).toBe('created');
        await store.close();
      });

      it('is not used while it accepts no writes', async () => {
        const store = await openAt(`127.0.0.1:${link.port}`);
        await server.query("ALTER ROLE wellhouse SET default_transaction_read_only = 'on'");
        try {
          link.comeBack();
          await expect.poll(() => store.refusal(), { timeout: 15_000 }).toMatchObject({ code: 'read_only' });
          await expect(register(store)).rejects.toMatchObject({ code: 'read_only' });
        } finally {
          await server.query('BEGIN READ WRITE; ALTER ROLE wellhouse RESET default_transaction_read_only; COMMIT');
        }
        link.comeBack();
        await expect.poll(() => store.refusal(), { timeout: 15_000 }).toBeNull();
        await store.close();
      });
    });

    it('a standby is not even read: it may be behind', async () => {
      const stores = await openPostgres();
      const store = stores.store('public');
      const { id } = await register(store);
      const [place] = await server.rows<{ folder: string }>(`SELECT current_setting('data_directory') AS folder`);
      const signal = join(place!.folder, 'standby.signal');
      try {
        await server.restart(async () => {
          writeFileSync(signal, '');
          const { uid, gid } = statSync(place!.folder);
          chownSync(signal, uid, gid);
        });
        expect(await server.rows('SELECT pg_is_in_recovery() AS standby')).toEqual([{ standby: true }]);
        await expect.poll(() => store.refusal(), { timeout: 15_000 }).toMatchObject({ code: 'read_only' });
        await expect(store.latest(id, 1)).rejects.toMatchObject({ code: 'read_only' });
        await expect(store.device(id)).rejects.toMatchObject({ code: 'read_only' });
      } finally {
        await server.restart(async () => rmSync(signal, { force: true }));
      }
      await expect.poll(() => store.refusal(), { timeout: 15_000 }).toBeNull();
      expect(kinds(await store.append([plainReading(id, 1n)]))).toEqual(['stored']);
      await stores.dispose();
    }, 60_000);

    describe('two nodes with one store', () => {
      let schema: string;
      let location: StoreLocation;
      let writers: StoreWriters;
      let [one, other] = [] as unknown as [Store, Store];
      beforeEach(async () => {
        schemas += 1;
        schema = `shared_${schemas}`;
        location = server.location(schema);
        await engineOf(location).prepare('public', location);
        writers = new StoreWriters({ log, ingesting: { verifiers, isByAppend: true } });
        const options = { durability: 'full', bounds: null } as const;
        one = await writers.open('public', location, options);
        other = await writers.open('public', location, options);
      });
      afterEach(async () => {
        for (const store of [one, other]) await store.close();
        await writers.close();
      });

      it('create a device once, however they race', async () => {
        for (let round = 0; round < 20; round += 1) {
          const seed = Buffer.alloc(32, round + 1);
          const results = await Promise.all([register(one, { seed }), register(other, { seed })]);
          expect(results.map(({ result }) => result).sort()).toEqual(['created', 'exists']);
          const sent = await Promise.all([one, other].map((store) => store.append([plainReading(results[0].id, 1n)])));
          expect(kinds(sent.flat()).sort()).toEqual(['duplicate', 'stored']);
        }
        expect(await one.devices()).toHaveLength(20);
        expect(await one.devices()).toEqual(await other.devices());
      });

      it('store the same readings once, in one order', async () => {
        const ids = await Promise.all(
          Array.from(
            { length: 5 },
            async (_, index) => (await register(one, { seed: Buffer.alloc(32, index + 1) })).id,
          ),
        );
        const readings = ids.flatMap((id) => Array.from({ length: 40 }, (_, seq) => plainReading(id, BigInt(seq))));
        const sent = await Promise.all([one.append(readings), other.append(readings.toReversed())]);
        const [first, second] = [kinds(sent[0]), kinds(sent[1]).reverse()];
        for (const [index, kind] of first.entries())
          expect([kind, second[index]].sort()).toEqual(['duplicate', 'stored']);
      });

      it('notice at once that a device was deleted and registered again', async () => {
        const seed = Buffer.alloc(32, 9);
        const { id } = await register(one, { seed });
        await other.append([plainReading(id, 1n), plainReading(id, 2n), plainReading(id, 3n)]);
        const { version } = await one.shared!.list();
        expect(await one.forget(id, 2)).toEqual({ readings: 2, isDone: false });
        expect(await other.latest(id, 10)).toHaveLength(1);
        expect(await one.forget(id, 2)).toEqual({ readings: 1, isDone: true });
        expect(await other.device(id)).toBeNull();
        expect(kinds(await other.append([plainReading(id, 1n)]))).toEqual(['unknown_device']);
        const { registration } = (await register(other, { seed }, { name: 'again' })) && (await other.device(id))!;
        const old = { ...plainReading(id, 1n), registration: registration! - 1 };
        const current = { ...plainReading(id, 2n), registration: registration! };
        expect(kinds(await one.append([old, current]))).toEqual(['unknown_device', 'stored']);
        expect(await one.forget(id, 2)).toEqual({ readings: 1, isDone: true });
        await register(other, { seed }, { name: 'again' });
        expect((await one.device(id))?.name).toBe('again');
        expect(await one.latest(id, 10)).toEqual([]);
        expect((await one.shared!.list()).version).not.toBe(version);
      });

      it('take nothing of a blocked device or owner, until that is lifted', async () => {
        const ownerPubkey = '0a'.repeat(32);
        const known = await register(one, { seed: Buffer.alloc(32, 1), ownerPubkey });
        const newcomer = { seed: Buffer.alloc(32, 2), ownerPubkey };
        const { id: newcomerId } = new SimulatedDevice(newcomer);
        const operator = await engineOf(location).openOperator!(location);
        const append = async (seq: bigint) => kinds(await other.append([plainReading(known.id, seq)]));
        for (const [index, key] of [known.id, ownerPubkey, newcomerId].entries()) {
          await operator.block(key, 'floods');
          expect(await append(BigInt(index))).toEqual([key === newcomerId ? 'stored' : 'unknown_device']);
          if (key !== known.id) expect((await register(other, newcomer)).result).toBe('limit');
          expect(await operator.unblock(key)).toBe(true);
        }
        expect(await append(7n)).toEqual(['stored']);
        expect((await register(other, newcomer)).result).toBe('created');
        expect(await operator.unblock(newcomerId)).toBe(false);
        await operator.close();
      });

      it('leave nothing of a forgotten device, and what belongs to others', async () => {
        const ownerPubkey = '0a'.repeat(32);
        const [seed, beside] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
        const { id } = await register(one, { seed, ownerPubkey }, { ownerName: 'Ana' });
        await register(one, { seed: beside, ownerPubkey });
        // What a store that was moved from a file has for both.
        await server.query(`INSERT INTO ${schema}.carried
          SELECT part, device, 0, '[]' FROM unnest(ARRAY['retained_hours', 'retention', 'moved_arrivals']) AS part, ${schema}.device`);
        await one.addCounts({
          withheld: [{ deviceId: id, cause: 'omit', field: 'ph', count: 1, firstAt: 1, lastAt: 1 }],
          ...{ outcomes: [], unregistered: null },
        });
        await one.shared!.addPosted([{ deviceId: id, day: 9, readings: 1, lastAt: 1 }]);
        const left = async () => {
          const [row] = await server.rows(`SELECT (SELECT count(*) FROM ${schema}.carried)::int AS carried,
            (SELECT count(*) FROM ${schema}.withheld)::int AS withheld, (SELECT count(*) FROM ${schema}.posted)::int AS posted,
            (SELECT string_agg(name, ' ') FROM ${schema}.owner) AS owners`);
          return row;
        };
        expect(await left()).toEqual({ carried: 6, withheld: 1, posted: 1, owners: 'Ana' });
        expect(await one.forget(id, 10)).toEqual({ readings: 0, isDone: true });
        expect(await left()).toEqual({ carried: 3, withheld: 0, posted: 0, owners: 'Ana' });
        await other.forget((await one.devices())[0]!.id, 10);
        expect(await left()).toEqual({ carried: 0, withheld: 0, posted: 0, owners: null });
      });

      it('sum up their counts of withheld values, and of readings by day', async () => {
        const { id } = await register(one);
        const withheld = (field: 'ph' | null, count: number, firstAt: number, lastAt: number, deviceId = id) => {
          const cause = field === null ? ('publish_to' as const) : ('omit' as const);
          return { deviceId, cause, field, count, firstAt, lastAt };
        };
        const add = (store: Store, ...counts: ReturnType<typeof withheld>[]) =>
          store.addCounts({ withheld: counts, outcomes: [], unregistered: null });
        await add(one, withheld('ph', 2, 10, 20), withheld(null, 1, 3, 4), withheld('ph', 9, 1, 2, 'ff'.repeat(32)));
        await add(other, withheld('ph', 3, 5, 15));
        await add(other, withheld('ph', 4, 30, 40));
        const rows = await engineOf(location).movable.open(location, 'read');
        expect(await rows.read('withheld', null, 10)).toEqual([
          [1n, 'omit', 'ph', 9n, 5n, 40n],
          [1n, 'publish_to', '', 1n, 3n, 4n],
        ]);
        await rows.close();

        const posted = (store: Store, day: number, readings: number, lastAt: number) =>
          store.shared!.addPosted([{ deviceId: id, day, readings, lastAt }]);
        await posted(one, 100, 5, 70);
        await posted(other, 100, 6, 60);
        await posted(one, 101, 7, 80);
        const operator = await engineOf(location).openOperator!(location);
        const since = async (day: number) =>
          (await operator.posting(day, 0, 10)).map((each) => [each.readings, each.lastAt]);
        expect([await since(100), await since(101), await since(102)]).toEqual([[[18, 80]], [[7, 80]], []]);
        // A month later the days before are gone.
        await posted(one, 132, 1, 90);
        expect(await since(0)).toEqual([[8, 90]]);
        await operator.close();
      });

      it('remember no attempts of a device that has registered at one of them', async () => {
        const seed = Buffer.alloc(32, 5);
        const { id } = new SimulatedDevice({ seed });
        const knock = (of: string) => ({ id: of, attempts: 1, firstAt: 1, lastAt: 2, lastError: 'device_not_found' });
        const [known, unknown] = [knock(id), knock('11'.repeat(32))];
        for (const store of [one, other])
          await store.addCounts({ withheld: [], outcomes: [], unregistered: [known, unknown] });
        await register(one, { seed });
        expect((await other.unregistered()).map((each) => each.id)).toEqual([unknown.id]);
        // A node that does not know of it yet does not bring it back.
        await other.addCounts({ withheld: [], outcomes: [], unregistered: [known, unknown] });
        expect((await one.unregistered()).map((each) => each.id)).toEqual([unknown.id]);
      });

      it('have no node in their list that did not report for a minute', async () => {
        const facts = { ...{ version: '1', url: null, startedAt: 1, rssBytes: 1, waitingBlocks: 0 }, host: 'here' };
        const beat = (store: Store) => store.shared!.beat({ ...facts, connections: store.shared!.connections() });
        await Promise.all([beat(one), beat(other)]);
        const operator = await engineOf(location).openOperator!(location);
        const nodes = await operator.nodes();
        expect(nodes.map(({ host }) => host)).toEqual(['here', 'here']);
        const { id } = nodes[0]!;
        await server.query(`UPDATE ${schema}.node SET seen_at = now() - interval '55 seconds'`);
        await server.query(`UPDATE ${schema}.node SET seen_at = now() - interval '65 seconds' WHERE node = '${id}'`);
        expect((await operator.nodes()).map((each) => each.id)).toEqual([nodes[1]!.id]);
        await operator.close();
      });

      it('measure all that the store takes, with its indexes', async () => {
        const { id } = await register(one);
        await one.append(Array.from({ length: 300 }, (_, seq) => plainReading(id, BigInt(seq))));
        const [row] = await server.rows(`SELECT sum(pg_relation_size(oid) + pg_indexes_size(oid))::int AS least,
          sum(pg_table_size(oid) + pg_indexes_size(oid))::int AS bytes, sum(pg_indexes_size(oid))::int AS indexes
          FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r'`);
        // The server's own cleaning may add maps of free pages at any time.
        const bytes = await one.bytes();
        expect(bytes).toBeGreaterThanOrEqual(row!.least);
        expect(bytes).toBeLessThan(row!.bytes + row!.indexes);
        expect(row!.indexes).toBeGreaterThan(0);
      });

      it('measure a store that is near its limit at every write', async () => {
        vi.useFakeTimers({ toFake: ['performance'] });
        try {
          const { id } = await register(one);
          const bounds = { maxDevices: 10, maxBytes: (await one.bytes()) + 200_000, minFreeBytes: 0, minFreePart: 1 };
          const bounded = await writers.open('public', location, { durability: 'full', bounds });
          expect(kinds(await bounded.append([plainReading(id, 1n)]))).toEqual(['stored']);
          await server.query(`INSERT INTO ${schema}.carried
            SELECT 'grown', row, 0, to_json(repeat('x', 1900)) FROM generate_series(1, 300) AS row`);
          await expect(bounded.append([plainReading(id, 2n)])).rejects.toMatchObject({ code: 'limit' });
          await bounded.close();
        } finally {
          vi.useRealTimers();
        }
      });

      it('sum up their counts', async () => {
        const knock = (attempts: number, lastAt: number) => ({
          ...{ id: '11'.repeat(32), attempts, firstAt: lastAt - 5, lastAt, lastError: `at ${lastAt}` },
        });
        const counts = { withheld: [], outcomes: [{ hour: 1, outcome: 'stored', count: 2 }] };
        await one.addCounts({ ...counts, unregistered: [knock(1, 10)] });
        await other.addCounts({ ...counts, unregistered: [knock(2, 20)] });
        await one.addCounts({ ...counts, unregistered: [knock(4, 15)] });
        expect(await one.unregistered()).toEqual([
          { id: '11'.repeat(32), attempts: 6, firstAt: 10, lastAt: 20, lastError: 'at 20' },
        ]);
        const operator = await engineOf(location).openOperator!(location);
        expect(await operator.outcomes(1)).toEqual([{ outcome: 'stored', count: 6 }]);
        expect(await operator.outcomes(2)).toEqual([]);
        await operator.close();
      });

      it('delete old readings through one of them, and keep the newest 500 of each device', async () => {
        const [{ id }, few] = [await register(one), await register(one, { seed: Buffer.alloc(32, 7) })];
        const first = 1_760_000_000_000;
        const late = { receivedAt: first + 24 * 3_600_000 };
        const readings = Array.from({ length: 900 }, (_, seq) => {
          return plainReading(id, BigInt(seq), seq < 10 ? late : {});
        });
        await one.append(readings);
        await one.append([plainReading(few.id, 1n)]);
        const retention = (store: Store, oldest: number) =>
          new SharedRetention({
            ...{ store: () => store, keepDays: 1, log },
            clock: { now: () => first + oldest + 24 * 3_600_000, isSteady: true },
          });
        expect(await other.shared!.lease('retention', 60_000)).toBe(true);
        expect(await one.shared!.lease('retention', 60_000)).toBe(false);
        expect(await retention(one, 1000).runNow()).toBe(0);
        expect(await retention(other, 300).runNow()).toBe(290);
        expect(await retention(other, 1000).runNow()).toBe(100);
        expect((await one.latest(id, 500)).at(-1)!.seq).toBe(400n);
        expect((await one.latest(id, 500, 400n)).map(({ seq }) => seq)).toEqual([
          9n,
          8n,
          7n,
          6n,
          5n,
          4n,
          3n,
          2n,
          1n,
          0n,
        ]);
        expect(await one.latest(few.id, 1)).toHaveLength(1);
        expect(await retention(one, 1000).runNow()).toBe(0);
        await other.shared!.lease('retention', 0);
        await expect.poll(() => one.shared!.lease('retention', 60_000)).toBe(true);
      });

      it('count the registrations of an address together', async () => {
        const take = (store: Store) => store.shared!.takeRegistration('192.0.2.1', 3, 60_000);
        const taken = [await take(one), await take(other), await take(one)];
        expect(taken.map(({ waitMs }) => waitMs)).toEqual([0, 0, 0]);
        const { waitMs } = await take(other);
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeLessThanOrEqual(60_000);
        await taken[0]!.takeBack();
        expect((await take(other)).waitMs).toBe(0);
        expect((await take(one)).waitMs).toBeGreaterThan(0);
        expect((await one.shared!.takeRegistration('192.0.2.2', 3, 60_000)).waitMs).toBe(0);
      });
    });

    it('a server that is gone is unreachable, and loses nothing that was confirmed', async () => {
      const stores = await openPostgres();
      const store = stores.store('private');
      await server.restart(async () => {
        await expect(store.devices()).rejects.toMatchObject({ name: 'StorageUnavailable', code: 'unreachable' });
        expect(await store.refusal()).toMatchObject({ code: 'unreachable' });
      });
      await checkAppends(store, { numRuns: 3 });
      await stores.dispose();
    }, 60_000);
  },
);

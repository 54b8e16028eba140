import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readPublicKey } from '../../src/main/data-folder/identity.ts';
import type { StoreLocation } from '../../src/main/store/engine.ts';
import { engineOf, StoreWriters } from '../../src/main/store/engines.ts';
import { locationsIn } from '../../src/main/store/locations.ts';
import { movePublicStore, placeMovedStore } from '../../src/main/store/move-store.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { accept, handWritten, postBlocks, readingsOf, register } from '../support/client.ts';
import { send } from '../support/http.ts';
import { problemsOf } from '../support/log-trees.ts';
import { removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { wellhouse } from '../support/wellhouse.ts';

/** Made again by the node. */
const DERIVED = ['hourly_rollups', 'dirty_hours', 'sqlite_sequence', 'sqlite_stat1'];

/** Every row of a store but those of derived tables, and how many there are in each table. */
function contentsOf(path: string): Record<string, string[]> {
  const db = new Database(path, { readonly: true });
  const names = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  const rows = names
    .filter((name) => !DERIVED.includes(name))
    .map((name) => {
      const all = db.prepare(`SELECT * FROM ${name}`).raw().safeIntegers().all() as unknown[][];
      const text = (cell: unknown) => (cell instanceof Buffer ? `x${cell.toString('hex')}` : `${typeof cell} ${cell}`);
      return [name, all.map((row) => row.map(text).join()).sort()] as const;
    });
  db.close();
  return Object.fromEntries(rows);
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** A store that is moved between a file and PostgreSQL. */
export function moveTests(server: () => PostgresServer): void {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  const file = locationsIn(dataDir).public;
  const devices = [new SimulatedDevice(), new SimulatedDevice(), new SimulatedDevice()] as const;
  beforeAll(async () => {
    const node = await startNode({ dataDir });
    const url = node.url('public');
    const policy = { ph: { per_destination: { b: 0, a: 2 }, default_disposition: 2 } } as const;
    const told = { ownerName: 'Ana 🌱', networks: ['z', 'a'], hardware: { model: 'T', firmware_version: '1' } };
    await register(
      url,
      devices[0].registration({ ...told, privacyPolicy: policy, location: (2n ** 64n - 1n) as never }),
    );
    await register(url, devices[1].registration({ publishTo: 2 }));
    await register(url, devices[2].registration({}));
    for (const seq of [1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n]) {
      for (const device of devices) await postBlocks(url, [handWritten(device, { seq, timestamp: seq })]);
    }
    for (let seq = 10; seq < 1300; seq += 100) {
      const blocks = Array.from({ length: 100 }, (_, at) =>
        devices[1].block({
          ...{ seq: seq + at, timestamp: 1_700_000_000_000 + seq * 9 + at },
          plain: { ph: 6 + at / 7, tempWater: -at / 3 },
          sealed: { ec: { cipher: 'ab'.repeat(20), nonce: 'cd'.repeat(12) } },
        }),
      );
      await postBlocks(url, blocks);
    }
    await postBlocks(url, [handWritten(new SimulatedDevice(), { seq: 1 })]);
    await vi.waitFor(
      () => {
        const { log_leaves: leaves, log_entries: others, readings } = contentsOf(file);
        expect(leaves!.length).toBe(readings!.length + others!.length);
      },
      { timeout: 30_000 },
    );
    await node.stop();
    await node.dispose();
    // What a node of this age has nothing of.
    const db = new Database(file);
    const columns = db.prepare<[], string>(`SELECT name FROM pragma_table_info('retained_hours')`).pluck().all();
    for (const sql of [
      `INSERT INTO retained_hours VALUES (1, 7, 60, ${columns.slice(3).map(() => 1)})`,
      `INSERT INTO withheld VALUES (1, 'omit', 'ph', 3, 1700000000000, 1700000000001), (1, 'publish_to', '', 1, 2, 3)`,
      'INSERT INTO retention VALUES (1, 8)',
      'INSERT INTO moved_clocks VALUES (5, 1700000000000)',
      'INSERT INTO moved_arrivals VALUES (1, 1700000000000, -3600000, 9)',
      `INSERT INTO log_checkpoints VALUES (5, 1700000000000, 'a note')`,
    ]) {
      db.exec(sql);
    }
    db.close();
  });
  afterAll(() => removeFolder(folder));

  const move = (to: string, from?: string) =>
    wellhouse(dataDir, ['--json', 'move-public-store', '--to', to, ...(from === undefined ? [] : ['--from', from])]);

  it('is the same row by row after a move there and back, and the source is untouched', async () => {
    const before = contentsOf(file);
    expect(before.readings!.length).toBeGreaterThan(1300);
    for (const [table, rows] of Object.entries(before)) expect(rows.length, table).toBeGreaterThan(0);
    const hash = hashOf(file);
    const there = server().location('moved');
    const moved = await move(there);
    expect([moved.code, moved.stderr]).toEqual([0, '']);
    expect(JSON.parse(moved.stdout)).toMatchObject({ rows: { devices: 3, readings: before.readings!.length } });
    expect(hashOf(file)).toBe(hash);
    expect((await move(there)).stderr).toContain('already');

    expect((await move('file', there)).stderr).toContain('already');
    renameSync(file, `${file}.before`);
    const back = await move('file', there);
    expect([back.code, back.stderr]).toEqual([0, '']);
    expect(contentsOf(file)).toEqual(before);
  });

  it('serves and grows there, and what came meanwhile comes back with it', async () => {
    const there = server().location('moved');
    const node = await startNode({ dataDir, env: { PUBLIC_STORE_URL: there } });
    const url = node.url('public');
    const list = (await send(`${url}/v1/devices`)).text;
    await accept(url, handWritten(devices[2], { seq: 77 }));
    const added = new SimulatedDevice();
    expect((await register(url, added.registration())).status).toBe(201);
    await accept(url, handWritten(added, { seq: 1 }));
    const latest = await readingsOf(url, devices[0].id);
    await node.stop();
    await node.dispose();

    renameSync(file, `${file}.again`);
    expect((await move('file', there)).code).toBe(0);
    const alone = await startNode({ dataDir });
    expect((await send(`${alone.url('public')}/v1/devices`)).text.startsWith(list.slice(0, -2))).toBe(true);
    expect(await readingsOf(alone.url('public'), devices[0].id)).toEqual(latest);
    expect((await readingsOf(alone.url('public'), added.id)).map(({ seq }) => seq)).toEqual([1n]);
    expect((await readingsOf(alone.url('public'), devices[2].id)).map(({ seq }) => seq)).toContain(77n);
    await accept(alone.url('public'), handWritten(added, { seq: 2 }));
    await alone.stop();
    await alone.dispose();
  });

  it('is refused while nodes on other machines use the database, and no longer once they have stopped', async () => {
    const there = server().location('moved');
    const node = await startNode({
      env: { PUBLIC_STORE_URL: there, IDENTITY_FILE: join(dataDir, 'identity.mnemonic'), LOCAL_ENABLED: 'false' },
    });
    await expect.poll(() => server().rows('SELECT 1 FROM moved.node'), { timeout: 10_000 }).toHaveLength(1);
    const url = node.url('public');
    const taken = await move(there);
    expect([taken.code, taken.stderr]).toEqual([5, expect.stringMatching(/there is a store at .*nodes use it: /)]);
    expect(taken.stderr).toContain(new URL(url).port);
    renameSync(file, `${file}.used`);
    const refused = await move('file', there);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('nodes use the store at')]);
    expect(refused.stderr).toContain(new URL(url).port);
    expect(existsSync(`${file}.new-move`)).toBe(false);
    await node.stop();
    await node.dispose();
    expect((await move('file', there)).code).toBe(0);
  });

  it('is refused where a node starts during the copy', async () => {
    const from = server().location('moved');
    const to = `${file}.other` as StoreLocation;
    const holder = new pg.Client({ connectionString: server().address });
    await holder.connect();
    // The table that is read last, so the copy can't end before the node is there.
    await holder.query('BEGIN; LOCK moved.log_checkpoint IN ACCESS EXCLUSIVE MODE');
    let started: Promise<unknown> | null = null;
    const onProgress = () => {
      started ??= holder.query(
        `INSERT INTO moved.node VALUES ('${randomUUID()}', now(), '{"host": "late", "url": null}'); COMMIT`,
      );
    };
    const identity = readPublicKey(dataDir);
    const { signal } = new AbortController();
    try {
      await expect(movePublicStore({ from, to, identity, signal, onProgress })).rejects.toThrow(
        /nodes use the store at .*: late; stop them/,
      );
      await started;
    } finally {
      await holder.end();
      await server().query('DELETE FROM moved.node');
    }
  });

  it('says that the store was changed where a reading came with a device that the copy lacks', async () => {
    const { movable, prepare } = engineOf(file);
    const path = `${file}.lacking` as StoreLocation;
    await prepare('public', path);
    const [from, to] = [await movable.open(file, 'read'), await movable.open(path, 'write')];
    const rows = await from.read('readings', null, 1);
    await expect(to.insert('readings', rows)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining('stop every node'),
    });
    await Promise.all([from.close(), to.close()]);
  });

  it('is refused while another move fills the same copy', async () => {
    const to = server().location('raced');
    const { movable, prepare } = engineOf(to);
    const copy = movable.unfinished(to);
    await prepare('public', copy);
    const other = await movable.open(copy, 'write');
    const { code, stderr } = await move(to);
    expect([code, stderr]).toEqual([5, expect.stringContaining('another move to')]);
    await other.close();
    expect((await move(to)).code).toBe(0);
  });

  it('says what to do about a store that a node has created at the target meanwhile', async () => {
    const to = server().location('created');
    const { movable, prepare } = engineOf(to);
    const identity = readPublicKey(dataDir);
    const { signal } = new AbortController();
    await movePublicStore({ from: file, to, identity, signal, onProgress: () => {} });
    await prepare('public', to);
    await expect(placeMovedStore({ to })).rejects.toThrow('a node that starts creates one');
    await expect(movable.place(movable.unfinished(to), to)).rejects.toThrow('DROP SCHEMA created CASCADE');
    await server().query('DROP SCHEMA created CASCADE');
    await placeMovedStore({ to });
  });

  it('says that the server asks for a password', async () => {
    const [place] = await server().rows<{ file: string }>(`SELECT current_setting('hba_file') AS file`);
    await server().query(
      `CREATE USER asked PASSWORD 'secret';
       COPY (VALUES ('local all asked scram-sha-256'), ('local all all trust')) TO '${place!.file}';
       SELECT pg_reload_conf()`,
    );
    const asked = server().location('asked').replace('wellhouse@', 'asked@');
    await expect
      .poll(() => move(asked), { timeout: 10_000 })
      .toMatchObject({ code: 6, stderr: expect.stringContaining('none was given: set PGPASSWORD') });
  });

  it('forgets a device there with what its log has of the registration', async () => {
    const there = server().location('moved');
    const registrations = async (id: string) =>
      server().rows(`SELECT 1 FROM moved.log_entry WHERE content LIKE '%device ${id}%'`);
    const writers = new StoreWriters({ log: pino({ level: 'silent' }), ingesting: null });
    const store = await writers.open('public', there, { durability: 'full', bounds: null });
    expect(await registrations(devices[1].id)).toHaveLength(1);
    while (!(await store.forget(devices[1].id, 100)).isDone);
    expect(await registrations(devices[1].id)).toHaveLength(0);
    expect(await registrations(devices[2].id)).toHaveLength(1);
    await store.close();
    await writers.close();
    const reader = await engineOf(there).openLog!(there);
    expect(await reader.snapshot(async (view) => problemsOf(await view.log('public')))).toEqual([]);
    await reader.close();
  });

  it('goes on where it was cut off, and takes its place only once it is whole', async () => {
    const to = server().location('cut_off');
    const identity = readPublicKey(dataDir);
    const cut = new AbortController();
    const onProgress = (_phase: string, rows: number) => {
      if (rows >= 1000) cut.abort(new Error('cut off'));
    };
    const first = movePublicStore({ from: file, to, identity, signal: cut.signal, onProgress });
    await expect(first).rejects.toThrow('cut off');
    expect(await engineOf(to).exists(to)).toBe(false);
    expect((await move(to)).code).toBe(0);
    expect(await engineOf(to).exists(to)).toBe(true);
    expect(existsSync(`${file}.new-move`)).toBe(false);
  });

  it('is refused where the copy has what the store has not', async () => {
    const to = server().location('other');
    const cut = new AbortController();
    const onProgress = (_phase: string, rows: number) => {
      if (rows >= 1000) cut.abort(new Error('cut off'));
    };
    const identity = readPublicKey(dataDir);
    await expect(movePublicStore({ from: file, to, identity, signal: cut.signal, onProgress })).rejects.toThrow();
    await server().query(
      'UPDATE other_unfinished.reading SET received_at = received_at + 1 WHERE (device, seq) IN (SELECT device, seq FROM other_unfinished.reading LIMIT 1)',
    );
    const { code, stderr } = await move(to);
    expect([code, stderr]).toEqual([6, expect.stringContaining('differs from the store in readings')]);
  });
}

import type { StoreLocation } from '../engine.ts';
import type { AliveNode, DatabaseFacts, NodeFacts, SlowStatement, StoreOperator } from '../operator.ts';
import { bytesOf, Database, type Query } from './database.ts';
import { deviceOf, forgetDevice, selectDevices } from './devices.ts';
import { repeated } from './fault.ts';

/** A node reports every 15 s. */
const ALIVE_WITHIN = "interval '60 seconds'";
const LONGEST_STATEMENT = 300;

/** See StoreOperator. It has its own connections, so it answers even if all connections of the store are in use. */
export async function openOperator(location: StoreLocation): Promise<StoreOperator> {
  const database = await Database.at(location, { connections: 2 });
  const { query, schema } = database;
  return {
    database: () => databaseFacts(database),
    nodes: async () => {
      const rows = await query<{ node: string; seen: number; facts: NodeFacts }>(
        `SELECT node, (extract(epoch FROM seen_at) * 1000)::float8 AS seen, facts FROM ${schema}.node
         WHERE seen_at > now() - ${ALIVE_WITHIN} ORDER BY node`,
      );
      return rows.map(({ node, seen, facts }): AliveNode => ({ ...facts, id: node, seenAt: Math.round(seen) }));
    },
    outcomes: async (sinceHour) => {
      const rows = await query<{ outcome: string; count: string }>(
        `SELECT outcome, sum(count) AS count FROM ${schema}.outcome WHERE hour >= $1 GROUP BY outcome ORDER BY sum(count) DESC`,
        [sinceHour],
      );
      return rows.map(({ outcome, count }) => ({ outcome, count: Number(count) }));
    },
    posting: async (sinceDay, skip, limit) => {
      const rows = await query<
        Record<'name' | 'ownerName' | 'readings' | 'last', string> & { id: Buffer; owner: Buffer }
      >(
        `SELECT device.id, device.registered->>'name' AS name, device.owner, owner.name AS "ownerName", readings, last
         FROM (
           SELECT device, sum(readings) AS readings, max(last_at) AS last FROM ${schema}.posted
           WHERE day >= $1 GROUP BY device ORDER BY sum(readings) DESC, device OFFSET $2 LIMIT $3
         ) AS most JOIN ${schema}.device USING (device) JOIN ${schema}.owner ON owner.id = device.owner
         ORDER BY readings DESC, device`,
        [sinceDay, skip, limit],
      );
      return rows.map(({ id, name, owner, ownerName, readings, last }) => ({
        ...{ id: id.toString('hex'), name, owner: owner.toString('hex'), ownerName },
        ...{ readings: Number(readings), lastAt: Number(last) },
      }));
    },
    newest: async (before, limit) => {
      const rows = await query<Parameters<typeof deviceOf>[0]>(
        `${selectDevices(schema)}
         WHERE $1::bytea IS NULL OR device.device < (SELECT device FROM ${schema}.device WHERE id = $1)
         ORDER BY device.device DESC LIMIT $2`,
        [before === null ? null : Buffer.from(before, 'hex'), limit],
      );
      return rows.map(deviceOf);
    },
    slow: async () => [...(await running(query)), ...(await slowest(query))],
    devicesOf: async (key, limit) => {
      const rows = await query<{ id: Buffer }>(
        `SELECT id FROM ${schema}.device WHERE id = $1 OR owner = $1 ORDER BY device LIMIT $2`,
        [Buffer.from(key, 'hex'), limit],
      );
      return rows.map(({ id }) => id.toString('hex'));
    },
    forget: (id, limit) =>
      repeated(() => database.transaction((inTransaction) => forgetDevice(inTransaction, schema, id, limit))),
    block: async (key, reason) => {
      await query(
        `INSERT INTO ${schema}.blocked (key, reason) VALUES ($1, $2)
         ON CONFLICT (key) DO UPDATE SET reason = excluded.reason`,
        [Buffer.from(key, 'hex'), reason],
      );
    },
    unblock: async (key) => {
      const gone = await query(`DELETE FROM ${schema}.blocked WHERE key = $1 RETURNING key`, [Buffer.from(key, 'hex')]);
      return gone.length > 0;
    },
    blocked: async () => {
      const rows = await query<{ key: Buffer; at: number; reason: string }>(
        `SELECT key, (extract(epoch FROM at) * 1000)::float8 AS at, reason FROM ${schema}.blocked ORDER BY blocked.at`,
      );
      return rows.map(({ key, at, reason }) => ({ key: key.toString('hex'), at: Math.round(at), reason }));
    },
    close: () => database.close(),
  };
}

async function databaseFacts(database: Database): Promise<DatabaseFacts> {
  const { query, schema } = database;
  const [row] = await query<{
    serverVersion: string;
    storeVersion: number;
    started: number;
    devices: number;
    readings: number;
    connections: number;
    waitingEntries: number;
    maxConnections: number;
    synchronousCommit: string;
    standbys: number;
    lag: number | null;
    oldest: number | null;
  }>(
    `SELECT current_setting('server_version') AS "serverVersion",
       (SELECT version FROM ${schema}.store) AS "storeVersion",
       (extract(epoch FROM pg_postmaster_start_time()) * 1000)::float8 AS started,
       (SELECT count(*) FROM ${schema}.device)::int AS devices,
       (SELECT coalesce(sum(greatest(reltuples, 0)), 0)::float8 FROM pg_class
        WHERE oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = '${schema}.reading'::regclass)) AS readings,
       (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::int AS connections,
       (SELECT count(*) FROM ${schema}.log_queue)::int AS "waitingEntries",
       current_setting('max_connections')::int AS "maxConnections",
       current_setting('synchronous_commit') AS "synchronousCommit",
       (SELECT count(*) FROM pg_stat_replication)::int AS standbys,
       (SELECT max(extract(epoch FROM replay_lag))::float8 FROM pg_stat_replication) AS lag,
       (SELECT max(extract(epoch FROM now() - xact_start))::float8 FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND datname = current_database()) AS oldest`,
  );
  const { started, lag, oldest, ...facts } = row!;
  return {
    ...facts,
    startedAt: Math.round(started),
    bytes: await bytesOf(database),
    standbyLagSeconds: lag,
    oldestTransactionSeconds: Math.max(0, oldest ?? 0),
  };
}

async function running(query: Query): Promise<SlowStatement[]> {
  const rows = await query<{ text: string; seconds: number }>(
    `SELECT left(query, ${LONGEST_STATEMENT}) AS text, extract(epoch FROM now() - query_start)::float8 AS seconds
     FROM pg_stat_activity
     WHERE state <> 'idle' AND datname = current_database() AND now() - query_start > interval '1 second'
     ORDER BY query_start LIMIT 10`,
  );
  return rows.map(({ text, seconds }) => ({ text, seconds, calls: null }));
}

/** Returns no rows if the extension is not installed, or if this user may not read it. */
async function slowest(query: Query): Promise<SlowStatement[]> {
  const [extension] = await query<{ place: string }>(
    `SELECT quote_ident(nspname) AS place FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace
     WHERE extname = 'pg_stat_statements'`,
  );
  if (extension === undefined) return [];
  try {
    const rows = await query<{ text: string; seconds: number; calls: string }>(
      `SELECT left(query, ${LONGEST_STATEMENT}) AS text, mean_exec_time / 1000 AS seconds, calls
       FROM ${extension.place}.pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
       ORDER BY mean_exec_time DESC LIMIT 10`,
    );
    return rows.map(({ text, seconds, calls }) => ({ text, seconds, calls: Number(calls) }));
  } catch {
    return [];
  }
}

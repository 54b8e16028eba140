import type { Counts, UnregisteredDevice } from '../counts.ts';
import type { NodeFacts, PostedCount } from '../operator.ts';
import type { Database, Query } from './database.ts';

/**
 * The maximum number of unregistered devices returned for all nodes, and how long the list of a stopped node is kept
 * (ms).
 */
const MAX_UNREGISTERED = 100;
const REMEMBERED_MS = 7 * 24 * 3_600_000;
const POSTED_DAYS_KEPT = 31;

/**
 * See Store.addCounts. Counts of all nodes are added up; each node replaces only its own list of unregistered devices,
 * by its id `node`.
 */
export async function addCounts(query: Query, schema: string, node: string, counts: Counts): Promise<void> {
  const { withheld, outcomes, unregistered } = counts;
  if (withheld.length > 0) {
    await query(
      `INSERT INTO ${schema}.withheld
       SELECT device.device, sent.cause, sent.field, sum(sent.count), min(sent.first_at), max(sent.last_at)
       FROM unnest($1::bytea[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
         AS sent (id, cause, field, count, first_at, last_at)
       JOIN ${schema}.device ON device.id = sent.id
       GROUP BY device.device, sent.cause, sent.field ORDER BY device.device, sent.cause, sent.field
       ON CONFLICT (device, cause, field) DO UPDATE SET count = withheld.count + excluded.count,
         first_at = least(withheld.first_at, excluded.first_at), last_at = greatest(withheld.last_at, excluded.last_at)`,
      [
        withheld.map(({ deviceId }) => Buffer.from(deviceId, 'hex')),
        withheld.map(({ cause }) => cause),
        withheld.map(({ field }) => field ?? ''),
        withheld.map(({ count }) => count),
        withheld.map(({ firstAt }) => firstAt),
        withheld.map(({ lastAt }) => lastAt),
      ],
    );
  }
  if (outcomes.length > 0) {
    await query(
      `INSERT INTO ${schema}.outcome
       SELECT hour, outcome, sum(count) FROM unnest($1::int[], $2::text[], $3::bigint[]) AS sent (hour, outcome, count)
       GROUP BY hour, outcome ORDER BY hour, outcome
       ON CONFLICT (hour, outcome) DO UPDATE SET count = outcome.count + excluded.count`,
      [outcomes.map(({ hour }) => hour), outcomes.map(({ outcome }) => outcome), outcomes.map(({ count }) => count)],
    );
  }
  if (unregistered !== null) await replaceUnregistered(query, schema, node, unregistered);
}

async function replaceUnregistered(
  query: Query,
  schema: string,
  node: string,
  devices: readonly UnregisteredDevice[],
): Promise<void> {
  const newest = Math.max(...devices.map(({ lastAt }) => lastAt), 0);
  await query(`DELETE FROM ${schema}.unregistered WHERE node = $1 OR last_at < $2`, [node, newest - REMEMBERED_MS]);
  await query(
    `INSERT INTO ${schema}.unregistered
     SELECT $1::uuid, sent.* FROM unnest($2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
       AS sent (id, attempts, first_at, last_at, last_error)
     WHERE NOT EXISTS (SELECT FROM ${schema}.device WHERE device.id = sent.id)`,
    [
      node,
      devices.map(({ id }) => Buffer.from(id, 'hex')),
      devices.map(({ attempts }) => attempts),
      devices.map(({ firstAt }) => firstAt),
      devices.map(({ lastAt }) => lastAt),
      devices.map(({ lastError }) => lastError),
    ],
  );
}

/** Returns the unregistered devices of all nodes, with their attempts added up, the latest last. */
export async function unregisteredOf(query: Query, schema: string): Promise<UnregisteredDevice[]> {
  const rows = await query<{ id: Buffer; attempts: string; first: string; last: string; error: string }>(
    `SELECT id, sum(attempts) AS attempts, min(first_at) AS first, max(last_at) AS last,
       (array_agg(last_error ORDER BY last_at DESC))[1] AS error
     FROM ${schema}.unregistered GROUP BY id ORDER BY max(last_at) DESC LIMIT ${MAX_UNREGISTERED}`,
  );
  return rows.reverse().map(({ id, attempts, first, last, error }) => ({
    id: id.toString('hex'),
    attempts: Number(attempts),
    firstAt: Number(first),
    lastAt: Number(last),
    lastError: error,
  }));
}

/** See SharedLimits.beat. */
export async function beat({ query, schema }: Database, node: string, facts: NodeFacts): Promise<void> {
  await query(
    `WITH gone AS (DELETE FROM ${schema}.node WHERE seen_at < now() - interval '1 day' AND node <> $1)
     INSERT INTO ${schema}.node VALUES ($1, now(), $2)
     ON CONFLICT (node) DO UPDATE SET seen_at = excluded.seen_at, facts = excluded.facts`,
    [node, JSON.stringify(facts)],
  );
}

/** See SharedLimits.addPosted. */
export async function addPosted({ query, schema }: Database, counts: readonly PostedCount[]): Promise<void> {
  await query(
    `WITH old AS (DELETE FROM ${schema}.posted WHERE day < $5)
     INSERT INTO ${schema}.posted
     SELECT device.device, sent.day, sent.readings, sent.last_at
     FROM unnest($1::bytea[], $2::int[], $3::bigint[], $4::bigint[]) AS sent (id, day, readings, last_at)
     JOIN ${schema}.device ON device.id = sent.id ORDER BY device.device, sent.day
     ON CONFLICT (device, day) DO UPDATE SET readings = posted.readings + excluded.readings,
       last_at = greatest(posted.last_at, excluded.last_at)`,
    [
      counts.map(({ deviceId }) => Buffer.from(deviceId, 'hex')),
      counts.map(({ day }) => day),
      counts.map(({ readings }) => readings),
      counts.map(({ lastAt }) => lastAt),
      Math.max(0, ...counts.map(({ day }) => day)) - POSTED_DAYS_KEPT,
    ],
  );
}

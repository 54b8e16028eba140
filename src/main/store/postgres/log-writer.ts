import { registrationStart } from '../../../shared/proof/leaf.ts';
import { nodeHash } from '../../../shared/proof/merkle.ts';
import { BLOCK_LEAVES, hashOfBlock, hashOfText, LOWEST_KEPT_LEVEL, sha256 } from '../log-leaves.ts';
import type { StoredCheckpoint } from '../store-log.ts';
import { type Database, type Query, SYNCED } from './database.ts';
import { LEAF_COLUMNS, type LeafRow, textOfRow } from './leaves.ts';

/**
 * A part of the statement that stores readings: it queues them for the log. `stored` has the device and seq of each.
 */
export const queueStored = (schema: string): string =>
  `queued AS (INSERT INTO ${schema}.log_queue (device, seq) SELECT device, seq FROM stored)`;

/**
 * Adds at most `limit` waiting entries to the log's tree and hashes them. Only one node at a time does this. If it is
 * interrupted, the transaction is rolled back. Returns how many entries it took from the queue.
 */
export function logWaiting(database: Database, limit: number): Promise<number> {
  const { schema } = database;
  return database.transaction(async (query) => {
    const [state] = await query<{ size: string }>(`SELECT size FROM ${schema}.log_state FOR UPDATE`);
    const size = Number(state!.size);
    const waiting = await query<{ id: string; device: number | null; seq: string | null; content: string | null }>(
      `SELECT id, device, seq, content FROM ${schema}.log_queue ORDER BY id LIMIT $1`,
      [limit],
    );
    if (waiting.length === 0) return 0;
    const readings = waiting.filter(({ content }) => content === null);
    const rows = await query<LeafRow>(
      `SELECT ${LEAF_COLUMNS} FROM unnest($1::int[], $2::bigint[]) AS sent (device, seq)
       JOIN ${schema}.reading ON reading.device = sent.device AND reading.seq = sent.seq
       JOIN ${schema}.device ON device.device = reading.device`,
      [readings.map(({ device }) => device), readings.map(({ seq }) => seq)],
    );
    const texts = new Map(rows.map((row) => [`${row.device} ${row.seq}`, textOfRow(row)]));
    const added = waiting.flatMap(({ device, seq, content }) => {
      // A reading that was deleted while it waited does not enter the tree.
      const text = content ?? texts.get(`${device} ${seq}`);
      return text === undefined ? [] : [{ device, seq, content, hash: hashOfText(text) }];
    });
    const entries = added.map((_, at) => size + at);
    await query(
      `INSERT INTO ${schema}.log_leaf (entry, hash, device, seq)
       SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::int[], $4::bigint[])`,
      [entries, added.map(({ hash }) => hash), added.map(({ device }) => device), added.map(({ seq }) => seq)],
    );
    const others = entries.filter((_, at) => added[at]!.content !== null);
    await query(`INSERT INTO ${schema}.log_entry (entry, content) SELECT * FROM unnest($1::bigint[], $2::text[])`, [
      others,
      others.map((entry) => added[entry - size]!.content),
    ]);
    await addNodes(
      query,
      schema,
      size,
      added.map(({ hash }) => hash),
    );
    await query(`DELETE FROM ${schema}.log_queue WHERE id = ANY($1::bigint[])`, [waiting.map(({ id }) => id)]);
    await query(`UPDATE ${schema}.log_state SET size = $1`, [size + added.length]);
    return waiting.length;
  });
}

/** Adds the hashes of the blocks and larger subtrees that the new leaves complete. */
async function addNodes(query: Query, schema: string, size: number, added: readonly Uint8Array[]): Promise<void> {
  const first = Math.floor(size / BLOCK_LEAVES);
  const complete = Math.floor((size + added.length) / BLOCK_LEAVES) - first;
  if (complete === 0) return;
  const begun = await query<{ hash: Buffer }>(
    `SELECT hash FROM ${schema}.log_leaf WHERE entry >= $1 AND entry < $2 ORDER BY entry`,
    [first * BLOCK_LEAVES, size],
  );
  const leaves = [...begun.map(({ hash }) => hash), ...added];
  // The complete subtrees before the first new block, the smallest first: one per bit.
  const lefts: [number, number][] = [];
  for (let [level, blocks] = [LOWEST_KEPT_LEVEL, first]; blocks > 0; level += 1, blocks = Math.floor(blocks / 2)) {
    if (blocks % 2 === 1) lefts.push([level, blocks - 1]);
  }
  const kept = await query<{ level: number; position: string; hash: Buffer }>(
    `SELECT level, log_node.position, hash FROM ${schema}.log_node
     WHERE (level, log_node.position) IN (SELECT * FROM unnest($1::int[], $2::bigint[]))`,
    [lefts.map(([level]) => level), lefts.map(([, position]) => position)],
  );
  const known = new Map<string, Uint8Array>(kept.map(({ level, position, hash }) => [`${level} ${position}`, hash]));
  const made: { readonly level: number; readonly position: number; readonly hash: Uint8Array }[] = [];
  const add = (level: number, position: number, hash: Uint8Array) => {
    made.push({ level, position, hash });
    known.set(`${level} ${position}`, hash);
  };
  for (let at = 0; at < complete; at += 1) {
    const block = leaves.slice(at * BLOCK_LEAVES, (at + 1) * BLOCK_LEAVES);
    let [level, position, hash] = [LOWEST_KEPT_LEVEL, first + at, hashOfBlock(block)];
    add(level, position, hash);
    while (position % 2 === 1) {
      const left = known.get(`${level} ${position - 1}`);
      if (left === undefined) throw new Error(`the log lacks the hash ${position - 1} of level ${level}`);
      hash = nodeHash(sha256, left, hash);
      level += 1;
      position = (position - 1) / 2;
      add(level, position, hash);
    }
  }
  await query(
    `INSERT INTO ${schema}.log_node (level, position, hash) SELECT * FROM unnest($1::int[], $2::bigint[], $3::bytea[])`,
    [made.map(({ level }) => level), made.map(({ position }) => position), made.map(({ hash }) => hash)],
  );
}

/**
 * Deletes readings of a device and marks them as deleted in the log, where their hashes stay. Returns their number. To
 * be called in a transaction: until its end no node adds entries to the log. A reading that was just being added would
 * be deleted without its mark.
 */
export async function deleteReadings(
  query: Query,
  schema: string,
  device: number,
  seqs: readonly string[],
): Promise<number> {
  await query(`SELECT size FROM ${schema}.log_state FOR SHARE`);
  const gone = await query(
    `WITH gone AS (
       DELETE FROM ${schema}.reading WHERE device = $1 AND seq = ANY($2::bigint[]) RETURNING seq, entry
     ), marked AS (
       UPDATE ${schema}.log_leaf SET is_deleted = true FROM gone WHERE log_leaf.device = $1 AND log_leaf.seq = gone.seq
     ), moved AS (
       UPDATE ${schema}.log_leaf SET is_deleted = true FROM gone WHERE log_leaf.entry = gone.entry
     )
     SELECT 1 AS one FROM gone`,
    [device, seqs],
  );
  return gone.length;
}

/** Deletes the registration of a device from the log; its hash stays. To be called after `deleteReadings`. */
export async function forgetRegistration(query: Query, schema: string, id: string): Promise<void> {
  await query(
    `WITH gone AS (
       DELETE FROM ${schema}.log_entry WHERE left(content, 100) LIKE $2 AND starts_with(content, $1) RETURNING entry
     ), waiting AS (
       DELETE FROM ${schema}.log_queue WHERE starts_with(content, $1)
     )
     UPDATE ${schema}.log_leaf SET is_deleted = true WHERE entry IN (SELECT entry FROM gone)`,
    [registrationStart(id), `${registrationStart(id)}%`],
  );
}

/** Stores a signed checkpoint. */
export async function addCheckpoint({ query, schema }: Database, { size, at, note }: StoredCheckpoint): Promise<void> {
  await query(
    `WITH ${SYNCED} INSERT INTO ${schema}.log_checkpoint SELECT $1, $2, $3 FROM synced ON CONFLICT (size) DO NOTHING`,
    [size, at, note],
  );
}

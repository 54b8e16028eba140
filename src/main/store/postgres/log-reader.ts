import { entryText, parseEntry, registrationStart } from '../../../shared/proof/leaf.ts';
import { nodeHash } from '../../../shared/proof/merkle.ts';
import type { StoreLocation } from '../engine.ts';
import { BLOCK_LEAVES, hashOfBlock, LOWEST_KEPT_LEVEL, levelsOf, problemsOfLeaves, sha256 } from '../log-leaves.ts';
import type { Position } from '../reading.ts';
import type { LoggedReading, LogProblem, StoredCheckpoint, StoreLog } from '../store-log.ts';
import type { KnownDevice, LogReader, LogView, Span } from '../stores-view.ts';
import { Database, type Query } from './database.ts';
import { devicesOf } from './devices.ts';
import { entryOfRow, LEAF_COLUMNS, type LeafRow, textOfRow } from './leaves.ts';

/** The offset that is subtracted from unsigned values to keep their order. */
const HALF = 2n ** 63n;
const BLOCKS_KEPT = 4096;
const LONG_TIMEOUT_MS = 120_000;
const NO_NOTES = {} as KnownDevice['notes'];

/** Opens a store to read its log, as one transaction sees it. */
export async function openLog(location: StoreLocation): Promise<LogReader> {
  const database = await Database.at(location, { timeoutMs: LONG_TIMEOUT_MS, connections: 1 });
  const { schema } = database;
  return {
    snapshot: (run) =>
      database.transaction(async (query) => {
        await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
        return run(await viewOf(query, schema));
      }),
    close: () => database.close(),
  };
}

async function viewOf(query: Query, schema: string): Promise<LogView> {
  const log = await PostgresLog.open(query, schema);
  return {
    devices: async () =>
      (await devicesOf(query, schema)).map((device) => ({
        ...{ id: device.id, entries: [{ store: 'public', device }], notes: NO_NOTES, corrections: [] },
      })),
    log: async () => log,
    loggedReadings: (_store, id, span, after, limit) => log.readings(id, span, after, limit),
  };
}

/**
 * The log of a store. Its methods answer synchronously. So the hashes above the blocks, and the blocks in which a
 * signed tree ends, are read when the log is opened; blocks of readings are read together with the readings.
 */
class PostgresLog implements StoreLog {
  readonly size: number;
  readonly #query: Query;
  readonly #schema: string;
  readonly #nodes: ReadonlyMap<string, Uint8Array>;
  readonly #checkpoints: readonly StoredCheckpoint[];
  readonly #others: readonly { readonly index: number; readonly text: string }[];
  readonly #blocks = new Map<number, readonly (readonly Uint8Array[])[]>();

  private constructor(query: Query, schema: string, facts: Omit<Facts, 'blocks'>) {
    this.#query = query;
    this.#schema = schema;
    this.size = facts.size;
    this.#nodes = facts.nodes;
    this.#checkpoints = facts.checkpoints;
    this.#others = facts.others;
  }

  static async open(query: Query, schema: string): Promise<PostgresLog> {
    const [state] = await query<{ size: string }>(`SELECT size FROM ${schema}.log_state`);
    const size = Number(state!.size);
    const nodes = await query<{ level: number; position: string; hash: Buffer }>(
      `SELECT level, "position", hash FROM ${schema}.log_node`,
    );
    const checkpoints = await query<{ size: string; at: string; note: string }>(
      `SELECT size, at, note FROM ${schema}.log_checkpoint ORDER BY size`,
    );
    const others = await query<{ entry: string; content: string }>(
      `SELECT entry, content FROM ${schema}.log_entry WHERE entry < $1 ORDER BY entry`,
      [size],
    );
    const log = new PostgresLog(query, schema, {
      size,
      nodes: new Map(nodes.map(({ level, position, hash }) => [`${level} ${position}`, hash])),
      checkpoints: checkpoints.map((each) => ({ size: Number(each.size), at: Number(each.at), note: each.note })),
      others: others.map(({ entry, content }) => ({ index: Number(entry), text: content })),
    });
    await log.#readBlocks([size, ...log.#checkpoints.map((each) => each.size)].map((end) => blockOf(end)));
    return log;
  }

  subtree(level: number, position: number): Uint8Array {
    const count = 2 ** level;
    const block = Math.floor((position * count) / BLOCK_LEAVES);
    const hash =
      level >= LOWEST_KEPT_LEVEL
        ? this.#nodes.get(`${level} ${position}`)
        : this.#blocks.get(block)?.[level]?.[position - (block * BLOCK_LEAVES) / count];
    if (hash === undefined) throw new Error(`the log lacks the hash ${position} of level ${level}`);
    return hash;
  }

  corrections(): readonly { readonly index: number; readonly text: string }[] {
    return this.#others.filter(({ text }) => parseEntry(text)?.kind === 'correction');
  }

  registrations(device: string | null): readonly { readonly index: number; readonly text: string }[] {
    const start = device === null ? 'registration\n' : registrationStart(device);
    return this.#others.filter(({ text }) => text.startsWith(start));
  }

  checkpoints(): readonly StoredCheckpoint[] {
    return this.#checkpoints;
  }

  /** See StoresView.loggedReadings. Accepts only spans of timestamps. */
  async readings(id: string, span: Span, after: Position | null, limit: number): Promise<LoggedReading[]> {
    if (span.axis !== 'timestamp') throw new Error('readings of a log are in the order of their timestamps');
    const rows = await this.#query<LeafRow & { readonly leaf: string | null }>(
      `SELECT ${LEAF_COLUMNS}, coalesce(reading.entry, (
         SELECT max(leaf.entry) FROM ${this.#schema}.log_leaf AS leaf
         WHERE leaf.device = reading.device AND leaf.seq = reading.seq AND NOT is_deleted)) AS leaf
       FROM ${this.#schema}.reading JOIN ${this.#schema}.device ON device.device = reading.device
       WHERE reading.device = (SELECT device FROM ${this.#schema}.device WHERE id = $1)
         AND timestamp >= $2 AND timestamp <= $3 AND ($4::bigint IS NULL OR (timestamp, seq) > ($4, $5))
       ORDER BY timestamp, seq LIMIT $6`,
      [
        ...[Buffer.from(id, 'hex'), signed(span.from), signed(span.to)],
        ...[after === null ? null : signed(after.timestamp), after === null ? null : signed(after.seq), limit],
      ],
    );
    const found = rows.map((row): LoggedReading => {
      const entry = row.leaf === null ? null : Number(row.leaf);
      return {
        ...{ seq: BigInt(row.seq as string) + HALF, timestamp: BigInt(row.timestamp as string) + HALF },
        ...{ receivedAt: Number(row.received_at), text: textOfRow(row) },
        index: entry === null || entry >= this.size ? null : entry,
      };
    });
    await this.#readBlocks(found.flatMap(({ index }) => (index === null ? [] : [blockOf(index)])));
    return found;
  }

  async check(block: number): Promise<LogProblem[]> {
    const [from, to] = [block * BLOCK_LEAVES, Math.min(this.size, (block + 1) * BLOCK_LEAVES)];
    const leaves = await this.#query<{ entry: string; hash: Buffer; isDeleted: boolean }>(
      `SELECT entry, hash, is_deleted AS "isDeleted" FROM ${this.#schema}.log_leaf WHERE entry >= $1 AND entry < $2`,
      [from, to],
    );
    const rows = await this.#query<LeafRow & { readonly leaf: string }>(
      `SELECT ${LEAF_COLUMNS}, leaf.entry AS leaf
       FROM ${this.#schema}.log_leaf AS leaf
       JOIN ${this.#schema}.reading ON reading.device = leaf.device AND reading.seq = leaf.seq
       JOIN ${this.#schema}.device ON device.device = reading.device
       WHERE leaf.entry >= $1 AND leaf.entry < $2 AND NOT leaf.is_deleted`,
      [from, to],
    );
    const moved = await this.#movedRows(from, to);
    const texts = new Map<number, { readonly text: string; readonly reading: LogProblem['reading'] }>();
    for (const { index, text } of this.#others) {
      if (index >= from && index < to) texts.set(index, { text, reading: null });
    }
    for (const row of [...rows, ...moved]) {
      const entry = entryOfRow(row);
      texts.set(Number(row.leaf), { text: entryText(entry), reading: { device: entry.device, seq: entry.seq } });
    }
    const byIndex = new Map(leaves.map((leaf) => [Number(leaf.entry), leaf]));
    const problems = problemsOfLeaves([from, to], byIndex, texts);
    if (problems.length === 0 && to - from === BLOCK_LEAVES) {
      const hashes = Array.from({ length: BLOCK_LEAVES }, (_, at) => byIndex.get(from + at)!.hash);
      if (!this.#hasRightNodes(block, hashes)) problems.push({ index: from, kind: 'hash', reading: null });
    }
    return problems;
  }

  /**
   * Returns the readings of a moved store, whose rows contain their entries. Queried only if leaves without a reading
   * exist.
   */
  async #movedRows(from: number, to: number): Promise<(LeafRow & { readonly leaf: string })[]> {
    const [own] = await this.#query<{ there: boolean }>(
      `SELECT EXISTS (SELECT FROM ${this.#schema}.log_leaf WHERE entry >= $1 AND entry < $2 AND device IS NULL
         AND NOT EXISTS (SELECT FROM ${this.#schema}.log_entry WHERE log_entry.entry = log_leaf.entry)) AS there`,
      [from, to],
    );
    if (!own!.there) return [];
    return this.#query(
      `SELECT ${LEAF_COLUMNS}, reading.entry AS leaf
       FROM ${this.#schema}.reading JOIN ${this.#schema}.device ON device.device = reading.device
       WHERE reading.entry >= $1 AND reading.entry < $2`,
      [from, to],
    );
  }

  /** Returns whether the stored hashes that a complete block completes match those below them. */
  #hasRightNodes(block: number, leaves: readonly Uint8Array[]): boolean {
    let [level, position, hash] = [LOWEST_KEPT_LEVEL, block, hashOfBlock(leaves)];
    for (;;) {
      const kept = this.#nodes.get(`${level} ${position}`);
      if (kept === undefined || Buffer.compare(kept, hash) !== 0) return false;
      if (position % 2 === 0) return true;
      const left = this.#nodes.get(`${level} ${position - 1}`);
      if (left === undefined) return false;
      hash = nodeHash(sha256, left, hash);
      level += 1;
      position = (position - 1) / 2;
    }
  }

  async #readBlocks(blocks: readonly number[]): Promise<void> {
    const missing = [...new Set(blocks)].filter((block) => !this.#blocks.has(block));
    if (missing.length === 0) return;
    const rows = await this.#query<{ entry: string; hash: Buffer }>(
      `SELECT entry, hash FROM unnest($1::bigint[]) AS block
       JOIN ${this.#schema}.log_leaf ON entry >= block * ${BLOCK_LEAVES} AND entry < (block + 1) * ${BLOCK_LEAVES}
       WHERE entry < $2 ORDER BY entry`,
      [missing, this.size],
    );
    const read = new Map<number, Uint8Array[]>(missing.map((block) => [block, []]));
    for (const { entry, hash } of rows) read.get(blockOf(Number(entry)))!.push(hash);
    for (const [block, leaves] of read) {
      if (leaves.length !== Math.min(this.size - block * BLOCK_LEAVES, BLOCK_LEAVES)) continue;
      if (this.#blocks.size >= BLOCKS_KEPT) this.#blocks.delete(this.#blocks.keys().next().value!);
      this.#blocks.set(block, levelsOf(leaves));
    }
  }
}

interface Facts {
  readonly size: number;
  readonly nodes: ReadonlyMap<string, Uint8Array>;
  readonly checkpoints: readonly StoredCheckpoint[];
  readonly others: readonly { readonly index: number; readonly text: string }[];
}

function blockOf(index: number): number {
  return Math.floor(index / BLOCK_LEAVES);
}

function signed(value: bigint): string {
  return (value - HALF).toString();
}

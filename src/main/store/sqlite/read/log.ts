import { entryText, parseEntry, registrationStart } from '../../../../shared/proof/leaf.ts';
import { nodeHash } from '../../../../shared/proof/merkle.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { BLOCK_LEAVES, LOWEST_KEPT_LEVEL, levelsOf, problemsOfLeaves, sha256 } from '../../log-leaves.ts';
import type { Position } from '../../reading.ts';
import type { LoggedReading, LogProblem, StoreLog } from '../../store-log.ts';
import type { Span } from '../../stores-view.ts';
import { entryOfRow, LEAF_COLUMNS, type LeafRow, textOfRow } from '../file/leaf-rows.ts';
import { toUnsigned } from '../file/unsigned.ts';
import type { ReadConnection } from './read-connection.ts';
import { stretchesOf } from './stretches.ts';

/** The number of cached blocks, and of hashes above them: queries often read neighbours. */
const BLOCKS_KEPT = 64;
const NODES_KEPT = 4096;

/** The log of a store as a transaction sees it. */
export class SqliteLog implements StoreLog {
  readonly size: number;
  readonly #connection: ReadConnection;
  readonly #store: StoreName;
  /** The hashes of blocks, by level: those of the leaves first. */
  readonly #blocks = new Map<number, readonly (readonly Uint8Array[])[]>();
  readonly #nodes = new Map<string, Uint8Array>();

  constructor(connection: ReadConnection, store: StoreName) {
    this.#connection = connection;
    this.#store = store;
    this.size = this.#row<[number]>('SELECT size FROM @.log_state WHERE row = 1')?.[0] ?? 0;
  }

  subtree(level: number, position: number): Uint8Array {
    if (level >= LOWEST_KEPT_LEVEL) {
      const key = `${level} ${position}`;
      const hash = this.#nodes.get(key) ?? this.#node(level, position);
      if (hash === undefined) throw new Error(`the log lacks the hash ${position} of level ${level}`);
      keep(this.#nodes, key, hash, NODES_KEPT);
      return hash;
    }
    const count = 2 ** level;
    const block = Math.floor((position * count) / BLOCK_LEAVES);
    const hash = this.#block(block)[level]?.[position - (block * BLOCK_LEAVES) / count];
    if (hash === undefined) throw new Error(`the log lacks the hash ${position} of level ${level}`);
    return hash;
  }

  corrections(): readonly { readonly index: number; readonly text: string }[] {
    return this.#entriesFrom('correction\n').filter(({ text }) => parseEntry(text)?.kind === 'correction');
  }

  registrations(device: string | null): readonly { readonly index: number; readonly text: string }[] {
    return this.#entriesFrom(device === null ? 'registration\n' : registrationStart(device));
  }

  checkpoints(): readonly { readonly size: number; readonly at: number; readonly note: string }[] {
    const sql = 'SELECT size, at, note FROM @.log_checkpoints ORDER BY size';
    const rows = this.#connection.statement<[number, number, string]>(this.#store, sql).all();
    return rows.map(([size, at, note]) => ({ size, at, note }));
  }

  /** Returns readings of a device in the order of the span's axis, after a position. */
  readings(device: number, span: Span, after: Position | null, limit: number): LoggedReading[] {
    const found: LoggedReading[] = [];
    for (const { index, where, values, order } of stretchesOf(span, after)) {
      if (found.length >= limit) break;
      const sql = `SELECT ${LEAF_COLUMNS} FROM @.readings r ${index} CROSS JOIN @.devices d ON d.device = r.device
        WHERE r.device = ? AND ${where} ORDER BY ${order.map((column) => `${column} ASC`).join(', ')} LIMIT ?`;
      const statement = this.#connection.statement<LeafRow>(this.#store, sql, true);
      for (const row of statement.all(device, ...values, limit - found.length)) {
        const entry = row[0] === null ? null : Number(row[0]);
        found.push({
          ...{ seq: toUnsigned(row[2]), timestamp: toUnsigned(row[3]), text: textOfRow(row) },
          receivedAt: Number(row[4]),
          index: entry === null || entry >= this.size ? null : entry,
        });
      }
    }
    return found;
  }

  check(block: number): LogProblem[] {
    const [from, to] = [block * BLOCK_LEAVES, Math.min(this.size, (block + 1) * BLOCK_LEAVES)];
    const leaves = new Map(
      this.#connection
        .statement<[number, Buffer, number]>(
          this.#store,
          'SELECT entry, hash, is_deleted FROM @.log_leaves WHERE entry >= ? AND entry < ?',
        )
        .all(from, to)
        .map(([entry, hash, isDeleted]) => [entry, { hash, isDeleted: isDeleted === 1 }]),
    );
    const texts = new Map<number, { readonly text: string; readonly reading: LogProblem['reading'] }>();
    const others = 'SELECT entry, content FROM @.log_entries WHERE entry >= ? AND entry < ?';
    for (const [entry, text] of this.#connection.statement<[number, string]>(this.#store, others).all(from, to)) {
      texts.set(entry, { text, reading: null });
    }
    const sql = `SELECT ${LEAF_COLUMNS} FROM @.readings r JOIN @.devices d ON d.device = r.device
      WHERE r.entry >= ? AND r.entry < ?`;
    for (const row of this.#connection.statement<LeafRow>(this.#store, sql, true).all(from, to)) {
      const entry = entryOfRow(row);
      texts.set(Number(row[0]), { text: entryText(entry), reading: { device: entry.device, seq: entry.seq } });
    }
    const problems = problemsOfLeaves([from, to], leaves, texts);
    if (problems.length === 0 && to - from === BLOCK_LEAVES && !this.#hasRightNodes(block)) {
      problems.push({ index: from, kind: 'hash', reading: null });
    }
    return problems;
  }

  /** Returns whether the stored hashes that a complete block completes match those below them. */
  #hasRightNodes(block: number): boolean {
    let [level, position] = [LOWEST_KEPT_LEVEL, block];
    if (this.#node(level, position)?.equals(this.#block(block)[LOWEST_KEPT_LEVEL]![0]!) !== true) return false;
    while (position % 2 === 1) {
      const [left, right] = [this.#node(level, position - 1), this.#node(level, position)];
      level += 1;
      position = (position - 1) / 2;
      if (left === undefined || right === undefined) return false;
      if (this.#node(level, position)?.equals(nodeHash(sha256, left, right)) !== true) return false;
    }
    return true;
  }

  /** Returns the entries other than readings that begin with a text, in their order. */
  #entriesFrom(start: string): { readonly index: number; readonly text: string }[] {
    const sql =
      'SELECT entry, content FROM @.log_entries WHERE entry < ? AND content >= ? AND content < ? ORDER BY entry';
    const found = this.#connection.statement<[number, string]>(this.#store, sql);
    return found.all(this.size, start, `${start}\u{10ffff}`).map(([index, text]) => ({ index, text }));
  }

  #node(level: number, position: number): Buffer | undefined {
    return this.#row<[Buffer]>('SELECT hash FROM @.log_nodes WHERE level = ? AND position = ?', level, position)?.[0];
  }

  #block(block: number): readonly (readonly Uint8Array[])[] {
    const known = this.#blocks.get(block);
    if (known !== undefined) return known;
    const sql = 'SELECT hash FROM @.log_leaves WHERE entry >= ? AND entry < ? ORDER BY entry';
    const [from, to] = [block * BLOCK_LEAVES, Math.min(this.size, (block + 1) * BLOCK_LEAVES)];
    const hashes = this.#connection
      .statement<[Buffer]>(this.#store, sql)
      .all(from, to)
      .map(([hash]) => hash);
    if (hashes.length !== to - from) throw new Error(`the log lacks hashes of leaves from ${from} on`);
    const levels = levelsOf(hashes);
    keep(this.#blocks, block, levels, BLOCKS_KEPT);
    return levels;
  }

  #row<Row extends unknown[]>(sql: string, ...values: number[]): Row | undefined {
    return this.#connection.statement<Row>(this.#store, sql).get(...values);
  }
}

/** Adds to a map of limited size; the oldest entry makes room. */
function keep<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  if (!map.has(key) && map.size >= most) map.delete(map.keys().next().value!);
  map.set(key, value);
}

import type { Database } from 'better-sqlite3';
import { entryText, type LogEntry, registrationStart } from '../../../../shared/proof/leaf.ts';
import { nodeHash } from '../../../../shared/proof/merkle.ts';
import { BLOCK_LEAVES, hashOfBlock, hashOfText, LOWEST_KEPT_LEVEL, sha256 } from '../../log-leaves.ts';
import type { StoredCheckpoint } from '../../store-log.ts';
import { LEAF_COLUMNS, type LeafRow, textOfRow } from '../file/leaf-rows.ts';
import type { SyncLevel } from './sync-level.ts';

const LEAVES_PER_TRANSACTION = 64;

/**
 * Writes the log of a store, for the writing connection. A stored reading only gets the next index. Leaves are hashed
 * later, in order, when the thread is idle, in transactions that do not wait for the disk. If these are lost, the same
 * hashes are computed again, since their input never changes.
 */
export class LogWriter {
  readonly #db: Database;
  readonly #syncs: SyncLevel;
  /** The index of the next entry, now and after the last committed transaction. */
  #next: number;
  #committedNext: number;
  /** The number of hashed leaves. */
  #size: number;
  /** The hashes of the leaves of the last, incomplete block. */
  #block: Uint8Array[];
  readonly #readings;
  readonly #entries;
  readonly #leaves;
  readonly #reading;
  readonly #entriesOfHour;
  readonly #mark;
  readonly #addEntry;
  readonly #entriesFrom;
  readonly #deleteEntry;
  readonly #addLeaf;
  readonly #addNode;
  readonly #node;
  readonly #setSize;

  constructor(db: Database, syncs: SyncLevel) {
    this.#db = db;
    this.#syncs = syncs;
    const rows = (where: string) =>
      db
        .prepare<unknown[], LeafRow>(
          `SELECT ${LEAF_COLUMNS} FROM readings r JOIN devices d ON d.device = r.device ${where}`,
        )
        .raw()
        .safeIntegers();
    this.#readings = rows('WHERE r.entry >= ? AND r.entry < ? ORDER BY r.entry');
    this.#reading = rows('WHERE r.entry = ?');
    this.#entriesOfHour = db
      .prepare<[number, number, number], number | null>(
        'SELECT entry FROM readings WHERE device = ? AND (timestamp < 0) = 0 AND timestamp >= ? AND timestamp < ?',
      )
      .pluck();
    this.#mark = db.prepare<[number]>('UPDATE log_leaves SET is_deleted = 1 WHERE entry = ?');
    this.#entries = db
      .prepare<[number, number], [number, string]>(
        'SELECT entry, content FROM log_entries WHERE entry >= ? AND entry < ?',
      )
      .raw();
    this.#leaves = db
      .prepare<[number, number], [number, Buffer]>('SELECT entry, hash FROM log_leaves WHERE entry >= ? AND entry < ?')
      .raw();
    this.#addEntry = db.prepare('INSERT INTO log_entries (entry, content) VALUES (?, ?)');
    this.#entriesFrom = db
      .prepare<[string, string], [number, string]>(
        'SELECT entry, content FROM log_entries WHERE content >= ? AND content < ?',
      )
      .raw();
    this.#deleteEntry = db.prepare('DELETE FROM log_entries WHERE entry = ?');
    this.#addLeaf = db.prepare(
      'INSERT INTO log_leaves (entry, hash, is_deleted) VALUES (?, ?, ?) ON CONFLICT (entry) DO NOTHING',
    );
    this.#addNode = db.prepare('REPLACE INTO log_nodes (level, position, hash) VALUES (?, ?, ?)');
    this.#node = db
      .prepare<[number, number], Buffer>('SELECT hash FROM log_nodes WHERE level = ? AND position = ?')
      .pluck();
    this.#setSize = db.prepare('UPDATE log_state SET size = ? WHERE row = 1');
    this.#size = db.prepare<[], number>('SELECT size FROM log_state WHERE row = 1').pluck().get() ?? 0;
    this.#block = this.#readBlock();
    this.#next = this.#committedNext = this.#findNext();
  }

  /** The index of the next entry. Store it with a reading, then call `took`. */
  get next(): number {
    return this.#next;
  }

  /** Call this when a reading was stored with the next index, in the current transaction. */
  took(): void {
    this.#next += 1;
  }

  /** Adds an entry that is not a reading, in the current transaction. */
  add(entry: LogEntry): void {
    this.#addEntry.run(this.#next, entryText(entry));
    this.#next += 1;
  }

  /** Stores a signed checkpoint, in the current transaction. */
  keepCheckpoint({ size, at, note }: StoredCheckpoint): null {
    this.#db.prepare('REPLACE INTO log_checkpoints (size, at, note) VALUES (?, ?, ?)').run(size, at, note);
    return null;
  }

  /** Call this before readings of a device with timestamps in a range are deleted, in the same transaction. */
  deletingHour(device: number, from: number, to: number): void {
    for (const entry of this.#entriesOfHour.all(device, from, to)) this.deleting(entry);
  }

  /** Call this before the reading of an entry is deleted, in the same transaction; null: it is not in the log. */
  deleting(entry: number | null): void {
    if (entry === null) return;
    if (entry < this.#size) this.#mark.run(entry);
    else this.#keepHash(entry);
  }

  /**
   * Deletes the registration of a device from the log, in the transaction that removes the device's row. Its hash
   * stays.
   */
  forgetRegistration(device: string): void {
    const start = registrationStart(device);
    for (const [entry, text] of this.#entriesFrom.all(start, `${start}\u{10ffff}`)) {
      if (entry < this.#size) this.#mark.run(entry);
      else this.#addLeaf.run(entry, hashOfText(text), 1);
      this.#deleteEntry.run(entry);
    }
  }

  /** Call this when the transaction of the latest entries is on disk. */
  committed(): void {
    this.#committedNext = this.#next;
  }

  /** Call this when the transaction of the latest entries was rolled back. */
  rolledBack(): void {
    this.#next = this.#committedNext;
  }

  /**
   * Hashes leaves for about `budgetMs`, outside of any transaction. Returns whether more are left. Throws like
   * better-sqlite3; the next call then continues.
   */
  work(budgetMs: number): boolean {
    const until = performance.now() + budgetMs;
    while (this.#size < this.#next && performance.now() < until) this.#hashSome();
    return this.#size < this.#next;
  }

  #hashSome(): void {
    const from = this.#size;
    const to = Math.min(this.#next, from + LEAVES_PER_TRANSACTION, from - (from % BLOCK_LEAVES) + BLOCK_LEAVES);
    const hashes: Uint8Array[] = [];
    const hash = this.#db.transaction(() => {
      const known = new Map<number, Uint8Array>(this.#leaves.all(from, to));
      const texts = new Map<number, string>(this.#entries.all(from, to));
      for (const row of this.#readings.all(from, to)) texts.set(Number(row[0]), textOfRow(row));
      for (let entry = from; entry < to; entry += 1) {
        const found = known.get(entry) ?? hashOfText(texts.get(entry) ?? this.#noteMissing(entry));
        this.#addLeaf.run(entry, found, 0);
        hashes.push(found);
      }
      if (to % BLOCK_LEAVES === 0) this.#completeBlock([...this.#block, ...hashes], to / BLOCK_LEAVES - 1);
      this.#setSize.run(to);
    });
    this.#syncs.relaxed(() => hash.immediate());
    this.#size = to;
    this.#block = to % BLOCK_LEAVES === 0 ? [] : [...this.#block, ...hashes];
  }

  /** If a row was removed by another program, its leaf records that it is missing. */
  #noteMissing(entry: number): string {
    const text = entryText({ kind: 'missing' });
    this.#addEntry.run(entry, text);
    return text;
  }

  /** Adds the hash of a complete block, and of each larger subtree that it completes. */
  #completeBlock(leaves: readonly Uint8Array[], block: number): void {
    let [level, position, hash] = [LOWEST_KEPT_LEVEL, block, hashOfBlock(leaves)];
    this.#addNode.run(level, position, hash);
    while (position % 2 === 1) {
      hash = nodeHash(sha256, this.#node.get(level, position - 1)!, hash);
      level += 1;
      position = (position - 1) / 2;
      this.#addNode.run(level, position, hash);
    }
  }

  /** Adds the leaf of a reading that is deleted before it was hashed. */
  #keepHash(entry: number): void {
    const row = this.#reading.get(entry);
    if (row !== undefined) this.#addLeaf.run(entry, hashOfText(textOfRow(row)), 1);
  }

  #readBlock(): Uint8Array[] {
    return this.#leaves.all(this.#size - (this.#size % BLOCK_LEAVES), this.#size).map(([, hash]) => hash);
  }

  #findNext(): number {
    const last = (sql: string) => this.#db.prepare<[], number | null>(sql).pluck().get() ?? -1;
    const lasts = [
      last('SELECT max(entry) FROM readings WHERE entry IS NOT NULL'),
      last('SELECT max(entry) FROM log_entries'),
      last('SELECT max(entry) FROM log_leaves'),
    ];
    return Math.max(...lasts, this.#size - 1) + 1;
  }
}

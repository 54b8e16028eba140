import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { BlockReading } from '../../src/main/store/reading.ts';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { type JobMessage, StoreServer } from '../../src/main/store/sqlite/write/store-server.ts';
import type { WriteJob } from '../../src/main/store/sqlite/write/write-jobs.ts';
import type { WriterOptions } from '../../src/main/store/sqlite/write/writer-connection.ts';
import { LaneMemory } from '../../src/main/store/verifier/lane-memory.ts';
import { Fate, PackedBlocks } from '../../src/main/store/verifier/packed-blocks.ts';
import { perFieldName } from '../../src/shared/protocol/fields.ts';
import { removeFolder, temporaryFolder } from './node-process.ts';

/** The id of the only device of a ServedStore. */
export const SERVED_ID = '0a'.repeat(32);

/** A block of a chunk: whether its signature is good, and its reading's seq; without a seq it has no reading. */
export interface ServedBlock {
  readonly seq?: number;
  readonly fate?: Fate;
}

/** Makes a store with one device in a folder, from which each ServedStore copies its own. */
export function makeServedTemplate(): string {
  const folder = temporaryFolder();
  const path = join(folder, 'private.db');
  prepareStore(path, 'private');
  const db = new Database(path);
  db.exec(`INSERT INTO users (id, name, created_at) VALUES (x'01', 'o', 0);
    INSERT INTO devices (id, mac, owner_pubkey, name, type, publish_to, networks, local_servers, privacy_policy,
      hardware, created_at) VALUES (x'${SERVED_ID}', x'', x'01', 'd', 0, 2, '[]', '[]', '{}', '{}', 0)`);
  db.close();
  return folder;
}

/** A store's server on the calling thread, whose steps a test takes itself, and the other end of its port. */
export class ServedStore {
  readonly folder = temporaryFolder();
  readonly path = join(this.folder, 'private.db');
  readonly memory = new LaneMemory();
  /** Another connection to the store, which can also hold its lock. */
  readonly other: Database.Database;
  server!: StoreServer;
  readonly #channel = new MessageChannel();

  constructor(template: string) {
    copyFileSync(join(template, 'private.db'), this.path);
    this.other = new Database(this.path);
  }

  /** Opens the store. Chunks before `from` are skipped. */
  serve(from = 0, more: Partial<WriterOptions> = {}): void {
    const options: WriterOptions = { path: this.path, durability: 'full', bounds: null, ...more };
    this.server = new StoreServer({ options, port: this.#channel.port2, lane: this.memory.shared, from });
  }

  /** Sends a message, and lets the server receive it. */
  send(...messages: JobMessage[]): void {
    for (const message of messages) this.#channel.port1.postMessage(message);
    this.server.receive();
  }

  /** Sends jobs with consecutive numbers. */
  sendJobs(from: number, ...jobs: WriteJob[]): void {
    this.send(...jobs.map((job, index) => ({ id: from + index, job })));
  }

  /** Returns the replies since the last call. */
  replies(): unknown[] {
    const replies: unknown[] = [];
    for (let next = this.#reply(); next !== undefined; next = this.#reply()) replies.push(next.message);
    return replies;
  }

  /** Puts a chunk into the lane. Returns its ticket. */
  put(blocks: readonly ServedBlock[], isChecked = true): number {
    const packed = new PackedBlocks(new ArrayBuffer(16_384), 0, 16_384);
    const check = { publicKey: Buffer.from(SERVED_ID, 'hex'), signature: '05'.repeat(64), message: '' };
    let end = 0;
    for (const { seq, fate = Fate.GOOD } of blocks) {
      const at = end;
      end = packed.writeCheck(at, check);
      if (seq !== undefined) end = packed.writeReading(at, readingOf(seq));
      packed.setFate(at, fate);
    }
    const ticket = this.memory.filled;
    this.memory.put(packed.bytes.subarray(0, end), blocks.length, isChecked);
    return ticket;
  }

  /** Returns the fates of the blocks of a chunk. */
  fates(ticket: number): Fate[] {
    const { blocks, count } = this.memory.chunk(ticket);
    const fates: Fate[] = [];
    for (let index = 0, at = 0; index < count; index += 1, at = blocks.endOf(at)) fates.push(blocks.fateOf(at));
    return fates;
  }

  lock(): void {
    this.other.exec('BEGIN IMMEDIATE');
  }

  unlock(): void {
    this.other.exec('ROLLBACK');
  }

  /** Returns the values of a query's only column. */
  values(sql: string): unknown[] {
    return this.other.prepare(sql).pluck().all();
  }

  /** Closes and removes everything, whether the server has closed its store or not. */
  dispose(): void {
    if (this.other.inTransaction) this.unlock();
    this.other.close();
    this.#channel.port1.close();
    removeFolder(this.folder);
  }

  #reply(): { message: unknown } | undefined {
    return receiveMessageOnPort(this.#channel.port1);
  }
}

function readingOf(seq: number): BlockReading {
  return {
    ...{ seq: `${seq}`, timestamp: `${seq}`, receivedAt: 5, keyVersion: 0, clock: 0, keepsSigned: false },
    fields: perFieldName(() => null),
  };
}

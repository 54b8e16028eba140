import type { Database } from 'better-sqlite3';
import { Sums } from '../../sums.ts';
import { into, ROLLUP_COLUMNS } from '../file/columns.ts';
import { hourOf, timestampsOfHour, toUnsigned } from '../file/unsigned.ts';
import { addToSeqHash, FIELDS_WITHOUT_BYTES, toColumns } from '../read/rollup.ts';
import type { SyncLevel } from './sync-level.ts';

/** The current hour is not summed up, because more readings may arrive, until this time has passed without one. */
const HOUR_IS_OVER_AFTER_MS = 65 * 60_000;
const HOURS_PER_TRANSACTION = 10;

interface DeviceHours {
  /** Hours whose mark is in the store. */
  readonly dirty: Set<number>;
  /** The dirty hour of the latest reading; null if it is no longer dirty. */
  current: number | null;
  touchedAt: number;
}

/**
 * Writes `hourly_rollups`, for the writing connection. A stored reading costs a look-up in memory, and once per device
 * and hour a mark in `dirty_hours`. The sums are made later, when the thread is idle, in transactions that do not wait
 * for the disk: if they are lost, the marks remain.
 */
export class RollupWriter {
  readonly #db: Database;
  readonly #devices = new Map<number, DeviceHours>();
  /** Devices with a dirty hour other than the current one. */
  readonly #ready = new Set<number>();
  readonly #syncs: SyncLevel;
  /** Marks of the current transaction. */
  #marked: [device: number, hour: number][] = [];
  readonly #mark;
  readonly #unmark;
  readonly #readings;
  readonly #save;
  readonly #remove;

  constructor(db: Database, syncs: SyncLevel) {
    this.#db = db;
    this.#syncs = syncs;
    this.#mark = db.prepare(`INSERT ${into('dirty_hours', ['device', 'hour'])} ON CONFLICT DO NOTHING`);
    this.#unmark = db.prepare('DELETE FROM dirty_hours WHERE device = ? AND hour = ?');
    this.#readings = db
      .prepare<[number, number, bigint, bigint], [bigint, bigint, ...unknown[]]>(READINGS_OF_HOUR_SQL)
      .raw()
      .safeIntegers();
    this.#save = db.prepare(`REPLACE ${into('hourly_rollups', ROLLUP_COLUMNS)}`);
    this.#remove = db.prepare('DELETE FROM hourly_rollups WHERE device = ? AND hour = ?');
    for (const [device, hour] of db.prepare('SELECT device, hour FROM dirty_hours').raw().all() as [number, number][]) {
      this.#of(device).dirty.add(hour);
      this.#ready.add(device);
    }
  }

  /** Records, in the current transaction, that readings of a device with this (stored) timestamp changed. */
  touch(device: number, timestamp: number | bigint): void {
    const hours = this.#of(device);
    const hour = hourOf(timestamp);
    if (hours.current === hour) return;
    if (!hours.dirty.has(hour)) {
      this.#mark.run(device, hour);
      hours.dirty.add(hour);
      this.#marked.push([device, hour]);
    }
    hours.current = hour;
    hours.touchedAt = performance.now();
    if (hours.dirty.size > 1) this.#ready.add(device);
  }

  /** Call this when the transaction of the latest touches is on disk. */
  committed(): void {
    if (this.#marked.length > 0) this.#marked = [];
  }

  /** Call this when the transaction of the latest touches was rolled back. */
  rolledBack(): void {
    for (const [device, hour] of this.#marked) {
      const hours = this.#of(device);
      hours.dirty.delete(hour);
      hours.current = null;
    }
    this.#marked = [];
  }

  /** Removes the sums and marks of a device, in the transaction that removes its row. */
  forget(device: number): void {
    this.#db.prepare('DELETE FROM hourly_rollups WHERE device = ?').run(device);
    this.#db.prepare('DELETE FROM dirty_hours WHERE device = ?').run(device);
    this.#devices.delete(device);
    this.#ready.delete(device);
  }

  /**
   * Sums up complete hours for about `budgetMs`, outside of any transaction. Returns whether more are left. Throws like
   * better-sqlite3; unfinished hours stay marked.
   */
  work(budgetMs: number): boolean {
    const until = performance.now() + budgetMs;
    while (this.#ready.size > 0) {
      const hours = this.#takeHours();
      if (hours.length > 0) this.#sumUp(hours);
      if (performance.now() >= until) break;
    }
    return this.#ready.size > 0;
  }

  /** Makes the last hours of silent devices available to `work`. */
  findOver(): void {
    const limit = performance.now() - HOUR_IS_OVER_AFTER_MS;
    for (const [device, hours] of this.#devices) {
      if (hours.current === null || hours.touchedAt > limit) continue;
      hours.current = null;
      if (hours.dirty.size > 0) this.#ready.add(device);
    }
  }

  #of(device: number): DeviceHours {
    let hours = this.#devices.get(device);
    if (hours === undefined) {
      hours = { dirty: new Set(), current: null, touchedAt: 0 };
      this.#devices.set(device, hours);
    }
    return hours;
  }

  #takeHours(): [device: number, hour: number][] {
    const taken: [number, number][] = [];
    for (const device of this.#ready) {
      const { dirty, current } = this.#of(device);
      for (const hour of dirty) {
        if (hour === current) continue;
        taken.push([device, hour]);
        if (taken.length >= HOURS_PER_TRANSACTION) return taken;
      }
      this.#ready.delete(device);
    }
    return taken;
  }

  #sumUp(hours: readonly [device: number, hour: number][]): void {
    try {
      const sumUp = this.#db.transaction(() => {
        for (const [device, hour] of hours) this.#sumUpHour(device, hour);
      });
      this.#syncs.relaxed(() => sumUp.immediate());
    } catch (error) {
      for (const [device] of hours) this.#ready.add(device);
      throw error;
    }
    for (const [device, hour] of hours) {
      const state = this.#of(device);
      state.dirty.delete(hour);
      if (state.dirty.size === 0 || (state.dirty.size === 1 && state.current !== null)) this.#ready.delete(device);
    }
  }

  #sumUpHour(device: number, hour: number): void {
    const sums = new Sums();
    let seqHash = 0;
    let [seqMin, seqMax] = [0n, 0n];
    let [receivedMin, receivedMax] = [0n, 0n];
    for (const { isNegative, from, to } of timestampsOfHour(hour)) {
      for (const row of this.#readings.iterate(device, isNegative, from, to)) {
        const [storedSeq, receivedAt] = row;
        const seq = toUnsigned(storedSeq);
        const isFirst = sums.readings === 0;
        seqHash = addToSeqHash(seqHash, seq);
        if (isFirst || seq < seqMin) seqMin = seq;
        if (isFirst || seq > seqMax) seqMax = seq;
        if (isFirst || receivedAt < receivedMin) receivedMin = receivedAt;
        if (isFirst || receivedAt > receivedMax) receivedMax = receivedAt;
        sums.addValues(row, 2);
      }
    }
    if (sums.readings === 0) this.#remove.run(device, hour);
    else {
      const bounds = [seqMin, seqMax].map((seq) => BigInt.asIntN(64, seq));
      this.#save.run([
        ...[device, hour, sums.readings, seqHash],
        ...bounds,
        ...[receivedMin, receivedMax],
        ...toColumns(sums),
      ]);
    }
    this.#unmark.run(device, hour);
  }
}

const READINGS_OF_HOUR_SQL = `
SELECT seq, received_at, ${FIELDS_WITHOUT_BYTES} FROM readings
WHERE device = ? AND (timestamp < 0) = ? AND timestamp BETWEEN ? AND ?`;

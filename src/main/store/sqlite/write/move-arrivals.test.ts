import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { newReading } from '../../../../../test/support/readings.ts';
import { storePath } from '../../../../../test/support/store-file.ts';
import { deviceRegistration } from '../../../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../../../simulator/device.ts';
import type { ArrivalMove, MovedStep, MovedTo } from '../../arrival-move.ts';
import { HOUR_MS } from '../../counts.ts';
import { prepareStore } from '../file/database.ts';
import { DirectWriter } from './direct-writer.ts';

const NOW = 488_888 * HOUR_MS + 600_000;
const WRONG = 7;

let folder: string;
let path: string;
beforeEach(begin);
afterEach(() => removeFolder(folder));

interface Row {
  readonly device: number;
  readonly seq: number;
  readonly received_at: number;
  readonly clock: number | null;
}

function query<T>(sql: string): T[] {
  const db = new Database(path);
  try {
    return db.prepare<[], T>(sql).all();
  } finally {
    db.close();
  }
}

function execute(sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

const rows = () => query<Row>('SELECT device, seq, received_at, clock FROM readings ORDER BY device, seq');
const counts = () =>
  new Map(
    query<{ hour: number; count: number }>('SELECT hour, count FROM hourly_counts WHERE count <> 0').map(
      ({ hour, count }) => [hour, count] as const,
    ),
  );

/** Returns the correct counts by hour: one for each reading, in the hour of its arrival. */
function countsOf(all: readonly Row[]): Map<number, number> {
  const expected = new Map<number, number>();
  for (const { received_at } of all) {
    const hour = Math.floor(received_at / HOUR_MS);
    expected.set(hour, (expected.get(hour) ?? 0) + 1);
  }
  return expected;
}

const reading = fc.record({
  device: fc.nat(1),
  /** The age of the measurement; for a device without a clock, the time since its start. */
  ago: fc.integer({ min: 0, max: 30 * HOUR_MS }),
  isUptime: fc.boolean(),
  received: fc.integer({ min: -10 * HOUR_MS, max: 0 }),
  isWrong: fc.boolean(),
});

it('moves arrivals by a clock once, with all sums and counts, however often it is interrupted', () => {
  const by = fc.oneof(fc.integer({ min: -20 * HOUR_MS, max: 20 * HOUR_MS }), fc.constantFrom(HOUR_MS, -HOUR_MS));
  const plan = fc.record({
    readings: fc.array(reading, { minLength: 1, maxLength: 40 }),
    by: by.filter((ms) => ms !== 0),
    limit: fc.integer({ min: 1, max: 8 }),
    /** The number of steps after which each process is killed. */
    kills: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
    isSummed: fc.boolean(),
  });
  fc.assert(
    fc.property(plan, ({ readings, by: shift, limit, kills, isSummed }) => {
      removeFolder(folder);
      begin();
      fill(readings, isSummed);
      const before = rows();
      const move: ArrivalMove = {
        ...{ clock: WRONG, next: WRONG + 1, by: shift, at: NOW },
        ...{ from: NOW - 10 * HOUR_MS, to: NOW },
      };
      for (const steps of [...kills, Number.POSITIVE_INFINITY]) run(move, limit, steps);
      run(move, limit, Number.POSITIVE_INFINITY);
      expect(rows()).toEqual(
        before.map((row) =>
          row.clock === WRONG ? { ...row, received_at: row.received_at + shift, clock: WRONG + 1 } : row,
        ),
      );
      expect(counts()).toEqual(countsOf(rows()));
      const moved = query<{ readings: number }>('SELECT readings FROM moved_arrivals WHERE at > 0');
      const wrong = before.filter(({ clock }) => clock === WRONG).length;
      expect(moved.reduce((total, each) => total + each.readings, 0)).toBe(wrong);
      sumUp();
      const bounds = query<{ least: number; most: number; total: number }>(
        'SELECT min(received_min) AS least, max(received_max) AS most, sum(readings) AS total FROM hourly_rollups',
      )[0]!;
      const times = rows().map(({ received_at }) => received_at);
      expect(bounds).toEqual({ least: Math.min(...times), most: Math.max(...times), total: times.length });
    }),
    { numRuns: 15 },
  );
});

it('moves what else was noted by the clock, from its first to its last time, and not a second time', () => {
  const [from, to, by] = [NOW - HOUR_MS, NOW, 90_000];
  const times = [from - 1, from, to, to + 1];
  const writer = new DirectWriter(path);
  for (const time of times) writer.register(deviceRegistration.parse(new SimulatedDevice().registration()), time);
  writer.close();
  const both = `${from - 1}, ${to}`;
  execute(`INSERT INTO withheld VALUES (1, 'omit', 'ph', 1, ${both}), (2, 'omit', 'ph', 1, ${from}, ${to + 1});
    INSERT INTO unregistered_devices VALUES (x'01', 1, ${both}, ''), (x'02', 1, ${from}, ${to + 1}, '')`);
  const move: ArrivalMove = { clock: WRONG, next: WRONG + 1, by, at: NOW, from, to };
  for (let round = 0; round < 2; round += 1) run(move, 10, Number.POSITIVE_INFINITY);
  const moved = [from - 1, from + by, to + by, to + 1];
  for (const table of ['devices', 'users']) {
    const created = query<{ at: number }>(`SELECT created_at AS at FROM ${table} ORDER BY created_at`);
    expect(created.map(({ at }) => at).sort(), table).toEqual(moved.toSorted());
  }
  for (const table of ['withheld', 'unregistered_devices']) {
    expect(query(`SELECT first_at AS first, last_at AS last FROM ${table} ORDER BY first_at`), table).toEqual([
      { first: from - 1, last: to + by },
      { first: from + by, last: to + 1 },
    ]);
  }
});

function begin(): void {
  folder = temporaryFolder();
  path = storePath(folder, 'local');
  prepareStore(path, 'private');
}

function fill(
  readings: readonly { device: number; ago: number; isUptime: boolean; received: number; isWrong: boolean }[],
  isSummed: boolean,
): void {
  const writer = new DirectWriter(path);
  const devices = [new SimulatedDevice(), new SimulatedDevice()];
  for (const device of devices) writer.register(deviceRegistration.parse(device.registration()), 1);
  for (const [index, { device, ago, isUptime, received }] of readings.entries()) {
    const timestamp = BigInt(isUptime ? ago : NOW - ago);
    const each = { seq: BigInt(index + 1), timestamp, receivedAt: NOW + received, fields: [6] };
    writer.append([newReading(devices[device]!.id, each)]);
  }
  if (isSummed) writer.sumUp();
  writer.close();
  for (const [index, { isWrong }] of readings.entries()) {
    if (isWrong) execute(`UPDATE readings SET clock = ${WRONG} WHERE seq = ${index + 1}`);
  }
  for (const [hour, count] of countsOf(rows())) {
    execute(`INSERT INTO hourly_counts (hour, outcome, count) VALUES (${hour}, 'stored', ${count})`);
  }
}

/** Simulates a process that makes some steps of a move, from the start, and is then killed. */
function run(move: ArrivalMove, limit: number, steps: number): void {
  const writer = new DirectWriter(path);
  let after: MovedTo | null = null;
  for (let step = 0; step < steps; step += 1) {
    const [outcome] = writer.run([{ kind: 'moveArrivals', move, after, limit }]);
    after = (outcome as { result: MovedStep }).result.next;
    if (after === null) break;
  }
  writer.close();
}

/** Sums up all dirty hours, including the current one. */
function sumUp(): void {
  const writer = new DirectWriter(path);
  writer.sumUp();
  writer.close();
}

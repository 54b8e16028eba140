import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOUR_MS } from '../../src/main/store/counts.ts';
import { ReadConnection } from '../../src/main/store/sqlite/read/read-connection.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import { keptSince, NO_RETENTION, type Retention } from '../../src/shared/owner-api/retention.ts';
import { OwnerStoresForTest } from '../support/owner-stores.ts';
import { newReading, type TestReading } from '../support/readings.ts';
import { runs } from '../support/thorough.ts';

const DAY = 24 * HOUR_MS;
const START = Date.UTC(2026, 0, 1);
/** So long it is compared with what comes. */
const AHEAD_DAYS = 20;
const BYTES_PER_READING = 110;
/** A few pages more or fewer are in use by chance: that is a tenth of what a slow device writes in 20 days. */
const PAGES_BYTES_PER_DAY = (4 * 4096) / AHEAD_DAYS;

/** A year of a node: devices come and go, readings are sealed or plain, retention runs, the store is compacted. */
interface Year {
  readonly devices: readonly { readonly from: number; readonly stepMinutes: number; readonly isSealed: boolean }[];
  readonly keptDays: number | null;
  readonly compactedOn: readonly number[];
}

class SimulatedNode {
  readonly stores = new OwnerStoresForTest();
  readonly #writer = new DirectWriter(this.stores.paths.private);
  readonly #year: Year;
  readonly #ids: readonly string[];
  #seq = 0n;

  constructor(year: Year) {
    this.#year = year;
    this.#ids = year.devices.map((_, index) => {
      const seed = Buffer.alloc(32, index + 1);
      return this.stores.register({ seed }, ['private']).id;
    });
    const { keptDays } = year;
    const rules: Retention = { ...NO_RETENTION, private: keptDays === null ? null : { count: keptDays, unit: 'days' } };
    this.stores.write('private', [
      { kind: 'choose', name: 'retention', value: JSON.stringify(rules), updatedAt: START },
    ]);
  }

  /** Lives through days. */
  live(from: number, to: number): void {
    for (let day = from; day < to; day += 1) {
      for (const [index, { from: first, stepMinutes, isSealed }] of this.#year.devices.entries()) {
        if (day < first) continue;
        const step = stepMinutes * 60_000;
        const readings = Array.from({ length: Math.floor(DAY / step) }, (_, place) => {
          return this.#reading(START + day * DAY + place * step, isSealed);
        });
        this.#writer.append(readings.map((reading) => newReading(this.#ids[index]!, reading)));
        for (let hour = 0; hour < 24; hour += 1) {
          const stored = readings.filter(({ timestamp }) => new Date(Number(timestamp)).getUTCHours() === hour).length;
          this.#count((START + day * DAY) / HOUR_MS + hour, stored);
        }
      }
      this.#writer.sumUp();
      this.#prune(START + (day + 1) * DAY);
      if (this.#year.compactedOn.includes(day)) this.#compact();
    }
  }

  deleteBefore(day: number): void {
    const before = START + day * DAY;
    for (const id of this.#ids) this.stores.write('private', [{ kind: 'prune', id, before, limit: 1_000_000 }]);
  }

  /** The bytes of the pages that hold something. */
  usedBytes(): number {
    const connection = ReadConnection.toOne('private', this.stores.paths.private);
    try {
      return connection.pages('private').usedBytes;
    } finally {
      connection.close();
    }
  }

  async growth(day: number) {
    const { stores } = await this.stores.ask('space', {}, { now: START + day * DAY });
    return stores.find(({ store }) => store === 'private')!;
  }

  async dispose(): Promise<void> {
    this.#writer.close();
    await this.stores.dispose();
  }

  #compact(): void {
    const db = new Database(this.stores.paths.private);
    db.exec('VACUUM');
    db.close();
  }

  #reading(at: number, isSealed: boolean): TestReading {
    this.#seq += 1n;
    const field = (value: number) => (isSealed ? Buffer.alloc(36, Number(this.#seq % 250n)) : value);
    const place = Number(this.#seq % 97n) / 10;
    return {
      seq: this.#seq,
      timestamp: BigInt(at),
      receivedAt: at + 900,
      fields: [field(5 + place / 10), field(1.2), 80, 20.3],
    };
  }

  #count(hour: number, stored: number): void {
    const counts = { outcomes: [{ hour, outcome: 'stored', count: stored }], withheld: [], unregistered: [] };
    this.stores.write('private', [{ kind: 'count', counts } as never]);
  }

  #prune(now: number): void {
    const { keptDays } = this.#year;
    if (keptDays === null) return;
    this.deleteBefore((keptSince(now, { count: keptDays, unit: 'days' }) - START) / DAY);
  }
}

it('is forecast within a tenth through a year, whatever retention, compacting and new devices do', async () => {
  const device = fc.record({
    from: fc.constantFrom(0, 0, 100, 200),
    stepMinutes: fc.constantFrom(5, 10, 15, 30),
    isSealed: fc.boolean(),
  });
  const devices = fc
    .array(device, { minLength: 1, maxLength: 3 })
    .map(([first, ...rest]) => [{ ...first!, from: 0 }, ...rest]);
  // Compacted rows release less space than they take when they are deleted, so the forecast is less exact then.
  const year = fc.oneof(
    fc.record({ devices, keptDays: fc.constantFrom(null, 30), compactedOn: fc.subarray([20, 110, 250]) }),
    fc.record({ devices, keptDays: fc.constantFrom(90, 250), compactedOn: fc.constant([]) }),
  );
  const property = fc.asyncProperty(year, async (lived) => {
    const node = new SimulatedNode(lived);
    try {
      for (const [from, at] of [
        [0, 60],
        [60 + AHEAD_DAYS, 160],
        [160 + AHEAD_DAYS, 300],
      ] as const) {
        node.live(from, at);
        const { bytesPerDay: forecast, readingsPerDay } = await node.growth(at);
        const before = node.usedBytes();
        node.live(at, at + AHEAD_DAYS);
        const grown = (node.usedBytes() - before) / AHEAD_DAYS;
        // In relation to the written bytes, since retention releases nearly as much.
        const written = Math.max(grown, readingsPerDay * BYTES_PER_READING);
        expect(Math.abs(forecast - grown), `${forecast} instead of ${grown} on day ${at}`).toBeLessThan(
          written / 10 + PAGES_BYTES_PER_DAY,
        );
      }
    } finally {
      await node.dispose();
    }
  });
  await fc.assert(property, { ...runs(3), endOnFailure: true });
  // A year takes half a minute on a busy machine, and THOROUGH asks for twelve.
}, 1_200_000);

it('is of the same order right after retention has deleted most of a store, compacted or not', async () => {
  const devices = [{ from: 0, stepMinutes: 5, isSealed: false }];
  for (const compactedOn of [[], [119]]) {
    const node = new SimulatedNode({ devices, keptDays: null, compactedOn });
    try {
      node.live(0, 119);
      const before = (await node.growth(119)).bytesPerDay;
      node.deleteBefore(112);
      node.live(119, 120);
      const after = (await node.growth(120)).bytesPerDay;
      expect(Math.abs(after - before)).toBeLessThan(before / 5);
    } finally {
      await node.dispose();
    }
  }
});

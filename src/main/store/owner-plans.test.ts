import { afterAll, expect, it, vi } from 'vitest';
import { OwnerStoresForTest } from '../../../test/support/owner-stores.ts';
import { OwnerStores, type StoreName } from './owner-stores.ts';

/** Whole tables that are read by design: bounded, and none of them grows with readings. */
const SMALL = /^SCAN (?:d|(?:main|pub)\.(?:devices|device_notes|unregistered_devices)|\(subquery-\d+\))$/;
const LARGE = /\b(?:readings|hourly_rollups|dirty_hours)\b/;
const NOW = 1_760_000_000_000;

const stores = new OwnerStoresForTest();
afterAll(() => stores.dispose());

/** Every statement that the owner's view prepares, by asking everything in every way. */
function collectStatements(): Set<string> {
  const { id } = stores.register({}, ['private', 'public']);
  const clockless = stores.register({}, ['private', 'public']);
  for (const store of ['private', 'public'] as const) {
    for (const [device, offset] of [
      [id, 0],
      [clockless.id, NOW],
    ] as const) {
      const readings = Array.from({ length: 300 }, (_, index) => ({
        seq: BigInt(store === 'private' ? index : index + 40),
        timestamp: BigInt(NOW - offset + index * 60_000),
        receivedAt: NOW + index * 60_000,
        fields: [index],
      }));
      stores.append(store, stores.numberIn(store, device), readings);
    }
    stores.sumUp(store);
  }
  const prepared = new Set<string>();
  const { statement } = OwnerStores.prototype;
  const spy = vi.spyOn(OwnerStores.prototype, 'statement').mockImplementation(function (
    this: OwnerStores,
    store: StoreName,
    sql: string,
    exact?: boolean,
  ) {
    prepared.add(
      sql
        .replaceAll('@.', store === 'private' ? 'main.' : 'pub.')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    return statement.call(this, store, sql, exact) as never;
  });
  stores.reopen();
  stores.ask('overview', { dayStart: 0 }, { now: NOW });
  for (const device of [id, clockless.id]) {
    stores.ask('device', { id: device }, { now: NOW });
    stores.ask('latestReadings', { id: device, limit: 10 });
    for (const maxPoints of [10, 5000]) stores.ask('history', { id: device, from: null, to: null, maxPoints });
    let cursor: string | null = null;
    do {
      cursor = stores.ask('readingsPage', { id: device, from: null, to: null, cursor, limit: 100 }).next;
    } while (cursor !== null);
  }
  spy.mockRestore();
  return prepared;
}

it('no query of the owner reads through all readings, or sorts them', () => {
  const prepared = collectStatements();
  expect(prepared.size).toBeGreaterThan(30);
  for (const sql of prepared) {
    const parameters = Array.from(sql.matchAll(/\?/g), () => null);
    const plan = stores.state.stores.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
    const steps = plan.map(({ detail }) => detail);
    expect(
      steps.filter((step) => /^SCAN/.test(step) && !SMALL.test(step)),
      sql,
    ).toEqual([]);
    if (LARGE.test(sql)) {
      expect(
        steps.filter((step) => /TEMP B-TREE|AUTOMATIC/.test(step)),
        sql,
      ).toEqual([]);
      expect(
        steps.filter((step) => step.includes('USING')).every((step) => /\(device=\?/.test(step)),
        sql,
      ).toBe(true);
    }
  }
});

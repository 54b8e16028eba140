import { afterAll, expect, it, vi } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { Input } from '../../../../shared/owner-api/contract.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { ReadConnection } from './read-connection.ts';

/** Tables that are scanned by design: they are small and do not grow with readings. */
const SMALL =
  /^SCAN (?:d|(?:main|pub)\.(?:devices|device_notes|owner_choices|unregistered_devices|sqlite_schema)|main\.journal USING INDEX journal_calibrations|\(subquery-\d+\))$/;
const LARGE = /\b(?:readings|hourly_rollups|dirty_hours)\b/;
const NOW = 1_760_000_000_000;
const MONTH = { count: 1, unit: 'months' } as const;

const stores = new OwnerStoresForTest();
afterAll(() => stores.dispose());

/** Collects every statement that the owner's view prepares, by calling every query with every kind of input. */
async function collectStatements(): Promise<{ readonly prepared: Set<string>; readonly modules: Set<string> }> {
  const { id } = stores.register({}, ['private', 'public']);
  const clockless = stores.register({}, ['private', 'public']);
  for (const store of ['private', 'public'] as const) {
    for (const [device, offset] of [
      [id, 0],
      [clockless.id, NOW],
    ] as const) {
      const readings = Array.from({ length: 700 }, (_, index) => ({
        seq: BigInt(store === 'private' ? index : index + 40),
        timestamp: BigInt(NOW - offset + index * 60_000),
        receivedAt: NOW + index * 60_000,
        fields: [index],
      }));
      stores.append(store, device, readings);
    }
    stores.sumUp(store);
  }
  const prepared = new Set<string>();
  const modules = new Set<string>();
  const { statement } = ReadConnection.prototype;
  const spy = vi.spyOn(ReadConnection.prototype, 'statement').mockImplementation(function (
    this: ReadConnection,
    store: StoreName,
    sql: string,
    exact?: boolean,
  ) {
    const [, module = 'unknown'] =
      /store\/sqlite\/(?!read\/query-plans)([\w/-]+\.ts)/.exec(new Error().stack ?? '') ?? [];
    modules.add(module);
    prepared.add(
      sql
        .replaceAll('@.', store === 'private' ? 'main.' : 'pub.')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    return statement.call(this, store, sql, exact) as never;
  });
  await stores.reopen();
  await stores.ask('overview', { dayStart: 0 }, { now: NOW });
  for (const device of [id, clockless.id]) {
    await stores.ask('device', { id: device }, { now: NOW });
    await stores.ask('latestReadings', { id: device, limit: 10 });
    for (const maxPoints of [10, 5000]) await stores.ask('history', { id: device, from: null, to: null, maxPoints });
    let cursor: string | null = null;
    do {
      ({ next: cursor } = await stores.ask('readingsPage', { id: device, from: null, to: null, cursor, limit: 100 }));
    } while (cursor !== null);
    const filter = { field: 'ph', form: 'plain', min: 1, max: 250 } as const;
    do {
      const input: Input<'readingsPage'> = {
        ...{ id: device, from: null, to: null, cursor, limit: 100 },
        ...{ order: 'descending', filter },
      };
      ({ next: cursor } = await stores.ask('readingsPage', input));
    } while (cursor !== null);
    await stores.ask('journal', { device, from: 0, to: NOW });
  }
  await stores.ask('ownerChoices', {});
  await stores.ask('previewRetention', { private: MONTH, public: MONTH, strangers: MONTH, devices: [] }, { now: NOW });
  await stores.ask('space', {}, { now: NOW });
  spy.mockRestore();
  return { prepared, modules };
}

it('no query of the owner reads through all readings, or sorts them', async () => {
  const { prepared, modules } = await collectStatements();
  for (const asking of [
    'arrival-hours',
    'merged-hours',
    'merged-readings',
    'owner-records',
    'row-bytes',
    'stored-twice',
  ]) {
    expect([...modules].join()).toContain(asking);
  }
  const { db } = ReadConnection.toBoth(stores.paths);
  expect(prepared.size).toBeGreaterThan(30);
  for (const sql of prepared) {
    const names = Array.from(sql.matchAll(/\$(\w+)/g), ([, name]) => [name!, null] as const);
    const parameters = names.length > 0 ? [Object.fromEntries(names)] : Array.from(sql.matchAll(/\?/g), () => null);
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
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

import { afterAll, beforeAll, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import { openForWriting } from '../file/database.ts';
import { movedOf, outcomesSince, unregisteredOf, withheldOf } from './counts.ts';
import { ReadConnection } from './read-connection.ts';

let stores: OwnerStoresForTest;
let connection: ReadConnection;
let ids: [string, string];

beforeAll(() => {
  stores = new OwnerStoresForTest();
  ids = [stores.register({}, ['public']).id, stores.register({}, ['public']).id];
  connection = ReadConnection.toBoth(stores.paths);
});
afterAll(async () => {
  connection.close();
  await stores.dispose();
});

const strangers = [
  { id: 'ff'.repeat(32), attempts: 3, firstAt: 1, lastAt: 7, lastError: 'early' },
  { id: '0a'.repeat(32), attempts: 1, firstAt: 7, lastAt: 9, lastError: 'late' },
];

it('are nothing at first', () => {
  expect(withheldOf(connection, 'public', 1)).toEqual([]);
  expect(outcomesSince(connection, 'public', 0)).toEqual([]);
  expect(unregisteredOf(connection, 'public')).toEqual([]);
  expect(movedOf(connection, 'public', 1, 9)).toEqual([]);
});

it('of withheld fields and blocks are those of one device, by cause and field', () => {
  const one = { cause: 'omit', field: 'ph', count: 2, firstAt: 10, lastAt: 20 } as const;
  const blocks = { cause: 'publish_to', field: null, count: 5, firstAt: 11, lastAt: 21 } as const;
  const other = { cause: 'omit', field: 'ec', count: 7, firstAt: 12, lastAt: 22 } as const;
  const withheld = [
    { ...blocks, deviceId: ids[1] },
    { ...one, deviceId: ids[1] },
    { ...other, deviceId: ids[1] },
    { ...other, count: 99, deviceId: ids[0] },
  ];
  stores.write('public', [{ kind: 'count', counts: { withheld, outcomes: [], unregistered: null } }]);
  expect(withheldOf(connection, 'public', 2)).toEqual([other, one, blocks]);
  expect(withheldOf(connection, 'private', 2)).toEqual([]);
});

it('of outcomes are added up from an hour on', () => {
  const outcomes = [
    { hour: 4, outcome: 'stored', count: 100 },
    { hour: 5, outcome: 'stored', count: 10 },
    { hour: 6, outcome: 'stored', count: 1 },
    { hour: 6, outcome: 'bad_signature', count: 3 },
  ];
  stores.write('public', [{ kind: 'count', counts: { withheld: [], outcomes, unregistered: null } }]);
  const bad = { outcome: 'bad_signature', count: 3 };
  expect(outcomesSince(connection, 'public', 5)).toEqual([bad, { outcome: 'stored', count: 11 }]);
  expect(outcomesSince(connection, 'public', 6)).toEqual([bad, { outcome: 'stored', count: 1 }]);
  expect(outcomesSince(connection, 'public', 7)).toEqual([]);
});

it('of unregistered devices have the latest last', () => {
  stores.write('public', [{ kind: 'count', counts: { withheld: [], outcomes: [], unregistered: strangers } }]);
  expect(unregisteredOf(connection, 'public')).toEqual(strangers);
  expect(unregisteredOf(connection, 'private')).toEqual([]);
});

it('of moved times are those of one device, the latest first, up to a limit', () => {
  const db = openForWriting(stores.paths.public!, 'normal');
  db.exec('INSERT INTO moved_arrivals VALUES (1, 5, 60, 1), (2, 6, 70, 2), (1, 9, -80, 3), (1, 7, 90, 4)');
  db.close();
  const all = [
    { at: 9, by: -80, readings: 3 },
    { at: 7, by: 90, readings: 4 },
    { at: 5, by: 60, readings: 1 },
  ];
  expect(movedOf(connection, 'public', 1, 9)).toEqual(all);
  expect(movedOf(connection, 'public', 1, 2)).toEqual(all.slice(0, 2));
});

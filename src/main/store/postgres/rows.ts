import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import { StartError } from '../../common/start-error.ts';
import type { Movable, StoreLocation } from '../engine.ts';
import { type Cell, type Row, StoreInUse, type StoreRows, TABLES, type TableName } from '../rows.ts';
import { unregisteredOf } from './counts.ts';
import { Database, describeLocation, partsOf } from './database.ts';
import { jsonOf } from './devices.ts';
import { lockSchema, queueUnhashed, storeIn } from './schema.ts';

/** The offset that is subtracted from unsigned values to keep their order. */
const HALF = 2n ** 63n;
/** The node id of rows that came from a file. */
const NO_NODE = '00000000-0000-0000-0000-000000000000';
const LONG_TIMEOUT_MS = 120_000;

/** Moves stores in schemas of PostgreSQL. */
export const POSTGRES_ROWS: Movable = {
  open: async (location, access) => {
    const database = await Database.at(location, { timeoutMs: LONG_TIMEOUT_MS });
    if (access === 'read') return new PostgresRows(database, async () => {});
    let unlock = async () => {};
    try {
      unlock = await lockCopy(database, location);
      // Removes the row that a new store begins with.
      await database.query(`DELETE FROM ${database.schema}.log_state WHERE size = 0`);
      return new PostgresRows(database, unlock);
    } catch (error) {
      await unlock();
      await database.close();
      throw error;
    }
  },
  unfinished: (location) => {
    const { schema } = partsOf(location);
    const [address, query = ''] = location.split('?');
    const parameters = new URLSearchParams(query);
    parameters.set('schema', `${schema.slice(0, 50)}_unfinished`);
    return `${address}?${parameters}` as StoreLocation;
  },
  place: async (unfinished, location) => {
    const { schema } = partsOf(location);
    await Database.with(unfinished, async (database) => {
      const from = database.schema;
      await database.transaction(async (query) => {
        await lockSchema(query, schema);
        if ((await storeIn(query, schema)) !== null) {
          throw new StartError(
            `a node has created a store in the schema ${schema} meanwhile: stop it, remove that store if you need nothing of it (DROP SCHEMA ${schema} CASCADE), then run this again`,
          );
        }
        await query(`INSERT INTO ${from}.log_state VALUES (1, 0) ON CONFLICT DO NOTHING`);
        for (const statement of queueUnhashed(from)) await query(statement);
        await query(`SELECT setval(pg_get_serial_sequence('${from}.device', 'device'),
          greatest((SELECT max(device) FROM ${from}.device), 1))`);
        // The schema may have been created for a user without the right to create one.
        await query(`DROP SCHEMA IF EXISTS ${schema}`);
        await query(`ALTER SCHEMA ${from} RENAME TO ${schema}`);
      });
    });
  },
};

/** How rows of a table are read and written. */
interface Kept {
  /** Selects the columns of a row's cells. */
  readonly select: (schema: string) => string;
  /** The key columns, which order the rows, with their types. */
  readonly keys: readonly (readonly [column: string, type: string])[];
  /** The values of a key, if they differ from its cells. */
  readonly place?: (key: Row) => unknown[];
  readonly cells: (row: Record<string, unknown>) => Cell[];
  readonly insert: (schema: string) => string;
  readonly values: (row: Row) => unknown[];
  /** The types of the values. */
  readonly types: readonly string[];
}

const integer = (value: unknown): bigint | null => (value === null ? null : BigInt(value as string));
const hexOf = (cell: Cell | undefined): string => Buffer.from(cell as Uint8Array).toString('hex');
const isBytes = (cell: Cell | undefined): boolean => cell instanceof Uint8Array;

const KEPT: Partial<Record<TableName, Kept>> = {
  owners: {
    select: (schema) =>
      `SELECT id, name, kept, (SELECT min(created_at) FROM ${schema}.device WHERE owner = owner.id) AS at FROM ${schema}.owner`,
    keys: [['id', 'bytea']],
    cells: ({ id, name, kept, at }) => [
      ...[id as Buffer, name as string],
      ...(kept === null ? [null, null, null, null, integer(at ?? 0)] : cellsOf(kept)),
    ],
    insert: (schema) => `${schema}.owner (id, name, kept)`,
    types: ['bytea', 'text', 'json'],
    values: ([id, name, ...kept]) => [id, name, jsonOfCells(kept)],
  },
  devices: {
    select: (schema) => `SELECT * FROM ${schema}.device`,
    keys: [['device', 'int']],
    cells: deviceCells,
    insert: (schema) =>
      `${schema}.device (device, id, owner, registered, addresses, location, created_at, kept) OVERRIDING SYSTEM VALUE`,
    types: ['int', 'bytea', 'bytea', 'jsonb', 'jsonb', 'numeric', 'bigint', 'json'],
    values: deviceValues,
  },
  readings: {
    // If the row of a reading has no entry, its leaf has it.
    select: (schema) => `SELECT reading.*, coalesce(reading.entry, (
        SELECT max(leaf.entry) FROM ${schema}.log_leaf AS leaf
        WHERE leaf.device = reading.device AND leaf.seq = reading.seq AND NOT is_deleted)) AS logged
      FROM ${schema}.reading`,
    keys: [
      ['device', 'int'],
      ['seq', 'bigint'],
    ],
    place: ([device, seq]) => [device, (seq as bigint) - HALF],
    cells: (row) => [
      ...[integer(row.device), integer(row.seq)! + HALF, integer(row.timestamp)! + HALF],
      ...[integer(row.received_at), integer(row.key_version)],
      ...FIELD_NAMES.map((name) => (row[name] ?? row[`${name}Sealed`] ?? null) as Cell),
      row.signature as Cell,
      row.composition === null ? (row.raw as Cell) : integer(row.composition),
      ...[integer(row.clock), integer(row.logged), row.first_arrival as Cell],
    ],
    insert: (schema) =>
      `${schema}.reading (device, seq, timestamp, received_at, key_version,
        ${FIELD_NAMES.map((name) => `"${name}", "${name}Sealed"`).join(', ')},
        signature, composition, raw, clock, entry, first_arrival)`,
    types: [
      ...['int', 'bigint', 'bigint', 'bigint', 'bigint'],
      ...FIELD_NAMES.flatMap(() => ['float8', 'bytea']),
      ...['bytea', 'smallint', 'bytea', 'bigint', 'bigint', 'text'],
    ],
    values: ([device, seq, timestamp, receivedAt, keyVersion, ...rest]) => {
      const fields = rest.slice(0, FIELD_NAMES.length);
      const [signature, signed, ...others] = rest.slice(FIELD_NAMES.length);
      return [
        ...[device, (seq as bigint) - HALF, (timestamp as bigint) - HALF, receivedAt, keyVersion],
        ...fields.flatMap((cell) => (isBytes(cell) ? [null, cell] : [cell, null])),
        ...[signature, isBytes(signed) ? null : signed, isBytes(signed) ? signed : null, ...others],
      ];
    },
  },
  withheld: {
    select: (schema) =>
      `SELECT device, cause COLLATE "C" AS cause, field COLLATE "C" AS field, count, first_at, last_at FROM ${schema}.withheld`,
    keys: [
      ['device', 'int'],
      ['cause', 'text'],
      ['field', 'text'],
    ],
    cells: (row) => [
      ...[integer(row.device), row.cause as string, row.field as string],
      ...[integer(row.count), integer(row.first_at), integer(row.last_at)],
    ],
    insert: (schema) => `${schema}.withheld (device, cause, field, count, first_at, last_at)`,
    types: ['int', 'text', 'text', 'bigint', 'bigint', 'bigint'],
    values: (row) => [...row],
  },
  outcomes: {
    select: (schema) => `SELECT hour, outcome COLLATE "C" AS outcome, count FROM ${schema}.outcome`,
    keys: [
      ['hour', 'int'],
      ['outcome', 'text'],
    ],
    cells: (row) => [integer(row.hour), row.outcome as string, integer(row.count)],
    insert: (schema) => `${schema}.outcome (hour, outcome, count)`,
    types: ['int', 'text', 'bigint'],
    values: (row) => [...row],
  },
  log_entries: plain('log_entry', [
    ['entry', 'bigint'],
    ['content', 'text'],
  ]),
  log_leaves: {
    ...plain('log_leaf', [
      ['entry', 'bigint'],
      ['hash', 'bytea'],
      ['is_deleted', 'boolean'],
    ]),
    cells: ({ entry, hash, is_deleted: isDeleted }) => [integer(entry), hash as Buffer, isDeleted ? 1n : 0n],
    values: ([entry, hash, isDeleted]) => [entry, hash, isDeleted === 1n],
  },
  log_nodes: plain('log_node', [
    ['level', 'int'],
    ['position', 'bigint'],
    ['hash', 'bytea'],
  ]),
  log_state: plain('log_state', [
    ['row', 'int'],
    ['size', 'bigint'],
  ]),
  log_checkpoints: plain('log_checkpoint', [
    ['size', 'bigint'],
    ['at', 'bigint'],
    ['note', 'text'],
  ]),
};

/** Describes a table whose columns are the cells. */
function plain(table: string, columns: readonly (readonly [name: string, type: string])[]): Kept {
  const names = columns.map(([name]) => `"${name}"`).join(', ');
  return {
    select: (schema) => `SELECT ${names} FROM ${schema}.${table}`,
    keys: columns.slice(0, table === 'log_node' ? 2 : 1).map(([name, type]) => [`"${name}"`, type]),
    cells: (row) => columns.map(([name, type]) => (type.endsWith('int') ? integer(row[name]) : (row[name] as Cell))),
    insert: (schema) => `${schema}.${table} (${names})`,
    types: columns.map(([, type]) => type),
    values: (row) => [...row],
  };
}

/**
 * Keeps other moves away from a copy until the returned function is called or the connection ends. A transaction holds
 * the lock, so it works behind a connection pooler too.
 */
async function lockCopy(database: Database, location: StoreLocation): Promise<() => Promise<void>> {
  const isFree = Promise.withResolvers<boolean>();
  const released = Promise.withResolvers<void>();
  const holding = database.transaction(async (query) => {
    const [lock] = await query<{ taken: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken',
      [`wellhouse move ${database.schema}`],
    );
    isFree.resolve(lock!.taken);
    if (lock!.taken) await released.promise;
  });
  holding.catch(isFree.reject);
  if (!(await isFree.promise)) {
    throw new StoreInUse(`another move to ${describeLocation(location)} runs: let it end, or stop it`);
  }
  return async () => {
    released.resolve();
    await holding.catch(() => {});
  };
}

class PostgresRows implements StoreRows {
  readonly #database: Database;
  readonly #unlock: () => Promise<void>;

  constructor(database: Database, unlock: () => Promise<void>) {
    this.#database = database;
    this.#unlock = unlock;
  }

  async read(table: TableName, after: Row | null, limit: number): Promise<Row[]> {
    const { query, schema } = this.#database;
    if (table === 'unregistered') return this.#unregistered(after);
    const kept = KEPT[table];
    if (kept === undefined) return this.#carried(table, after, limit);
    const keys = kept.keys.map(([column]) => column).join(', ');
    const place = kept.keys.map(([, type], at) => `$${at + 2}::${type}`).join(', ');
    const behind = after === null ? '' : `WHERE (${keys}) > (${place})`;
    const rows = await query(`SELECT * FROM (${kept.select(schema)}) AS kept ${behind} ORDER BY ${keys} LIMIT $1`, [
      limit,
      ...(after === null ? [] : (kept.place?.(after) ?? after)).map(parameterOf),
    ]);
    return rows.map(kept.cells);
  }

  async insert(table: TableName, rows: readonly Row[]): Promise<void> {
    const { schema } = this.#database;
    if (table === 'unregistered') {
      await this.#insert(
        `${schema}.unregistered (node, id, attempts, first_at, last_at, last_error)`,
        ['uuid', 'bytea', 'bigint', 'bigint', 'bigint', 'text'],
        rows.map((row) => [NO_NODE, ...row]),
      );
      return;
    }
    const kept = KEPT[table];
    if (kept !== undefined) {
      await this.#insert(kept.insert(schema), kept.types, rows.map(kept.values));
      return;
    }
    await this.#insert(
      `${schema}.carried (part, key, second, cells)`,
      ['text', 'bigint', 'bigint', 'json'],
      rows.map((row) => [table, ...keyOf(table, row), jsonOfCells(row)]),
    );
  }

  async close(): Promise<void> {
    await this.#unlock();
    await this.#database.close();
  }

  async #insert(into: string, types: readonly string[], rows: readonly (readonly unknown[])[]): Promise<void> {
    const columns = types.map((_, at) => rows.map((row) => parameterOf(row[at])));
    await this.#database.query(
      `INSERT INTO ${into} SELECT * FROM unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(', ')})`,
      columns,
    );
  }

  async #carried(table: TableName, after: Row | null, limit: number): Promise<Row[]> {
    const { query, schema } = this.#database;
    const rows = await query<{ cells: unknown }>(
      `SELECT cells FROM ${schema}.carried WHERE part = $1 AND (key, second) > ($2, $3) ORDER BY key, second LIMIT $4`,
      [table, ...(after === null ? ['-1', '-1'] : keyOf(table, after).map(String)), limit],
    );
    return rows.map(({ cells }) => cellsOf(cells));
  }

  /** Returns all unregistered devices at once: there are few. Their counts are added up over the nodes. */
  async #unregistered(after: Row | null): Promise<Row[]> {
    if (after !== null) return [];
    const { query, schema } = this.#database;
    const rows = (await unregisteredOf(query, schema)).map((device): Row => {
      const { id, attempts, firstAt, lastAt, lastError } = device;
      return [Buffer.from(id, 'hex'), BigInt(attempts), BigInt(firstAt), BigInt(lastAt), lastError];
    });
    return rows.sort(([one], [other]) => Buffer.compare(one as Uint8Array, other as Uint8Array));
  }
}

function keyOf(table: TableName, [key, second]: Row): [bigint, bigint] {
  return [key as bigint, TABLES[table] === 2 ? (second as bigint) : 0n];
}

function parameterOf(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

interface Registered {
  readonly mac: string;
  readonly name: string;
  readonly type: number;
  readonly publishTo: number;
  readonly privacyPolicy: object;
  readonly hardware: object;
}

/** A device that came from a file keeps its original JSON text: the type jsonb does not preserve the order. */
function deviceCells(row: Record<string, unknown>): Cell[] {
  const { mac, name, type, publishTo, privacyPolicy, hardware } = row.registered as Registered;
  const { networks, localServers } = row.addresses as { networks: unknown; localServers: unknown };
  const texts = [networks, localServers, privacyPolicy, hardware].map((value) => JSON.stringify(value));
  const kept = row.kept === null ? [...texts, 0n, 0n] : cellsOf(row.kept);
  const [networksText, serversText, policyText, hardwareText, keyVersion, status] = kept as [
    Cell,
    Cell,
    Cell,
    Cell,
    Cell,
    Cell,
  ];
  return [
    ...[integer(row.device), row.id as Buffer, Buffer.from(mac, 'hex'), row.owner as Buffer, name],
    ...[BigInt(type), integer(row.location), BigInt(publishTo), networksText, serversText],
    ...[keyVersion, policyText, hardwareText, status, integer(row.created_at)],
  ];
}

function deviceValues(row: Row): unknown[] {
  const [device, id, mac, owner, name, type, location, publishTo, networks, servers, ...rest] = row;
  const [keyVersion, policy, hardware, status, createdAt] = rest;
  const value = (text: Cell | undefined) => JSON.parse((text as string | undefined) ?? 'null') as unknown;
  const registered = {
    ...{ mac: hexOf(mac), name, type: Number(type), publishTo: Number(publishTo) },
    ...{ privacyPolicy: value(policy), hardware: value(hardware) },
  };
  return [
    ...[device, id, owner, jsonOf(registered), jsonOf({ networks: value(networks), localServers: value(servers) })],
    ...[location, createdAt, jsonOfCells([networks!, servers!, policy!, hardware!, keyVersion!, status!])],
  ];
}

/** Returns cells as JSON: an integer is ["1"], bytes are {"hex": "01"}. */
function jsonOfCells(cells: readonly Cell[]): string {
  return JSON.stringify(
    cells.map((cell) => {
      if (typeof cell === 'bigint') return [cell.toString()];
      return cell instanceof Uint8Array ? { hex: hexOf(cell) } : cell;
    }),
  );
}

function cellsOf(kept: unknown): Cell[] {
  return (kept as unknown[]).map((cell): Cell => {
    if (Array.isArray(cell)) return BigInt(cell[0] as string);
    if (typeof cell === 'object' && cell !== null) return Buffer.from((cell as { hex: string }).hex, 'hex');
    return cell as Cell;
  });
}

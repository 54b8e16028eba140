import { StartError } from '../common/start-error.ts';
import type { StoreLocation } from './engine.ts';
import { engineOf } from './engines.ts';
import { type Cell, type Row, StoreInUse, type StoreRows, TABLE_NAMES, TABLES, type TableName } from './rows.ts';
import { isStorageFault } from './storage-unavailable.ts';

const PAGE_ROWS = 500;
/** After this number of passes, other nodes must still be writing to the source: the move fails. */
const MOST_PASSES = 3;

/** The input of a move of a store. */
export interface StoreMove {
  readonly from: StoreLocation;
  readonly to: StoreLocation;
  /** The public key of the node, lowercase hex. */
  readonly identity: string;
  readonly signal: AbortSignal;
  /** Called with the number of rows compared so far in this pass. */
  readonly onProgress: (phase: 'copying' | 'checking', rows: number) => void;
}

/** The number of rows by table after a move. */
export type MovedRows = Readonly<Record<TableName, number>>;

/**
 * Copies a public store to a free location, of any engine, and compares both row by row. It is placed only when both
 * are the same; the source is only read. After a crash or an abort by `signal`, another call continues the move.
 * Rejects with StartError if the move is not possible, and with StoreInUse while nodes use one of the stores.
 */
export async function movePublicStore(move: StoreMove): Promise<MovedRows> {
  const [source, target] = [engineOf(move.from), engineOf(move.to)];
  const [reading, writing] = [source.movable, target.movable];
  if (!(await source.exists(move.from))) throw new StartError(`there is no store at ${source.describe(move.from)}`);
  await refuseTaken(move.to);
  // An older store is not migrated here: the source stays unchanged.
  const version = await source.snapshots.version(move.from);
  if (version !== source.snapshots.newestVersion) {
    const { newestVersion } = source.snapshots;
    throw new StartError(`the store is of version ${version}, not ${newestVersion}: start its node once, then move it`);
  }
  await refuseInUse(move.from);
  await source.bind?.('public', move.from, move.identity);
  const unfinished = writing.unfinished(move.to);
  await target.prepare('public', unfinished);
  await target.bind?.('public', unfinished, move.identity);
  const from = await reading.open(move.from, 'read');
  try {
    const to = await writing.open(unfinished, 'write');
    try {
      const rows = await makeSame(from, to, move);
      // A node that started meanwhile confirms readings that the copy lacks.
      await refuseInUse(move.from);
      return rows;
    } catch (error) {
      // If nodes have changed the store meanwhile, that explains any other failure.
      if (!move.signal.aborted && !isStorageFault(error)) await refuseInUse(move.from);
      throw error;
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** Moves a store that `movePublicStore` has copied to its final location. Rejects like `movePublicStore`. */
export async function placeMovedStore({ to }: Pick<StoreMove, 'to'>): Promise<void> {
  await refuseTaken(to);
  const { movable } = engineOf(to);
  await movable.place(movable.unfinished(to), to);
}

/** Rejects if there is a store at the target of a move. */
async function refuseTaken(to: StoreLocation): Promise<void> {
  const engine = engineOf(to);
  if (!(await engine.exists(to))) return;
  const where = engine.describe(to);
  const names = await namesOfNodes(to);
  if (names !== null) {
    throw new StoreInUse(
      `there is a store at ${where} already, and nodes use it: ${names}; stop them, remove that store if you need nothing of it, then run this again`,
    );
  }
  throw new StartError(
    `there is a store at ${where} already (a node that starts creates one): remove it if you need nothing of it, or name another place, then run this again`,
  );
}

/** Rejects if nodes that share a store have reported within the last minute. A node that stops properly signs off. */
async function refuseInUse(location: StoreLocation): Promise<void> {
  const names = await namesOfNodes(location);
  if (names === null) return;
  throw new StoreInUse(
    `nodes use the store at ${engineOf(location).describe(location)}: ${names}; stop them, then run this again (a node that was killed counts for a minute)`,
  );
}

/** Returns the hosts and addresses of the nodes that use a shared store; null if there are none. */
async function namesOfNodes(location: StoreLocation): Promise<string | null> {
  const { openOperator, snapshots } = engineOf(location);
  // Another version may have no list of nodes.
  if (openOperator === null || (await snapshots.version(location)) !== snapshots.newestVersion) return null;
  const operator = await openOperator(location);
  try {
    const nodes = await operator.nodes();
    if (nodes.length === 0) return null;
    return nodes.map(({ host, url }) => (url === null ? host : `${host} (${url})`)).join(', ');
  } finally {
    await operator.close();
  }
}

async function makeSame(from: StoreRows, to: StoreRows, move: StoreMove): Promise<MovedRows> {
  for (let pass = 1; ; pass += 1) {
    const rows = {} as Record<TableName, number>;
    let added = 0;
    let seen = 0;
    for (const table of TABLE_NAMES) {
      const done = await makeTableSame(from, to, table, () => {
        move.signal.throwIfAborted();
        seen += 1;
        if (seen % PAGE_ROWS === 0) move.onProgress(pass === 1 ? 'copying' : 'checking', seen);
      });
      rows[table] = done.rows;
      added += done.added;
    }
    if (added === 0) return rows;
    if (pass === MOST_PASSES) {
      throw new StartError(
        'the store that is moved goes on changing: stop every node that uses it, then run this again',
      );
    }
  }
}

/** Adds the missing rows to a table. Rejects if the table has other rows. */
async function makeTableSame(from: StoreRows, to: StoreRows, table: TableName, onRow: () => void) {
  const there = rowsOf(to, table);
  let next = await there.next();
  let missing: Row[] = [];
  let added = 0;
  let rows = 0;
  for await (const row of rowsOf(from, table)) {
    onRow();
    rows += 1;
    const order = next.done ? 1 : compareKeys(next.value, row, TABLES[table]);
    if (order < 0) throw differs(table, next.value as Row);
    if (order === 0) {
      if (!isSame(next.value as Row, row)) throw differs(table, row);
      next = await there.next();
      continue;
    }
    added += 1;
    missing.push(row);
    if (missing.length === PAGE_ROWS) {
      await to.insert(table, missing);
      missing = [];
    }
  }
  if (missing.length > 0) await to.insert(table, missing);
  if (!next.done) throw differs(table, next.value);
  return { rows, added };
}

async function* rowsOf(store: StoreRows, table: TableName): AsyncGenerator<Row, undefined> {
  for (let after: Row | null = null; ; ) {
    const page: readonly Row[] = await store.read(table, after, PAGE_ROWS);
    yield* page;
    if (page.length < PAGE_ROWS) return undefined;
    after = page.at(-1)!.slice(0, TABLES[table]);
  }
}

function differs(table: TableName, row: Row): StartError {
  const key = row
    .slice(0, TABLES[table])
    .map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell));
  return new StartError(
    `the copy differs from the store in ${table} ${key.join(' ')}: the store was changed meanwhile; stop every node that uses it, remove the unfinished copy, then run this again`,
  );
}

function compareKeys(one: Row, other: Row, length: number): number {
  for (let at = 0; at < length; at += 1) {
    const order = compareCells(one[at]!, other[at]!);
    if (order !== 0) return order;
  }
  return 0;
}

function compareCells(one: Cell, other: Cell): number {
  if (typeof one === 'bigint' && typeof other === 'bigint') return one < other ? -1 : Number(one > other);
  return Buffer.compare(bytesOf(one), bytesOf(other));
}

function bytesOf(cell: Cell): Uint8Array {
  return cell instanceof Uint8Array ? cell : Buffer.from(String(cell), 'utf8');
}

function isSame(one: Row, other: Row): boolean {
  return one.length === other.length && one.every((cell, at) => isSameCell(cell, other[at]!));
}

function isSameCell(one: Cell, other: Cell): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  return Object.is(one, other) || (one === 0 && other === 0);
}

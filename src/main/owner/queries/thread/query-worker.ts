import { parentPort, workerData } from 'node:worker_threads';
import type { OwnerErrorCode } from '../../../../shared/owner-api/contract.ts';
import { OwnerError } from '../../../common/owner-error.ts';
import type { StoreLocations } from '../../../store/engine.ts';
import { openStoresReader } from '../../../store/engines.ts';
import { isStorageFault } from '../../../store/storage-unavailable.ts';
import { QueryMemory, type QueryName, type StoreChanges } from '../queries.ts';
import { type Query, runQuery } from './query-methods.ts';

/**
 * The query thread: reads the stores for the owner's view, so that a long query does not delay the endpoints. It
 * answers with JSON text in bytes, which the main thread need not copy or serialize again.
 */

/** The data that the thread starts with. */
export interface QueryWorkerData {
  readonly locations: StoreLocations;
  readonly nodePublicKey: string;
  /** The folder of the node's identity. */
  readonly dataDir: string;
}

/** A request for one query. */
export interface QueryRequest<M extends QueryName> extends Query<M> {
  readonly id: number;
}

/** A message to the thread: a query, changes of the stores since the last message, or null to close. */
export type QueryMessage = QueryRequest<QueryName> | { readonly changes: StoreChanges } | null;

/** The answer: the value as JSON, or the failure. `unexpected` is for the log. */
export type QueryReply =
  | { readonly id: number; readonly ok: true; readonly json: Uint8Array }
  | {
      readonly id: number;
      readonly ok: false;
      readonly error: OwnerErrorCode;
      readonly details: string | null;
      readonly unexpected: Error | null;
    };

const { locations, nodePublicKey, dataDir } = workerData as QueryWorkerData;
const reader = await openStoresReader(locations);
const memory = new QueryMemory(nodePublicKey, dataDir);

/** The readings that are summed up between two queries, in some milliseconds. */
const PREPARED_AT_ONCE = 5000;
let isPreparing = false;

async function answer<M extends QueryName>(request: QueryRequest<M>): Promise<QueryReply> {
  const { id } = request;
  try {
    const value = await runQuery(reader, memory, request);
    const json = new TextEncoder().encode(JSON.stringify(value));
    return { id, ok: true, json };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof OwnerError) {
      return { id, ok: false, error: error.code, details: message, unexpected: null };
    }
    const code = isStorageFault(error) ? 'storage_unavailable' : 'internal_error';
    return { id, ok: false, error: code, details: null, unexpected: error as Error };
  }
}

/** Prepares charts by arrival for the devices that need them, while there is no query. */
async function prepare(): Promise<void> {
  const [id] = memory.toPrepare;
  isPreparing = id !== undefined;
  if (id === undefined) return;
  // If the store can't be read, a request for the chart reports it.
  const hasMore = await reader.prepareArrivals(id, PREPARED_AT_ONCE).catch(() => false);
  if (!hasMore) memory.toPrepare = memory.toPrepare.filter((other) => other !== id);
  setImmediate(prepare);
}

async function reply(request: QueryRequest<QueryName>): Promise<void> {
  const made = await answer(request);
  parentPort!.postMessage(made, made.ok ? [made.json.buffer as ArrayBuffer] : []);
  if (isPreparing || memory.toPrepare.length === 0) return;
  isPreparing = true;
  setImmediate(prepare);
}

function follow(changes: StoreChanges): void {
  memory.follow(changes);
  for (const id of changes.forgotten) reader.forgotten(id);
}

async function close(): Promise<void> {
  memory.toPrepare = [];
  await reader.close();
  parentPort!.close();
}

/** Settles when the latest query is answered: queries are answered one by one, in their order. */
let turn = Promise.resolve();

parentPort!.on('message', (message: QueryMessage) => {
  turn = turn.then(() => {
    if (message === null) return close();
    return 'changes' in message ? follow(message.changes) : reply(message);
  });
});

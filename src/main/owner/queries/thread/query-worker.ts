import { parentPort, workerData } from 'node:worker_threads';
import type { OwnerErrorCode } from '../../../../shared/owner-api/contract.ts';
import { OwnerError } from '../../../common/owner-error.ts';
import type { StoreLocations } from '../../../store/engine.ts';
import { openStoresReader } from '../../../store/engines.ts';
import { isStorageFault } from '../../../store/storage-unavailable.ts';
import { QueryMemory, type QueryName, type StoreChanges } from '../queries.ts';
import { type Query, runQuery } from './query-methods.ts';

/**
 * The query thread: reads the stores for the owner's view, so that no query, however long, holds up the endpoints. It
 * answers with JSON text in bytes, which need neither be copied nor written again on the main thread.
 */

/** The data that the thread starts with. */
export interface QueryWorkerData {
  readonly locations: StoreLocations;
  readonly nodePublicKey: string;
  /** The folder of the node's identity. */
  readonly dataDir: string;
}

/** Asks one query. */
export interface QueryRequest<M extends QueryName> extends Query<M> {
  readonly id: number;
}

/** A message to the thread: a query, changes of the stores since the last message, or null to close. */
export type QueryMessage = QueryRequest<QueryName> | { readonly changes: StoreChanges } | null;

/** Answers it: the value as JSON, or what failed. `unexpected` is for the log. */
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

/** Readings that sums are made of between two queries: some milliseconds. */
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

/** Makes charts by arrival ready for the devices that need them, while nobody asks for anything. */
async function prepare(): Promise<void> {
  const [id] = memory.toPrepare;
  isPreparing = id !== undefined;
  if (id === undefined) return;
  // A store that can't be read: whoever asks for the chart is told.
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

/** Settled when the latest query is answered: they are answered one by one, in the order in which they were asked. */
let turn = Promise.resolve();

parentPort!.on('message', (message: QueryMessage) => {
  turn = turn.then(() => {
    if (message === null) return close();
    return 'changes' in message ? follow(message.changes) : reply(message);
  });
});

import { parentPort, workerData } from 'node:worker_threads';
import type { Input, OwnerErrorCode } from '../../shared/owner-api.ts';
import type { OwnerStorePaths } from '../store/owner-stores.ts';
import { isStorageFault } from '../store/storage-unavailable.ts';
import { history } from './history.ts';
import { device, overview } from './overview.ts';
import { OwnerError } from './owner-error.ts';
import { latestReadings, readingsPage } from './pages.ts';
import { type QueryContext, type QueryName, type QueryOutput, QueryState } from './queries.ts';

/**
 * The query thread: reads the stores for the owner's view, so that no query, however long, holds up the endpoints. It
 * answers with JSON text in bytes, which need neither be copied nor written again on the main thread.
 */

/** What the thread is started with. */
export interface QueryWorkerData {
  readonly paths: OwnerStorePaths;
  readonly nodePublicKey: string;
}

/** Asks one query; its input has passed the contract's schema. */
export interface QueryRequest {
  readonly id: number;
  readonly method: QueryName;
  readonly input: unknown;
  readonly context: QueryContext;
}

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

const { paths, nodePublicKey } = workerData as QueryWorkerData;
const state = new QueryState(paths, nodePublicKey);

/** Readings that sums are made of between two queries: some milliseconds. */
const PREPARED_AT_ONCE = 5000;
/** Devices whose charts are made ready: those of the latest overview, and before them what somebody looks at. */
let toPrepare: string[] = [];
let isPreparing = false;

function run(method: QueryName, input: unknown, context: QueryContext): QueryOutput {
  switch (method) {
    case 'overview': {
      const value = overview(state, input as Input<'overview'>, context);
      toPrepare = value.devices.filter(({ mine, clockNotSet }) => mine && clockNotSet).map(({ id }) => id);
      return value;
    }
    case 'device': {
      const value = device(state, input as Input<'device'>, context);
      if (value.clockNotSet) toPrepare = [value.id, ...toPrepare.filter((id) => id !== value.id)];
      return value;
    }
    case 'latestReadings':
      return latestReadings(state, input as Input<'latestReadings'>);
    case 'readingsPage':
      return readingsPage(state, input as Input<'readingsPage'>);
    case 'history':
      return history(state, input as Input<'history'>);
  }
}

function answer({ id, method, input, context }: QueryRequest): QueryReply {
  try {
    for (const [device, receivedAt] of context.arrivals) {
      state.summaries.arrived(device, receivedAt);
      state.today.arrived(device);
    }
    for (const device of context.forgotten) {
      state.summaries.forgotten(device);
      state.arrivals.forgotten(device);
    }
    const value = state.stores.snapshot(() => run(method, input, context));
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
function prepare(): void {
  const [id] = toPrepare;
  isPreparing = id !== undefined;
  if (id === undefined) return;
  try {
    const hasMore = state.stores.snapshot(() => state.arrivals.prepare(state.device(id), PREPARED_AT_ONCE));
    if (!hasMore) toPrepare.shift();
  } catch {
    // Forgotten meanwhile, or a store that can't be read: whoever asks for the chart is told.
    toPrepare.shift();
  }
  setImmediate(prepare);
}

parentPort!.on('message', (request: QueryRequest | null) => {
  if (request === null) {
    toPrepare = [];
    state.stores.close();
    parentPort!.close();
    return;
  }
  const reply = answer(request);
  parentPort!.postMessage(reply, reply.ok ? [reply.json.buffer as ArrayBuffer] : []);
  if (isPreparing || toPrepare.length === 0) return;
  isPreparing = true;
  setImmediate(prepare);
});

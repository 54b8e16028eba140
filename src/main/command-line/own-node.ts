import type { Answer, Input, Output } from '../../shared/owner-api/contract.ts';
import { METHODS } from '../../shared/owner-api/contract.ts';
import { finishRestore, isRestoreCutOff } from '../care/swap.ts';
import { OwnerError } from '../common/owner-error.ts';
import { hasData } from '../data-folder/data-folder.ts';
import { readPublicKey } from '../data-folder/identity.ts';
import { isNodeRunning, lockDataDir } from '../data-folder/node-lock.ts';
import { readUiAddress } from '../owner/page/ui-address.ts';
import { readUiToken } from '../owner/page/ui-token.ts';
import { QueryMemory, type QueryName, STORES_ALONE } from '../owner/queries/queries.ts';
import { runQuery } from '../owner/queries/thread/query-methods.ts';
import type { StoreLocations } from '../store/engine.ts';
import { engineOf, openStoresReader } from '../store/engines.ts';
import { locationsIn } from '../store/locations.ts';
import type { StoresReader } from '../store/stores-view.ts';
import { CommandError, EXIT } from './exit-codes.ts';

/** The calls that only a running node answers. */
type Order =
  | 'writeJournalEntry'
  | 'addPhoto'
  | 'writeTask'
  | 'completeTask'
  | 'postponeTask'
  | 'deleteTask'
  | 'setRetention'
  | 'openPairing'
  | 'getSettings'
  | 'alertDigest'
  | 'confirmHeldBack'
  | 'dropHeldBack';

/** The connection of a command to a node's data. */
export interface NodeLink {
  /**
   * `api`: the running node answers; `beside`: a node runs without an owner API, so its folder is read; `folder`: no
   * node runs.
   */
  readonly how: 'api' | 'beside' | 'folder';
  call<M extends QueryName>(method: M, input: Input<M>): Promise<Output<M>>;
  /** Requests a change, which only a running node with an owner API makes. */
  order<M extends Order>(method: M, input: Input<M>): Promise<Output<M>>;
  close(): Promise<void>;
}

/**
 * Connects to the node that runs on a folder. If none runs, reads the folder under the node's lock. Throws CommandError
 * and StartError.
 */
export async function linkToNode(dataDir: string): Promise<NodeLink> {
  requireNode(dataDir);
  if (isNodeRunning(dataDir)) {
    const address = readUiAddress(dataDir);
    return address === null ? await readFolder(dataDir, 'beside', () => {}) : apiLink(address, readUiToken(dataDir));
  }
  const unlock = lockDataDir(dataDir);
  try {
    finishRestore(dataDir);
    return await readFolder(dataDir, 'folder', unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Connects to a node that was started again; null if it has not saved its address yet. */
export function reconnect(dataDir: string): NodeLink | null {
  const address = readUiAddress(dataDir);
  return address === null ? null : apiLink(address, readUiToken(dataDir));
}

function apiLink(address: string, token: string): NodeLink {
  const call = async <M extends QueryName | Order>(method: M, input: Input<M>): Promise<Output<M>> => {
    let answer: Answer<M>;
    try {
      const reply = await fetch(`${address}/ui/api/${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      });
      answer = (await reply.json()) as Answer<M>;
    } catch (error) {
      throw new CommandError(`the node at ${address} does not answer (${(error as Error).message})`);
    }
    if (answer.ok) return answer.value;
    throw new CommandError(
      `the node answers ${answer.error}${answer.details === undefined ? '' : `: ${answer.details}`}`,
    );
  };
  return {
    how: 'api',
    call,
    order: call,
    close: async () => {},
  };
}

async function readFolder(dataDir: string, how: 'beside' | 'folder', release: () => void): Promise<NodeLink> {
  const { reader, close } = await openReader(dataDir, release);
  const memory = new QueryMemory(readPublicKey(dataDir), dataDir);
  return {
    how,
    call: async <M extends QueryName>(method: M, input: Input<M>) => {
      const context = { ...STORES_ALONE, now: Date.now() };
      const checked = METHODS[method].input.parse(input);
      try {
        return await runQuery(reader, memory, { method, input: checked as never, context });
      } catch (error) {
        if (error instanceof OwnerError) throw new CommandError(error.message);
        throw error;
      }
    },
    order: async () => {
      throw new CommandError('this needs a running node', EXIT.place, 'start it with --ui', 'no_node');
    },
    close,
  };
}

/** The stores of a folder, opened for reading. */
export interface OpenFolder {
  readonly reader: StoresReader;
  readonly locations: StoreLocations;
  close(): Promise<void>;
}

/**
 * Opens the stores of a folder for reading: next to a running node, or under the node's lock. Throws CommandError and
 * StartError.
 */
export async function openFolder(dataDir: string): Promise<OpenFolder> {
  requireNode(dataDir);
  if (isNodeRunning(dataDir)) return openReader(dataDir, () => {});
  const unlock = lockDataDir(dataDir);
  try {
    finishRestore(dataDir);
    return await openReader(dataDir, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openReader(dataDir: string, release: () => void): Promise<OpenFolder> {
  const all = locationsIn(dataDir);
  const hasPublic = await engineOf(all.public).exists(all.public);
  for (const location of [all.private, all.public]) {
    const engine = engineOf(location);
    if (!(await engine.exists(location))) continue;
    const { newestVersion } = engine.snapshots;
    const version = await engine.snapshots.version(location);
    if (version === newestVersion) continue;
    throw new CommandError(
      version > newestVersion
        ? `${location} was written by a newer Wellhouse: update this one`
        : `${location} is of an older version: start the node once, it brings it up to date`,
      EXIT.newer,
    );
  }
  const locations = { ...all, public: hasPublic ? all.public : null };
  const reader = await openStoresReader(locations);
  return {
    reader,
    locations,
    close: async () => {
      await reader.close();
      release();
    },
  };
}

/**
 * Throws CommandError if a folder has no node. If a restore was cut off, the folder has no data at present; the process
 * that takes its lock finishes the restore first.
 */
export function requireNode(dataDir: string): void {
  if (hasData(dataDir) || isRestoreCutOff(dataDir)) return;
  throw new CommandError(
    `there is no node in ${dataDir}`,
    EXIT.place,
    'name its folder with DATA_DIR or --data-dir',
    'no_node',
  );
}

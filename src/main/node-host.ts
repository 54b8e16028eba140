import type { Logger } from 'pino';
import type { NodeStart } from '../shared/desktop-api.ts';
import { type Node, type NodeOptions, startNode } from './node.ts';
import type { OwnerService } from './owner/service.ts';
import { portHolder } from './port-holder.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';

/** What a host is made of. */
export interface HostParts {
  /** Asked at each start. Throws StartError. */
  readonly readSettings: () => Settings;
  readonly log: Logger;
  readonly options: NodeOptions;
}

/**
 * Holds the one node of a program that outlives it: the node can fail to start, and can be started anew with other
 * settings. Starts, restarts and stops happen one after another.
 */
export class NodeHost {
  readonly #parts: HostParts;
  readonly #listeners = new Set<(state: NodeStart) => void>();
  #node: Node | null = null;
  #state: NodeStart = { state: 'starting' };
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: HostParts) {
    this.#parts = parts;
  }

  get state(): NodeStart {
    return this.#state;
  }

  /** The running node; null where there is none. */
  get node(): Node | null {
    return this.#node;
  }

  get owner(): OwnerService | null {
    return this.#node?.owner ?? null;
  }

  /** Starts the node, after stopping one that runs, and resolves with how it went. Rejects only for a fault of ours. */
  restart(): Promise<NodeStart> {
    return this.#inTurn(async () => {
      await this.#end();
      this.#set({ state: 'starting' });
      try {
        const { readSettings, log, options } = this.#parts;
        this.#node = await startNode(readSettings(), log, options);
        this.#set({ state: 'running' });
      } catch (error) {
        this.#parts.log.error({ reason: (error as Error).message }, 'the node did not start');
        this.#set(failure(error));
        if (!(error instanceof StartError)) throw error;
      }
      return this.#state;
    });
  }

  /** Stops the node; something may follow that needs its files at rest. */
  stop(): Promise<void> {
    return this.#inTurn(() => this.#end());
  }

  /** Tells each change of `state`; returns what ends it. */
  onState(listener: (state: NodeStart) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #end(): Promise<void> {
    const node = this.#node;
    this.#node = null;
    if (node === null) return;
    this.#set({ state: 'starting' });
    await node.stop();
  }

  #set(state: NodeStart): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

function failure(error: unknown): NodeStart {
  const message = (error as Error).message.replace(/\s+/g, ' ');
  const taken = error instanceof StartError ? error.takenPort : null;
  if (taken === null) return { state: 'failed', cause: 'refused', message, port: null };
  const { destination, port } = taken;
  return { state: 'failed', cause: 'port_taken', message, port: { endpoint: destination, port, by: portHolder(port) } };
}

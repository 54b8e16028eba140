import { once } from 'node:events';
import type { MessagePort, Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { OnStoreState } from '../../src/main/store/engine.ts';
import { type OpenStore, StoreServer } from '../../src/main/store/sqlite/write/store-server.ts';
import { StoreWriter } from '../../src/main/store/sqlite/write/writer.ts';
import type { WriterOptions } from '../../src/main/store/sqlite/write/writer-connection.ts';
import { Bell } from '../../src/main/store/verifier/bell.ts';
import { Fate } from '../../src/main/store/verifier/packed-blocks.ts';
import type { CheckedLane, Verifiers } from '../../src/main/store/verifier/verifiers.ts';

/** A StoreWriter whose store is served on the calling thread, in the next turn after each ring. */
export class ServedWriter {
  readonly writer: StoreWriter;
  readonly #bell: ServingBell;
  #port!: MessagePort;

  constructor(options: WriterOptions, log: Logger, onState: OnStoreState = () => {}) {
    this.#bell = new ServingBell();
    this.writer = new StoreWriter(options, { log, bell: this.#bell, onState });
    const worker: Pick<Worker, 'postMessage'> = {
      postMessage: (message: OpenStore) => {
        this.#port = message.port;
        this.#bell.server = new StoreServer(message);
      },
    };
    this.writer.connect(worker as Worker);
  }

  /** Closes the store after its pending jobs. */
  async end(): Promise<void> {
    await Promise.all([once(this.#port, 'close'), this.writer.close()]);
  }
}

class ServingBell extends Bell {
  server: StoreServer | null = null;

  override ring(threads?: number): void {
    super.ring(threads);
    setImmediate(() => {
      const server = this.server;
      if (server === null) return;
      server.receive();
      while (server.writeGroup());
      if (server.close()) this.server = null;
    });
  }
}

/** Verifiers that accept each signature, for chunks of one block. `used` says how they were asked. */
export function playedVerifiers(): { readonly used: string[]; readonly verifiers: Verifiers } {
  const used: string[] = [];
  const lanes: CheckedLane[] = [];
  const played: Pick<Verifiers, 'add' | 'wake' | 'idle' | 'check'> = {
    ...{ idle: 1, add: (lane) => lanes.push(lane) },
    wake: () => {
      used.push('lane');
      for (const { memory, bell } of lanes) {
        for (let ticket = memory.claim(0); ticket !== null; ticket = memory.claim(0)) {
          memory.chunk(ticket).blocks.setFate(0, Fate.GOOD);
          memory.markChecked(ticket);
        }
        bell.ring();
      }
    },
    check: async (checks) => {
      used.push('append');
      return checks.map(() => true);
    },
  };
  return { used, verifiers: played as Verifiers };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { OpenStore, StoreReply } from '../../src/main/store/sqlite/write/store-server.ts';
import type { WriteFailure, WriteJob } from '../../src/main/store/sqlite/write/write-jobs.ts';
import { StoreWriter } from '../../src/main/store/sqlite/write/writer.ts';
import type { WriterOptions } from '../../src/main/store/sqlite/write/writer-connection.ts';
import { Bell } from '../../src/main/store/verifier/bell.ts';

/** The options of a PlayedWriter. */
export const PLAYED_OPTIONS: WriterOptions = { path: '/stores/private.db', durability: 'full', bounds: null };
const OK = { ok: true, result: null } as const;

/** A StoreWriter whose thread is played by the test. */
export class PlayedWriter {
  readonly bell = new Bell();
  readonly logged: unknown[] = [];
  readonly states: unknown[] = [];
  /** The message that each thread got to open the store. */
  readonly opened: { readonly message: OpenStore; readonly transferred: unknown }[] = [];
  readonly writer: StoreWriter;
  isReady = false;
  #port: MessagePort | null = null;

  constructor() {
    const log: Pick<Logger, 'error'> = { error: (...said: unknown[]) => this.logged.push(said) };
    const onState = (refusal: unknown) => this.states.push(refusal);
    this.writer = new StoreWriter(PLAYED_OPTIONS, { log: log as Logger, bell: this.bell, onState });
    void this.writer.ready.then(() => {
      this.isReady = true;
    });
  }

  /** Begins to play a thread. */
  connect(): void {
    const worker: Pick<Worker, 'postMessage'> = {
      postMessage: (message: OpenStore, transferred: unknown) => this.opened.push({ message, transferred }),
    };
    this.writer.connect(worker as Worker);
    this.#port = this.opened.at(-1)!.message.port;
  }

  /** Returns what was sent to the thread since the last call. */
  received(): unknown[] {
    const messages: unknown[] = [];
    for (;;) {
      const next = receiveMessageOnPort(this.#port!);
      if (next === undefined) return messages;
      messages.push(next.message);
    }
  }

  /** Replies as the thread. Resolves when the replies have arrived. */
  async reply(...replies: StoreReply[]): Promise<void> {
    for (const reply of replies) this.#port!.postMessage(reply);
    await settled();
  }

  /** Writes a job, and replies with its outcome. */
  async write(job: WriteJob, outcome: WriteFailure | typeof OK = OK): Promise<unknown> {
    this.received();
    const written = watch(this.writer.write(job));
    const [{ id }] = this.received() as [{ id: number }];
    await this.reply({ outcomes: [[id, outcome]], end: 0, chunks: 'nothing' });
    return written.outcome;
  }

  end(): void {
    this.#port?.close();
    this.writer.disconnect();
  }
}

/** Resolves when a port has delivered its messages. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

/** Returns where the outcome of a promise will be: its value, or its error. */
export function watch(promise: Promise<unknown>): { outcome: unknown } {
  const watched: { outcome: unknown } = { outcome: 'pending' };
  promise.then(
    (value) => {
      watched.outcome = value;
    },
    ({ name, code, message }: Error & { code?: string }) => {
      watched.outcome = code === undefined ? { name, message } : { name, code, message };
    },
  );
  return watched;
}

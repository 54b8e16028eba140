import { z } from 'zod';
import type { CheckpointOutlet } from '../../shared/owner-api/witnesses.ts';
import { storeName, timeMs } from '../../shared/owner-data/values.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { StateFolder } from '../state-files/aside.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile, StateFileKind } from '../state-files/state-file.ts';
import type { StoredCheckpoint } from '../store/store-log.ts';
import { messageOf, type Outlet } from './outlet-kinds.ts';

/** More than a few days of checkpoints. The rest is sent with the next attempt. */
const MOST_AT_ONCE = 100;

const content = z.object({
  version: z.literal(1),
  sent: z.array(
    z.object({
      outlet: z.string().regex(/^[0-9a-f]{64}$/),
      store: storeName,
      /**
       * The size of the newest checkpoint that need not be sent, and when it was sent; null: it is older than the
       * outlet.
       */
      size: z.int().min(0),
      at: timeMs.nullable(),
    }),
  ),
});

/** The file with the progress of sent checkpoints. Checkpoints to be sent are in the store. */
export const SENT_CHECKPOINTS_FILE: StateFileKind<typeof content> = {
  ...{ name: 'sent-checkpoints.json', schema: content, empty: { version: 1, sent: [] } },
};

/** Sends each checkpoint to a file or a webhook, in their order. Failed ones are retried. */
export class CheckpointOutlets {
  readonly #outlets: readonly Outlet[];
  readonly #folder: StateFolder;
  readonly #file: StateFile<typeof content>;
  readonly #ending = new AbortController();
  readonly #failing = new Map<Outlet, { readonly since: number; readonly reason: string }>();

  /** Throws StartError if its file can't be read. */
  constructor(outlets: readonly Outlet[], folder: StateFolder) {
    this.#outlets = outlets;
    this.#folder = folder;
    this.#file = openStateFile(SENT_CHECKPOINTS_FILE, folder);
    if (outlets.length > 0) this.#file.read();
  }

  /** The state of each outlet. */
  get view(): CheckpointOutlet[] {
    const sent = this.#file.peek()?.sent ?? [];
    return this.#outlets.map((outlet) => {
      const times = sent.filter((each) => each.outlet === outlet.id).flatMap(({ at }) => at ?? []);
      const sentAt = times.length === 0 ? null : Math.max(...times);
      return { kind: outlet.kind, place: outlet.place, sentAt, failing: this.#failing.get(outlet) ?? null };
    });
  }

  /** Aborts sending. */
  end(): void {
    this.#ending.abort();
  }

  /**
   * Sends the missing checkpoints of a log to each outlet; a new outlet begins with the newest one. Returns false if
   * there are more to send. Rejects like the file system if the progress can't be stored.
   */
  async deliver(store: StoreName, log: string, checkpoints: readonly StoredCheckpoint[]): Promise<boolean> {
    let isDone = true;
    for (const outlet of this.#outlets) {
      const last = this.#file.peek()?.sent.find((each) => each.outlet === outlet.id && each.store === store);
      const from = last?.size ?? checkpoints.at(-2)?.size ?? 0;
      if (last === undefined && checkpoints.length > 0) await this.#note(outlet, store, from, null);
      const due = checkpoints.filter(({ size }) => size > from);
      const sent = await this.#send(outlet, store, log, due.slice(0, MOST_AT_ONCE));
      isDone &&= sent === due.length;
    }
    return isDone;
  }

  /** Returns the number of sent checkpoints. */
  async #send(outlet: Outlet, store: StoreName, log: string, due: readonly StoredCheckpoint[]): Promise<number> {
    let count = 0;
    for (const checkpoint of due) {
      try {
        await outlet.send(messageOf(store, log, checkpoint), this.#ending.signal);
      } catch (error) {
        if (this.#ending.signal.aborted) return count;
        const { message: reason } = error as Error;
        const { since = this.#folder.now() } = this.#failing.get(outlet) ?? {};
        this.#failing.set(outlet, { since, reason });
        this.#folder.log.warn(
          { outlet: outlet.kind, place: outlet.place, reason },
          'a checkpoint was not taken; it is tried again',
        );
        return count;
      }
      await this.#note(outlet, store, checkpoint.size, this.#folder.now());
      count += 1;
      this.#failing.delete(outlet);
    }
    return count;
  }

  #note(outlet: Outlet, store: StoreName, size: number, at: number | null): Promise<void> {
    return this.#file.write(() => {
      const before = this.#file.peek()?.sent ?? [];
      const others = before.filter((each) => each.outlet !== outlet.id || each.store !== store);
      return { version: 1, sent: [...others, { outlet: outlet.id, store, size, at }] };
    });
  }
}

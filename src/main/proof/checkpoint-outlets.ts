import { z } from 'zod';
import type { CheckpointOutlet } from '../../shared/owner-api/witnesses.ts';
import { storeName, timeMs } from '../../shared/owner-data/values.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import type { StateFolder } from '../state-files/aside.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFile, StateFileKind } from '../state-files/state-file.ts';
import type { StoredCheckpoint } from '../store/port.ts';
import { messageOf, type Outlet } from './outlet-kinds.ts';

/** More than a few days of checkpoints: the rest goes out with the next try. */
const MOST_AT_ONCE = 100;

const content = z.object({
  version: z.literal(1),
  sent: z.array(
    z.object({
      outlet: z.string().regex(/^[0-9a-f]{64}$/),
      store: storeName,
      /** The size of the newest checkpoint that need not be sent, and when it was; null: it was there before the outlet. */
      size: z.int().min(0),
      at: timeMs.nullable(),
    }),
  ),
});

/** The file of how far checkpoints have gone out. What is to be sent yet is in the store. */
export const SENT_CHECKPOINTS_FILE: StateFileKind<typeof content> = {
  ...{ name: 'sent-checkpoints.json', schema: content, empty: { version: 1, sent: [] } },
};

/** Has a file or a webhook take each checkpoint, in their order. One that fails is tried again. */
export class CheckpointOutlets {
  readonly #outlets: readonly Outlet[];
  readonly #folder: StateFolder;
  readonly #file: StateFile<typeof content>;
  readonly #ending = new AbortController();
  readonly #failing = new Map<Outlet, { readonly since: number; readonly reason: string }>();

  /** Throws StartError where its file may not be read. */
  constructor(outlets: readonly Outlet[], folder: StateFolder) {
    this.#outlets = outlets;
    this.#folder = folder;
    this.#file = openStateFile(SENT_CHECKPOINTS_FILE, folder);
    if (outlets.length > 0) this.#file.read();
  }

  /** How it is with each outlet. */
  get view(): CheckpointOutlet[] {
    const sent = this.#file.peek()?.sent ?? [];
    return this.#outlets.map((outlet) => {
      const times = sent.filter((each) => each.outlet === outlet.id).flatMap(({ at }) => at ?? []);
      const sentAt = times.length === 0 ? null : Math.max(...times);
      return { kind: outlet.kind, place: outlet.place, sentAt, failing: this.#failing.get(outlet) ?? null };
    });
  }

  /** Ends what is under way. */
  end(): void {
    this.#ending.abort();
  }

  /**
   * Sends what each outlet lacks of a log; a new outlet begins with the newest checkpoint. Gives false if there is more to
   * send. Rejects as the file system does where it can't be noted.
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

  /** Gives how many were sent. */
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

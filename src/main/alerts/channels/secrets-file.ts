import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { channelSecret } from '../../../shared/alerts/channel.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { StateFolder } from '../../state-files/aside.ts';
import { openStateFile } from '../../state-files/damaged-files.ts';
import type { StateFile, StateFileKind } from '../../state-files/state-file.ts';
import type { Secrets } from './channel.ts';

const content = z.object({
  version: z.literal(1),
  channels: z.record(z.uuid(), z.partialRecord(channelSecret, z.string())),
});

export const ALERT_SECRETS_FILE: StateFileKind<typeof content> = {
  name: 'alert-secrets.json',
  schema: content,
  empty: { version: 1, channels: {} },
  copy: 'same',
};

/**
 * Tokens, passwords and keys of channels, in a separate file that only its owner can read. They are never shown or
 * exported.
 */
export class SecretsFile {
  readonly #file: StateFile<typeof content>;
  readonly #writes = new SerialQueue();
  #channels: ReadonlyMap<string, Secrets>;

  private constructor(file: StateFile<typeof content>) {
    this.#file = file;
    this.#channels = new Map(Object.entries(file.read()?.channels ?? {}));
  }

  /** Reads the file if it exists. Throws StartError if it may not be read. */
  static open(folder: StateFolder): SecretsFile {
    return new SecretsFile(openStateFile(ALERT_SECRETS_FILE, folder));
  }

  of(channel: string): Secrets {
    return this.#channels.get(channel) ?? {};
  }

  /** Replaces the secrets of a channel. If the write fails, it rejects and nothing has changed. */
  set(channel: string, secrets: Secrets): Promise<void> {
    return this.#write((channels) => new Map(channels).set(channel, secrets));
  }

  /** Removes the secrets of all other channels. */
  keepOnly(ids: readonly string[]): Promise<void> {
    return this.#write((channels) => new Map([...channels].filter(([id]) => ids.includes(id))));
  }

  async settled(): Promise<void> {
    await this.#writes.settled();
  }

  #write(change: (channels: ReadonlyMap<string, Secrets>) => ReadonlyMap<string, Secrets>): Promise<void> {
    return this.#writes.run(async () => {
      const next = new Map([...change(this.#channels)].filter(([, secrets]) => Object.keys(secrets).length > 0));
      if (isDeepStrictEqual(next, this.#channels)) return;
      await this.#file.write(() => ({ version: 1, channels: Object.fromEntries(next) }));
      this.#channels = next;
    });
  }
}

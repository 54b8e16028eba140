import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { channelSecret } from '../../../shared/alerts/channel.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import { writeAtomically } from '../../common/atomic-write.ts';
import type { Secrets } from './channel.ts';

export const SECRETS_FILE = 'alert-secrets.json';

const content = z.object({
  version: z.literal(1),
  channels: z.record(z.uuid(), z.partialRecord(channelSecret, z.string())),
});

/**
 * Tokens, passwords and keys of channels, in a file of their own for its owner alone: nothing that is shown, exported or
 * saved for others reads it.
 */
export class SecretsFile {
  readonly #path: string;
  readonly #writes = new SerialQueue();
  #channels: ReadonlyMap<string, Secrets>;

  private constructor(path: string, channels: ReadonlyMap<string, Secrets>) {
    this.#path = path;
    this.#channels = channels;
  }

  /** Reads the file, which need not exist; a damaged one is kept under another name. Throws as the file system does. */
  static open(dataDir: string, log: Logger): SecretsFile {
    const path = join(dataDir, SECRETS_FILE);
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new SecretsFile(path, new Map());
      throw error;
    }
    try {
      return new SecretsFile(path, new Map(Object.entries(content.parse(JSON.parse(text)).channels)));
    } catch {
      const aside = `${path}.broken-${new Date().toISOString().replace(/[-:]/g, '')}`;
      renameSync(path, aside);
      log.error({ aside }, 'the secrets of the alert channels could not be read: enter them again');
      return new SecretsFile(path, new Map());
    }
  }

  /** The secrets of a channel. */
  of(channel: string): Secrets {
    return this.#channels.get(channel) ?? {};
  }

  /** Replaces the secrets of a channel. Rejects, with nothing changed, where they can't be written. */
  set(channel: string, secrets: Secrets): Promise<void> {
    return this.#write((channels) => new Map(channels).set(channel, secrets));
  }

  /** Removes those of every other channel. */
  keepOnly(ids: readonly string[]): Promise<void> {
    return this.#write((channels) => new Map([...channels].filter(([id]) => ids.includes(id))));
  }

  async settled(): Promise<void> {
    await this.#writes.settled();
  }

  #write(change: (channels: ReadonlyMap<string, Secrets>) => ReadonlyMap<string, Secrets>): Promise<void> {
    return this.#writes.run(async () => {
      const next = new Map([...change(this.#channels)].filter(([, secrets]) => Object.keys(secrets).length > 0));
      const text = (channels: ReadonlyMap<string, Secrets>) => {
        return `${JSON.stringify({ version: 1, channels: Object.fromEntries(channels) }, null, 2)}\n`;
      };
      if (text(next) === text(this.#channels)) return;
      await writeAtomically(this.#path, text(next));
      this.#channels = next;
    });
  }
}

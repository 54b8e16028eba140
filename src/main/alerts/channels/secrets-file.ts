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

  /** Reads the file, which need not exist; one that can't be read is kept under another name. */
  static open(dataDir: string, log: Logger): SecretsFile {
    const path = join(dataDir, SECRETS_FILE);
    try {
      const { channels } = content.parse(JSON.parse(readFileSync(path, 'utf8')));
      return new SecretsFile(path, new Map(Object.entries(channels)));
    } catch (error) {
      // Not the error itself: one of JSON quotes what it read.
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') putAside(path, code ?? 'damaged', log);
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

function putAside(path: string, reason: string, log: Logger): void {
  const aside = `${path}.broken-${new Date().toISOString().replace(/[-:]/g, '')}`;
  const told = 'the secrets of the alert channels can’t be read: enter them again';
  try {
    renameSync(path, aside);
    log.error({ reason, aside }, told);
  } catch (error) {
    log.error({ reason, path, code: (error as NodeJS.ErrnoException).code }, told);
  }
}

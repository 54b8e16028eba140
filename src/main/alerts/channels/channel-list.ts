import { randomUUID } from 'node:crypto';
import { type ChannelConfig, type ChannelSecret, MAX_CHANNELS } from '../../../shared/alerts/channel.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { Secrets } from './channel.ts';
import { secretsFor } from './kinds.ts';
import type { SecretsFile } from './secrets-file.ts';

/** Changes of secrets; null removes one. */
export type SecretChanges = Readonly<Partial<Record<ChannelSecret, string | null>>>;

/** The channels that the owner set up. Their secrets are stored separately. */
export class ChannelList {
  readonly #channels = new Map<string, ChannelConfig>();
  readonly #secrets: SecretsFile;

  /** `kept` is a result of `all`. */
  constructor(kept: readonly ChannelConfig[], secrets: SecretsFile) {
    this.#secrets = secrets;
    for (const each of kept) this.#channels.set(each.id, each);
  }

  get all(): readonly ChannelConfig[] {
    return [...this.#channels.values()];
  }

  /** Returns null if the channel is unknown. */
  find(id: string): ChannelConfig | null {
    return this.#channels.get(id) ?? null;
  }

  secretsOf(id: string): Secrets {
    return this.#secrets.of(id);
  }

  /**
   * Replaces a channel, or creates one if the input has no id. Resolves when its secrets are on disk. Rejects with
   * OwnerError.
   */
  async write(
    input: Omit<ChannelConfig, 'id'> & { readonly id: string | null },
    changes: SecretChanges,
  ): Promise<ChannelConfig> {
    const before = input.id === null ? null : this.find(input.id);
    if (input.id !== null && before === null) throw new OwnerError('not_found', 'there is no such channel');
    if (before === null && this.#channels.size >= MAX_CHANNELS) {
      throw new OwnerError('conflict', 'there are too many channels');
    }
    const written = { ...input, id: input.id ?? randomUUID() };
    // Secrets for one server must not go to another. Otherwise anyone who may change a channel could have them sent to
    // their own server.
    const isSame = before !== null && secretsFor(before.target) === secretsFor(written.target);
    const all = { ...(isSame ? this.secretsOf(written.id) : {}), ...changes };
    await this.#stored(this.#secrets.set(written.id, withoutNull(all)));
    this.#channels.set(written.id, written);
    return written;
  }

  /** Throws OwnerError if the channel is unknown. */
  delete(id: string): void {
    if (!this.#channels.delete(id)) throw new OwnerError('not_found', 'there is no such channel');
  }

  /** Deletes the secrets of deleted channels. Rejects with OwnerError. */
  async dropSecrets(): Promise<void> {
    await this.#stored(this.#secrets.keepOnly(this.all.map(({ id }) => id)));
  }

  async #stored(write: Promise<void>): Promise<void> {
    try {
      await write;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new OwnerError('storage_unavailable', `the secrets can't be written (${code})`);
    }
  }
}

function withoutNull(secrets: SecretChanges): Secrets {
  return Object.fromEntries(Object.entries(secrets).filter(([, secret]) => secret !== null && secret !== undefined));
}

import { randomUUID } from 'node:crypto';
import type { ChannelConfig, ChannelSecret } from '../../../shared/alerts/channel.ts';
import { MAX_CHANNELS } from '../../../shared/alerts/rule.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { Secrets } from './channel.ts';
import { secretsFor } from './kinds.ts';
import type { SecretsFile } from './secrets-file.ts';

/** Secrets as they are handed in: null takes one away. */
export type SecretChanges = Readonly<Partial<Record<ChannelSecret, string | null>>>;

/** The channels as the owner set them up. Their secrets are kept apart. */
export class ChannelList {
  readonly #channels = new Map<string, ChannelConfig>();
  readonly #secrets: SecretsFile;

  /** `kept` is what `all` gave. */
  constructor(kept: readonly ChannelConfig[], secrets: SecretsFile) {
    this.#secrets = secrets;
    for (const each of kept) this.#channels.set(each.id, each);
  }

  get all(): readonly ChannelConfig[] {
    return [...this.#channels.values()];
  }

  /** null where there is none. */
  find(id: string): ChannelConfig | null {
    return this.#channels.get(id) ?? null;
  }

  secretsOf(id: string): Secrets {
    return this.#secrets.of(id);
  }

  /** Writes a channel again, or a new one; its secrets are on disk when this resolves. Rejects with OwnerError. */
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
    // What was told one server is for no other: whoever may change a channel could else have it sent to theirs.
    const isSame = before !== null && secretsFor(before.target) === secretsFor(written.target);
    const all = { ...(isSame ? this.secretsOf(written.id) : {}), ...changes };
    await this.#stored(this.#secrets.set(written.id, withoutNull(all)));
    this.#channels.set(written.id, written);
    return written;
  }

  /** Throws OwnerError. */
  delete(id: string): void {
    if (!this.#channels.delete(id)) throw new OwnerError('not_found', 'there is no such channel');
  }

  /** Deletes secrets of channels that there are no more. Rejects with OwnerError. */
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

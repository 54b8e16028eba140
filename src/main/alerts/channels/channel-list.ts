import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type ChannelConfig, channel } from '../../../shared/alerts/channel.ts';
import { MAX_CHANNELS } from '../../../shared/alerts/rule.ts';
import type { ChannelState } from '../../../shared/owner-api/alerts.ts';
import { OwnerError } from '../../common/owner-error.ts';

/** The channels as the owner set them up. */
export class ChannelList {
  readonly #channels = new Map<string, ChannelConfig>();

  snapshot(): readonly ChannelConfig[] {
    return [...this.#channels.values()];
  }

  /** Takes in what `snapshot` gave. */
  restore(kept: unknown): void {
    const parsed = z.array(channel).safeParse(kept);
    for (const one of parsed.data ?? []) this.#channels.set(one.id, one);
  }

  list(): ChannelState[] {
    return this.snapshot().map(stateOf);
  }

  /** Throws OwnerError. */
  write(input: Omit<ChannelConfig, 'id'> & { readonly id: string | null }): ChannelState {
    const isNew = input.id === null;
    if (!isNew && !this.#channels.has(input.id!)) throw new OwnerError('not_found', 'there is no such channel');
    if (isNew && this.#channels.size >= MAX_CHANNELS) throw new OwnerError('conflict', 'there are too many channels');
    const written = { ...input, id: input.id ?? randomUUID() };
    this.#channels.set(written.id, written);
    return stateOf(written);
  }

  /** Throws OwnerError. */
  delete(id: string): void {
    if (!this.#channels.delete(id)) throw new OwnerError('not_found', 'there is no such channel');
  }
}

function stateOf(one: ChannelConfig): ChannelState {
  const isPlainBeyondLan = false;
  return { channel: one, secrets: [], isPlainBeyondLan, lastSuccessAt: null, lastFailure: null, waiting: 0, held: 0 };
}

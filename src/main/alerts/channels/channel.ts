import type { ChannelSecret, ChannelTarget } from '../../../shared/alerts/channel.ts';
import type { ChannelFault } from '../../../shared/alerts/faults.ts';
import type { Notice } from './notice.ts';

/** Where messages go. */
export interface Channel {
  /** Resolves once the other side has said that it has the message. Rejects with ChannelError, also where aborted. */
  send(notice: Notice, signal: AbortSignal): Promise<void>;
}

/** The secrets of a channel, by name. */
export type Secrets = Readonly<Partial<Record<ChannelSecret, string>>>;

export type TargetOf<K extends ChannelTarget['kind']> = Extract<ChannelTarget, { kind: K }>;

export interface ChannelDependencies<K extends ChannelTarget['kind']> {
  readonly target: TargetOf<K>;
  readonly secrets: Secrets;
  /** Shows a message in the windows and tabs that are open; gives whether there is any, and whether one showed it. */
  readonly show: (notice: Notice, signal: AbortSignal) => Promise<'shown' | 'not_shown' | 'no_view'>;
}

/** A kind of channel. */
export interface ChannelKind<K extends ChannelTarget['kind']> {
  open(dependencies: ChannelDependencies<K>): Channel;
  /** The purpose of its secrets, such as the origin of its server: they are sent nowhere else. */
  secretsFor(target: TargetOf<K>): string;
  /** Messages go unencrypted to somewhere beyond this network. */
  isPlainBeyondLan(target: TargetOf<K>): boolean;
}

interface ChannelErrorOptions {
  /** The same message would be refused again. */
  readonly isPermanent?: boolean;
  /** How long the other side asked to be left alone, in milliseconds. */
  readonly retryAfterMs?: number | null;
}

/** A message that was not taken, for a reason that the owner may read: it never holds a secret. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';
  readonly fault: ChannelFault;
  /** For whoever looks closer, such as "HTTP 503"; possibly in the server's own words. */
  readonly detail: string;
  readonly isPermanent: boolean;
  readonly retryAfterMs: number | null;

  constructor(
    fault: ChannelFault,
    detail: string,
    { isPermanent = false, retryAfterMs = null }: ChannelErrorOptions = {},
  ) {
    super(`${fault}: ${detail}`);
    this.fault = fault;
    this.detail = detail;
    this.isPermanent = isPermanent;
    this.retryAfterMs = retryAfterMs;
  }
}

import type { ChannelSecret, ChannelTarget } from '../../../shared/alerts/channel.ts';
import type { ChannelFault } from '../../../shared/alerts/faults.ts';
import type { Notice } from './notice.ts';

/** The recipient of messages. */
export interface Channel {
  /** Resolves when the other side has confirmed the message. Rejects with ChannelError, also if aborted. */
  send(notice: Notice, signal: AbortSignal): Promise<void>;
}

/** The secrets of a channel, by name. */
export type Secrets = Readonly<Partial<Record<ChannelSecret, string>>>;

export type TargetOf<K extends ChannelTarget['kind']> = Extract<ChannelTarget, { kind: K }>;

export interface ChannelDependencies<K extends ChannelTarget['kind']> {
  readonly target: TargetOf<K>;
  readonly secrets: Secrets;
  /** Shows a message in the open windows and tabs. Resolves with whether there are any and whether one showed it. */
  readonly show: (notice: Notice, signal: AbortSignal) => Promise<'shown' | 'not_shown' | 'no_view'>;
}

/** A kind of channel. */
export interface ChannelKind<K extends ChannelTarget['kind']> {
  open(dependencies: ChannelDependencies<K>): Channel;
  /** Returns the purpose of the secrets, such as the origin of the server: they are sent nowhere else. */
  secretsFor(target: TargetOf<K>): string;
  /** Returns whether messages leave this network unencrypted. */
  isPlainBeyondLan(target: TargetOf<K>): boolean;
}

interface ChannelErrorOptions {
  /** Whether the same message would be refused again. */
  readonly isPermanent?: boolean;
  /** The delay that the other side requested, in milliseconds. */
  readonly retryAfterMs?: number | null;
}

/** A message was not accepted. The owner may read the reason: it never contains a secret. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';
  readonly fault: ChannelFault;
  /** Technical details, such as "HTTP 503"; possibly in the server's own words. */
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

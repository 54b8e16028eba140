import type { Logger } from 'pino';
import type { Clock } from '../../common/clock.ts';
import type { Channel } from '../channels/channel.ts';
import type { Notice, NoticeFacts } from '../channels/notice.ts';
import type { QuietHours } from './quiet-hours.ts';

/** A channel that messages may be for. */
export interface OpenChannel {
  readonly channel: Channel;
  /** Off: messages are not kept for it. */
  readonly isOn: boolean;
  readonly maxPerHour: number;
  /** Puts a message into words for it. */
  words(facts: NoticeFacts): Notice;
}

export interface OutboxDependencies {
  readonly log: Logger;
  readonly clock: Clock;
  readonly timeZone: () => string;
  /** The channel of an id; null where there is none. */
  readonly channel: (id: string) => OpenChannel | null;
  readonly quietHours: () => QuietHours | null;
  /** A message with the values of its alert as they are when it is sent: it may have waited for hours. */
  readonly upToDate: (facts: NoticeFacts) => NoticeFacts;
  /** Resolves when what `snapshot` says now is on disk, with true, or with false where it can't be written. */
  readonly persist: () => Promise<boolean>;
  /** Called when `state` changed. */
  readonly onChange: () => void;
}

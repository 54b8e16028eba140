import type { Logger } from 'pino';
import type { Clock } from '../../common/clock.ts';
import type { Channel } from '../channels/channel.ts';
import type { Notice, NoticeFacts } from '../channels/notice.ts';
import type { QuietHours } from './quiet-hours.ts';

/** A channel that can receive messages. */
export interface OpenChannel {
  readonly channel: Channel;
  /** If false, messages are not kept for it. */
  readonly isOn: boolean;
  readonly maxPerHour: number;
  /** Puts a message into words for the channel. */
  words(facts: NoticeFacts): Notice;
}

export interface OutboxDependencies {
  readonly log: Logger;
  readonly clock: Clock;
  readonly timeZone: () => string;
  /** Returns the channel with an id; null if it is unknown. */
  readonly channel: (id: string) => OpenChannel | null;
  readonly quietHours: () => QuietHours | null;
  /** Updates the values of a message's alert, since the message may have waited for hours. */
  readonly upToDate: (facts: NoticeFacts) => NoticeFacts;
  /** Writes the current `snapshot`. Resolves with true when it is on disk, or with false if it can't be written. */
  readonly persist: () => Promise<boolean>;
  /** Called when `state` changed. */
  readonly onChange: () => void;
}

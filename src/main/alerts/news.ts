import type { Alert } from '../../shared/alerts/alert.ts';
import type { Rule } from '../../shared/alerts/rule.ts';
import type { DeviceNotes } from '../../shared/owner-data/notes.ts';

/** Something to be told about an alert, before it is words: one message for each channel of the rule. */
export interface News {
  /** The id of the message, the same at every try. */
  readonly id: string;
  readonly kind: 'fired' | 'repeated' | 'ended';
  /** Unix milliseconds. */
  readonly at: number;
  /** As it is at that time; `ended` says why one ended. */
  readonly alert: Alert;
  readonly channels: Rule['channels'];
  /** The device's name and units. null if the message is about no device, or about an unknown one. */
  readonly device: { readonly id: string; readonly name: string; readonly notes: DeviceNotes } | null;
}

/** Takes news on their way out. */
export interface NewsDesk {
  /** Takes news in, at once and in memory; they are on disk with the next state that is written. */
  add(news: News): void;
  /** Call this when what was added is on disk: it may be sent now. */
  flush(): void;
}

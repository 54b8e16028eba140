import type { Alert } from '../../shared/alerts/alert.ts';
import type { Rule } from '../../shared/alerts/rule.ts';
import type { DeviceNotes } from '../../shared/owner-data/notes.ts';

/** A change of an alert to report, not yet in words. It becomes one message for each channel of the rule. */
export interface News {
  /** The id of the message, the same for every try. */
  readonly id: string;
  readonly kind: 'fired' | 'repeated' | 'ended';
  /** The time of the change, in Unix milliseconds. */
  readonly at: number;
  /** The alert at that time. If it ended, `ended` says why. */
  readonly alert: Alert;
  readonly channels: Rule['channels'];
  /** The device's name and notes. null if the message is not about a device, or the device is unknown. */
  readonly device: { readonly id: string; readonly name: string; readonly notes: DeviceNotes } | null;
}

/** Sends news to the owner. */
export interface NewsDesk {
  /** Adds news in memory. They are on disk after the next write of the state. */
  add(news: News): void;
  /** Call this when the added news are on disk: from then on they may be sent. */
  flush(): void;
}

import type { GeneralUnits } from '../../../shared/measures/field-scale.ts';
import type { Language } from '../../../shared/texts/languages.ts';

/** How a message is put into words. */
export interface Wording {
  readonly language: Language;
  /** The system's locale: its region counts where it is of the language. */
  readonly systemLocale: string;
  readonly timeZone: string;
  /** The owner's units for all devices. */
  readonly units: GeneralUnits;
  /** Where the owner's view is reached; null: messages have no link. */
  readonly linkBase: string | null;
  /** No number in title and text but those in names. */
  readonly withoutValues: boolean;
  /** The most bytes of a summary's text. */
  readonly mostBytes: number;
}

/** Writes times as a language does, in a time zone: without the day where that goes without saying. */
export function timeWriter(locale: string, timeZone: string, now: number): (at: number) => string {
  const day = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'short' });
  const ofToday = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' });
  const ofAnotherDay = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  return (at) => (day.format(at) === day.format(now) ? ofToday : ofAnotherDay).format(at);
}

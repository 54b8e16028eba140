import type { GeneralUnits } from '../../../shared/measures/field-scale.ts';
import type { Language } from '../../../shared/texts/languages.ts';

/** The parameters for putting a message into words. */
export interface Wording {
  readonly language: Language;
  /** The system's locale. Its region is used if the language matches. */
  readonly systemLocale: string;
  readonly timeZone: string;
  /** The owner's units for all devices. */
  readonly units: GeneralUnits;
  /** The address of the owner's view; null if messages have no link. */
  readonly linkBase: string | null;
  /** Whether title and text have no numbers, except in names. */
  readonly withoutValues: boolean;
  /** The most bytes of a summary's text. */
  readonly mostBytes: number;
}

/** Returns a function that writes times in a language and a time zone. It leaves out the day if that is today. */
export function timeWriter(locale: string, timeZone: string, now: number): (at: number) => string {
  const day = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'short' });
  const ofToday = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' });
  const ofAnotherDay = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  return (at) => (day.format(at) === day.format(now) ? ofToday : ofAnotherDay).format(at);
}

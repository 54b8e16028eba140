/** Writes times as a language does, in this node's local time: without the day where that goes without saying. */
export function timeWriter(locale: string, timeZone: string, now: number): (at: number) => string {
  const day = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'short' });
  const ofToday = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' });
  const ofAnotherDay = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  return (at) => (day.format(at) === day.format(now) ? ofToday : ofAnotherDay).format(at);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the time zone of the displayed times, with its offset from UTC at `ms`: "America/Sao_Paulo, GMT-3". */
export function zoneText(ms: number, locale: string): string {
  let format = formats.get(locale);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, { timeZoneName: 'shortOffset' });
    formats.set(locale, format);
  }
  const offset = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value;
  const { timeZone } = format.resolvedOptions();
  return offset === undefined || offset === timeZone ? timeZone : `${timeZone}, ${offset}`;
}

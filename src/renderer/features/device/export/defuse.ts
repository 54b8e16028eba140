/**
 * Makes a text harmless for spreadsheets: one that begins like a formula would be run when the file is opened, so it
 * gets an apostrophe in front (OWASP, "CSV Injection"). Full-width forms count too: some programs take them alike.
 * For texts alone; a negative number stays a number.
 */
export function defuse(text: string): string {
  return /^\s*[=+\-@\t\r\n＝＋－＠]/.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
}

/** A cell of CSV (RFC 4180): quoted where it must be. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = defuse(value);
  return /[",\r\n\t;]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A cell of tab-separated text, as it is pasted into a spreadsheet. */
export function tsvCell(value: string | number | null): string {
  if (value === null) return '';
  return typeof value === 'number' ? String(value) : defuse(value.replace(/[\t\r\n]+/g, ' '));
}

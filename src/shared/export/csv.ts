/**
 * The two forms of CSV that spreadsheets read: commas between cells and a decimal point, or, in locales with a decimal
 * comma (Brazil, Spain, most of Europe), semicolons between cells.
 */
export const CSV_DIALECTS = ['comma', 'semicolon'] as const;
export type CsvDialect = (typeof CSV_DIALECTS)[number];

export type Cell = string | number | null;

const SEPARATORS: Readonly<Record<CsvDialect, string>> = { comma: ',', semicolon: ';' };

/** Returns the dialect that a spreadsheet in this locale (a BCP 47 tag) reads. */
export function dialectOf(locale: string): CsvDialect {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? 'semicolon' : 'comma';
}

/** Returns a line of CSV (RFC 4180) with its line end. */
export function csvLine(cells: readonly Cell[], dialect: CsvDialect): string {
  return `${cells.map((cell) => csvCell(cell, dialect)).join(SEPARATORS[dialect])}\r\n`;
}

function csvCell(value: Cell, dialect: CsvDialect): string {
  if (value === null) return '';
  if (typeof value === 'number') return dialect === 'comma' ? String(value) : String(value).replace('.', ',');
  const text = defuse(value);
  return /[",;\r\n\t]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a line of tab-separated text to paste into a spreadsheet, without a line end. */
export function tsvLine(cells: readonly Cell[], dialect: CsvDialect): string {
  const tsvCell = (value: Cell) =>
    typeof value === 'string' ? defuse(value.replace(/[\t\r\n]+/g, ' ')) : csvCell(value, dialect);
  return cells.map(tsvCell).join('\t');
}

/**
 * Makes a text harmless for spreadsheets. A text that starts like a formula would be executed when the file is opened,
 * so it gets an apostrophe in front (OWASP, "CSV Injection"). Full-width forms count too: some programs treat them the
 * same. Only for texts; a negative number stays a number.
 */
export function defuse(text: string): string {
  return /^\s*[=+\-@\t\r\n＝＋－＠]/.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
}

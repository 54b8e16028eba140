import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cell, CSV_DIALECTS, type CsvDialect, csvLine, defuse, dialectOf, tsvLine } from './csv.ts';
import { fileName, localTimeText } from './file-name.ts';

/** Reads one line as a spreadsheet of the dialect does. */
function readLine(line: string, dialect: CsvDialect): string[] {
  const separator = dialect === 'comma' ? ',' : ';';
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    let cell = '';
    if (line[at] === '"') {
      for (at += 1; line[at] !== '"' || line[at + 1] === '"'; at += 1) {
        if (line[at] === undefined) throw new Error('an open quote');
        if (line[at] === '"') at += 1;
        cell += line[at];
      }
      at += 1;
    } else while (at < line.length && line[at] !== separator) cell += line[at++];
    cells.push(cell);
    if (at < line.length && line[at] !== separator) throw new Error(`a stray ${line[at]}`);
    at += 1;
  }
  return cells;
}

describe('csvLine', () => {
  it('is read back in either dialect, with defused formulas', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom('a;b', 'a,b', '"', 'x\r\ny', '=1;2', ' lead', '1,5', '\t'),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
    );
    const cells = fc.array(cell as fc.Arbitrary<Cell>, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(cells, fc.constantFrom(...CSV_DIALECTS), (list, dialect) => {
        const line = csvLine(list, dialect);
        expect(line.endsWith('\r\n')).toBe(true);
        const read = readLine(line.slice(0, -2), dialect);
        expect(read).toHaveLength(list.length);
        for (const [index, text] of read.entries()) {
          const value = list[index];
          if (typeof value === 'number') {
            expect(Number(dialect === 'comma' ? text : text.replace(',', '.'))).toBe(value + 0);
            expect(text).not.toContain(dialect === 'comma' ? ',' : '.');
          } else expect(text).toBe(value === null ? '' : defuse(value!));
        }
      }),
    );
  });

  it('writes decimals of the dialect, and quotes separators of both', () => {
    expect(csvLine([6.2, -4.5, 1e21, null, 'a;b', 'c,d'], 'semicolon')).toBe('6,2;-4,5;1e+21;;"a;b";"c,d"\r\n');
    expect(csvLine([6.2, -4.5, 'a;b', '=HYPERLINK("x")'], 'comma')).toBe(`6.2,-4.5,"a;b","'=HYPERLINK(""x"")"\r\n`);
    expect(tsvLine(['a\tb', -1.5, '=c', null], 'semicolon')).toBe("a b\t-1,5\t'=c\t");
  });

  it('chooses a locale’s dialect by its decimal sign', () => {
    expect(['en', 'en-GB', 'pt-BR', 'es', 'es-MX', 'de'].map(dialectOf)).toEqual([
      'comma',
      'comma',
      'semicolon',
      'semicolon',
      'comma',
      'semicolon',
    ]);
  });
});

it('defuses every beginning of a formula', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1']) {
    expect(defuse(text)).toBe(`'${text}`);
  }
  for (const text of ['Tank', 'a=b', '5-3', '', '°C']) expect(defuse(text)).toBe(text);
});

describe('fileName', () => {
  const at = (text: string) => new Date(text).getTime();
  const contents = { device: 'Estufa São João', resolution: 'readings', extension: 'csv' };

  it('names device, range and resolution', () => {
    const day = { from: at('2026-11-19T00:00:00'), to: at('2026-11-20T00:00:00') - 1 };
    expect(fileName({ ...contents, ...day })).toBe('wellhouse_estufa-sao-joao_2026-11-19_readings.csv');
    const month = { from: at('2026-10-01T00:00:00'), to: at('2026-11-01T00:00:00') - 1 };
    expect(fileName({ ...contents, ...month, resolution: 'hourly' })).toBe(
      'wellhouse_estufa-sao-joao_2026-10-01_2026-10-31_hourly.csv',
    );
    const hours = { from: at('2026-11-20T08:30:00'), to: at('2026-11-20T09:45:10') };
    expect(fileName({ ...contents, ...hours })).toBe(
      'wellhouse_estufa-sao-joao_2026-11-20T0830_2026-11-20T0945_readings.csv',
    );
    expect(fileName({ ...contents, from: null, to: null })).toBe('wellhouse_estufa-sao-joao_all_readings.csv');
    expect(fileName({ ...contents, device: '水槽', from: null, to: null })).toBe('wellhouse_all_readings.csv');
  });

  it('is a valid name on any file system', () => {
    const time = fc.option(fc.integer({ min: 0, max: 4e12 }));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), time, time, (device, from, to) => {
        expect(fileName({ ...contents, device, from, to })).toMatch(/^wellhouse_[a-zA-Z0-9_-]{1,100}\.csv$/);
      }),
    );
  });
});

it('writes local times that sort and that spreadsheets can read', () => {
  expect(localTimeText(new Date('2026-01-02T03:04:05').getTime())).toBe('2026-01-02 03:04:05');
});

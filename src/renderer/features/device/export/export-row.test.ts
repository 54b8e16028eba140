import { describe, expect, it } from 'vitest';
import type { OwnerReading } from '../../../../shared/owner-api.ts';
import { DEFAULT_UNITS } from '../../../../shared/units.ts';
import { csvCell, defuse, tsvCell } from './defuse.ts';
import { ALL_COLUMNS, csvHeader, csvLine, ndjsonLine, tsvLine } from './export-row.ts';

const time = Date.UTC(2026, 10, 20, 12);
const sealed = { cipher: 'aa'.repeat(20), nonce: 'bb'.repeat(12) };
const reading: OwnerReading = {
  seq: '18446744073709551615',
  timestamp: String(time),
  receivedAt: time + 1500,
  keyVersion: 3,
  store: 'private',
  fields: { ph: Math.fround(6.2), ec: sealed, waterLevel: null, tempWater: -4.5, tempAmbient: 0, humidity: 55 },
};
const context = { columns: ALL_COLUMNS, units: DEFAULT_UNITS, clockNotSet: false };

describe('defusing', () => {
  it('stops every beginning of a formula', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1']) {
      expect(defuse(text)).toBe(`'${text}`);
    }
    for (const text of ['Tank', 'a=b', '5-3', '', '°C']) expect(defuse(text)).toBe(text);
  });

  it('quotes what would break the line, and leaves numbers numbers', () => {
    expect(csvCell('a,"b"\n')).toBe('"a,""b""\n"');
    expect(csvCell('=HYPERLINK("x")')).toBe(`"'=HYPERLINK(""x"")"`);
    expect(csvCell(-4.5)).toBe('-4.5');
    expect(csvCell(null)).toBe('');
    expect(tsvCell('a\tb')).toBe('a b');
    expect(tsvCell('=a')).toBe("'=a");
  });
});

describe('lines', () => {
  it('writes CSV with all digits and the shortest decimals', () => {
    expect(csvHeader(context)).toBe(
      'seq,time,timestamp_ms,received_at,delay_s,ph,ec (ppm),waterLevel (mm),tempWater (°C),tempAmbient (°C),humidity (%),key_version,store\r\n',
    );
    expect(csvLine(reading, context)).toBe(
      `18446744073709551615,2026-11-20T12:00:00.000Z,${time},2026-11-20T12:00:01.500Z,1.5,6.2,sealed v3,,-4.5,0,55,3,private\r\n`,
    );
  });

  it('defuses an owner’s unit', () => {
    const units = { ...DEFAULT_UNITS, ec: '=cmd' };
    expect(csvHeader({ ...context, columns: ['ec'], units })).toBe('ec (=cmd)\r\n');
  });

  it('writes the chosen columns alone', () => {
    const chosen = { ...context, columns: ['seq', 'ph', 'ec'] as const };
    expect(csvLine(reading, chosen)).toBe('18446744073709551615,6.2,sealed v3\r\n');
    expect(tsvLine(reading, chosen)).toBe('18446744073709551615\t6.2\tsealed v3');
    expect(JSON.parse(ndjsonLine(reading, chosen))).toEqual({ seq: reading.seq, ph: 6.2, ec: sealed, keyVersion: 3 });
  });

  it('writes NDJSON from which the reading can be told again', () => {
    expect(JSON.parse(ndjsonLine(reading, context))).toEqual({
      seq: reading.seq,
      time: '2026-11-20T12:00:00.000Z',
      timestamp: reading.timestamp,
      receivedAt: '2026-11-20T12:00:01.500Z',
      delaySeconds: 1.5,
      ...reading.fields,
      ph: 6.2,
      keyVersion: 3,
      store: 'private',
    });
  });

  it('writes opened values, says which they are and why others are not', () => {
    const two = { ...reading, fields: { ...reading.fields, humidity: sealed } };
    const opened = {
      ec: { ok: true, value: Math.fround(1200.1), keyIndex: 0 },
      humidity: { ok: false, reason: 'not_finite', keyVersion: 3 },
    } as const;
    const openedOf = (seq: string) => (seq === reading.seq ? opened : undefined);
    const chosen = { ...context, columns: ['seq', 'ph', 'ec', 'humidity'] as const, openedOf };
    expect(csvHeader(chosen)).toBe('seq,ph,ec (ppm),humidity (%),opened\r\n');
    expect(csvLine(two, chosen)).toBe('18446744073709551615,6.2,1200.1,sealed v3: not a finite number,ec\r\n');
    expect(csvLine({ ...two, seq: '1' }, chosen)).toBe('1,6.2,sealed v3,sealed v3,\r\n');
    expect(tsvLine(two, chosen)).toBe('18446744073709551615\t6.2\t1200.1\tsealed v3: not a finite number');
    expect(JSON.parse(ndjsonLine(two, chosen))).toEqual({
      seq: reading.seq,
      ph: 6.2,
      ec: 1200.1,
      humidity: sealed,
      keyVersion: 3,
      opened: ['ec'],
      notOpened: { humidity: 'not_finite' },
    });
  });

  it('gives no time where the clock is not set, or no calendar holds it', () => {
    const chosen = { ...context, columns: ['time', 'delay'] as const };
    expect(csvLine(reading, { ...chosen, clockNotSet: true })).toBe(`,${time},\r\n`);
    const beyond = { ...reading, timestamp: '18446744073709551615' };
    expect(csvLine(beyond, chosen)).toBe(',18446744073709551615,\r\n');
  });
});

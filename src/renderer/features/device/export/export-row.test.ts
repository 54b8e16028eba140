import { describe, expect, it } from 'vitest';
import { localTimeText, localZone } from '../../../../shared/export/file-name.ts';
import type { OwnerReading } from '../../../../shared/owner-api/readings.ts';
import { FIELD_NAMES, perFieldName } from '../../../../shared/protocol/fields.ts';
import { testScales } from '../../../devices/test-scales.ts';
import { ALL_COLUMNS, csvHeader, ndjsonLine, pasteLine, readingLine } from './export-row.ts';

const time = Date.UTC(2026, 10, 20, 12);
const sealed = { cipher: 'aa'.repeat(20), nonce: 'bb'.repeat(12) };
const reading: OwnerReading = {
  seq: '18446744073709551615',
  timestamp: String(time),
  receivedAt: time + 1500,
  keyVersion: 3,
  store: 'private',
  fields: {
    ...perFieldName(() => null),
    ...{ ph: Math.fround(6.2), ec: sealed, waterLevel: null, tempWater: -4.5, tempAmbient: 0, humidity: 55 },
  },
};
/** Every column for the six fields of `reading`. */
const COLUMNS = [
  ...(['seq', 'time', 'receivedAt', 'delay', 'ph', 'ec', 'waterLevel'] as const),
  ...(['tempWater', 'tempAmbient', 'humidity', 'keyVersion', 'store'] as const),
];
const context = { columns: COLUMNS, scales: testScales(), clockNotSet: false, dialect: 'comma' } as const;
const local = localTimeText(time);
const localReceived = localTimeText(time + 1500);

describe('derived fields', () => {
  const derivedBy = { units: {}, leafOffset: null };
  const air = { ...reading, fields: { ...reading.fields, tempAmbient: 25, humidity: 60 } };

  it('are last in CSV, with their unit and mark, as on the page', () => {
    const fahrenheit = { ...context, scales: testScales({ tempAmbient: { shown: 'fahrenheit' } }), derivedBy };
    expect(csvHeader(fahrenheit)).toMatch(/,store,"vpd \(kPa, derived\)","dewPoint \(°F, derived\)"\r\n$/);
    expect(readingLine(air, fahrenheit)).toMatch(/,1\.267,62\.05\r\n$/);
    expect(csvHeader({ ...context, derivedBy, openedOf: () => undefined })).toMatch(/,opened,"vpd \(kPa/);
  });

  it('are separate in NDJSON', () => {
    const leaf = { ...context, derivedBy: { ...derivedBy, leafOffset: -2 } };
    expect(JSON.parse(ndjsonLine(air, leaf)).derived).toEqual({ vpd: 1.267, vpdLeaf: 0.909, dewPoint: 16.69 });
  });

  it('are left out of files without their sources', () => {
    const columns = COLUMNS.filter((column) => column !== 'humidity');
    expect(csvHeader({ ...context, columns, derivedBy })).not.toContain('derived');
    expect(ndjsonLine(air, { ...context, columns, derivedBy })).not.toContain('derived');
  });
});

describe('lines', () => {
  it('have every field in its place', () => {
    expect(ALL_COLUMNS).toEqual([...COLUMNS.slice(0, 4), ...FIELD_NAMES, 'keyVersion', 'store']);
    expect(ALL_COLUMNS).toEqual(expect.arrayContaining(COLUMNS));
  });

  it('writes CSV with all digits and the shortest decimals', () => {
    expect(csvHeader(context)).toBe(
      `seq,time,time_local (${localZone()}),timestamp_ms,received_at,received_local (${localZone()}),delay_s,ph,"ec (ppm, 500 scale)","waterLevel (mm, distance to water)",tempWater (°C),tempAmbient (°C),humidity (%),key_version,store\r\n`,
    );
    expect(readingLine(reading, context)).toBe(
      `18446744073709551615,2026-11-20T12:00:00.000Z,${local},${time},2026-11-20T12:00:01.500Z,${localReceived},1.5,6.2,sealed v3,,-4.5,0,55,3,private\r\n`,
    );
  });

  it('has corrected values beside the sent ones', () => {
    const corrections = [{ field: 'ph' as const, from: time, slope: 1, offset: 0.3 }];
    const calibrated = { ...context, columns: ['ph', 'humidity'] as const, corrections };
    expect(csvHeader(calibrated)).toBe('ph,ph_as_sent,humidity (%)\r\n');
    expect(readingLine(reading, calibrated)).toBe('6.5,6.2,55\r\n');
    expect(readingLine({ ...reading, timestamp: String(time - 1) }, calibrated)).toBe('6.2,6.2,55\r\n');
    expect(JSON.parse(ndjsonLine(reading, calibrated))).toMatchObject({ ph: 6.5, asSent: { ph: 6.2 }, humidity: 55 });
  });

  it('marks a sealed value without its bytes as sealed', () => {
    const fields = { ...reading.fields, ec: { cipher: '', nonce: '' } };
    const line: unknown = JSON.parse(ndjsonLine({ ...reading, fields }, context));
    expect(line).toMatchObject({ ec: { sealed: true }, keyVersion: 3, ph: 6.2 });
    expect(readingLine({ ...reading, fields }, context)).toContain('6.2,sealed v3,,');
  });

  it('defuses an owner’s unit', () => {
    const scales = testScales({ ec: { label: '=cmd' } });
    expect(csvHeader({ ...context, columns: ['ec'], scales })).toBe('ec (=cmd)\r\n');
  });

  it('writes the shown values, with their unit and scale', () => {
    const tank = { empty: 400, full: 50 };
    const scales = testScales({ tempWater: { shown: 'fahrenheit' }, ec: { shown: 'ppm700' }, waterLevel: { tank } });
    const fields = { ...reading.fields, ec: 1000, waterLevel: 225 };
    const chosen = { ...context, columns: ['ec', 'tempWater', 'waterLevel'] as const, scales };
    expect(csvHeader(chosen)).toBe('"ec (ppm, 700 scale)",tempWater (°F),waterLevel (% full)\r\n');
    expect(readingLine({ ...reading, fields }, chosen)).toBe('1400,23.9,50\r\n');
    expect(readingLine({ ...reading, fields }, { ...chosen, dialect: 'semicolon' })).toBe('1400;23,9;50\r\n');
    // The numbers for programs stay as they were signed.
    expect(JSON.parse(ndjsonLine({ ...reading, fields }, chosen))).toEqual({
      ...{ ec: 1000, tempWater: -4.5, waterLevel: 225 },
      units: { ec: 'ppm, 500 scale', tempWater: '°C', waterLevel: 'mm, distance to water' },
    });
  });

  it('writes converted values with the digits that the sent one carries, and raw ones whole', () => {
    const scales = testScales({
      waterLevel: { shown: 'inch' },
      tempWater: { shown: 'fahrenheit' },
      ec: { shown: 'millisiemens' },
    });
    const chosen = { ...context, columns: ['waterLevel', 'tempWater', 'ec', 'humidity'] as const, scales };
    const fields = { ...reading.fields, waterLevel: 183, tempWater: Math.fround(21.53), ec: 823, humidity: 61.3367461 };
    expect(readingLine({ ...reading, fields }, chosen)).toBe('7.205,70.754,1.646,61.3367461\r\n');
  });

  it('writes only the chosen columns', () => {
    const chosen = { ...context, columns: ['seq', 'ph', 'ec'] as const };
    expect(readingLine(reading, chosen)).toBe('18446744073709551615,6.2,sealed v3\r\n');
    expect(pasteLine(reading, chosen.columns, chosen)).toBe('18446744073709551615\t6.2\tsealed v3');
    expect(JSON.parse(ndjsonLine(reading, chosen))).toEqual({
      seq: reading.seq,
      ph: 6.2,
      ec: sealed,
      units: { ec: 'ppm, 500 scale' },
      keyVersion: 3,
    });
  });

  it('copies derived values that are in the table', () => {
    const fields = { ...reading.fields, tempAmbient: 25, humidity: 60 };
    const derivedBy = { units: {}, leafOffset: null };
    const line = pasteLine({ ...reading, fields }, ['humidity', 'vpd', 'vpdLeaf'], { ...context, derivedBy });
    expect(line).toMatch(/^60\t1\.267\d*\t$/);
  });

  it('writes NDJSON that contains the whole reading', () => {
    expect(JSON.parse(ndjsonLine(reading, { ...context, columns: ALL_COLUMNS }))).toEqual({
      seq: reading.seq,
      time: '2026-11-20T12:00:00.000Z',
      timestamp: reading.timestamp,
      receivedAt: '2026-11-20T12:00:01.500Z',
      delaySeconds: 1.5,
      ...reading.fields,
      ph: 6.2,
      units: { ec: 'ppm, 500 scale', tempWater: '°C', tempAmbient: '°C', humidity: '%' },
      keyVersion: 3,
      store: 'private',
    });
  });

  it('writes opened values, marks them, and names the reason for unopened ones', () => {
    const two = { ...reading, fields: { ...reading.fields, humidity: sealed } };
    const opened = {
      ec: { ok: true, value: Math.fround(1200.1), keyIndex: 0 },
      humidity: { ok: false, reason: 'not_finite', keyVersion: 3 },
    } as const;
    const openedOf = (seq: string) => (seq === reading.seq ? opened : undefined);
    const chosen = { ...context, columns: ['seq', 'ph', 'ec', 'humidity'] as const, openedOf };
    expect(csvHeader(chosen)).toBe('seq,ph,"ec (ppm, 500 scale)",humidity (%),opened\r\n');
    expect(readingLine(two, chosen)).toBe('18446744073709551615,6.2,1200.1,sealed v3: not a finite number,ec\r\n');
    expect(readingLine({ ...two, seq: '1' }, chosen)).toBe('1,6.2,sealed v3,sealed v3,\r\n');
    expect(pasteLine(two, chosen.columns, chosen)).toBe(
      '18446744073709551615\t6.2\t1200.1\tsealed v3: not a finite number',
    );
    expect(JSON.parse(ndjsonLine(two, chosen))).toEqual({
      seq: reading.seq,
      ph: 6.2,
      ec: 1200.1,
      humidity: sealed,
      units: { ec: 'ppm, 500 scale', humidity: '%' },
      keyVersion: 3,
      opened: ['ec'],
      notOpened: { humidity: 'not_finite' },
    });
  });

  it('has no time if the clock is not set, or if no calendar has it', () => {
    const chosen = { ...context, columns: ['time', 'delay'] as const };
    expect(readingLine(reading, { ...chosen, clockNotSet: true })).toBe(`,,${time},\r\n`);
    const beyond = { ...reading, timestamp: '18446744073709551615' };
    expect(readingLine(beyond, chosen)).toBe(',,18446744073709551615,\r\n');
  });
});

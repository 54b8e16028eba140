import { expect, it } from 'vitest';
import { perFieldName } from '../../../shared/protocol/fields.ts';
import type { MergedReading } from '../../store/stores-view.ts';
import { exported } from './rows.ts';
import { csvSink, ndjsonSink } from './text-sinks.ts';

const fields = { ...perFieldName(() => null), tempAmbient: 25, humidity: 60 };
const reading = {
  ...{ seq: 1n, timestamp: 1_790_000_000_000n, receivedAt: 1_790_000_001_000, store: 'private', keyVersion: 0 },
  fields,
} as unknown as MergedReading;
const BY = { units: {}, leafOffset: -2 };

function linesOf(make: typeof ndjsonSink, ...readings: MergedReading[]): string[] {
  const parts: string[] = [];
  const file = { write: (bytes: Uint8Array | string) => parts.push(String(Buffer.from(bytes as string))) };
  const sink = make({ ...file, finish: () => {}, discard: () => {} } as never);
  sink.write(readings.map((each) => exported(each, BY)));
  sink.finish();
  return parts.join('').trimEnd().split(/\r?\n/);
}

it('puts derived values behind all other columns, in kPa and °C', () => {
  const [head, line] = linesOf((file) => csvSink(file, 'comma'), reading);
  expect(head).toMatch(/^seq,.*,humidity_sealed,vpd_derived,vpdLeaf_derived,dewPoint_derived$/);
  expect(line).toMatch(/,1\.267,0\.909,16\.69$/);
});

it('marks them in NDJSON, and derives nothing of a sealed value', () => {
  const sealed = { ...reading, fields: { ...fields, humidity: Uint8Array.of(1) } } as unknown as MergedReading;
  const [plain, other] = linesOf(ndjsonSink, reading, sealed).map((line) => JSON.parse(line));
  expect(plain.derived).toEqual({ vpd: 1.267, vpdLeaf: 0.909, dewPoint: 16.69 });
  expect(other).not.toHaveProperty('derived');
});

import type { ExportFormat } from '../../../shared/owner-api/limits.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { KnownDevice, MergedReading, Span, StoresView } from '../../store/stores-view.ts';
import { devicesText, sinkOf } from './export-data.ts';
import { bytesOfPhotos, ownerTexts } from './owner-files.ts';
import { ROWS_PER_GROUP } from './parquet-sink.ts';
import { derivedByOf, exported } from './rows.ts';
import { ByteCounter } from './sink.ts';

/** The number of sampled readings in total; each takes about 20 µs. */
const SAMPLE = 20_000;
/** The number of places in a device's readings that are sampled, since its values change over time. */
const PLACES = 8;
const LEAST_PER_DEVICE = 40;
const MAX_TIME = 2n ** 63n - 1n;
const WITH_SIGNED = { withSigned: true };

/** The size of an export. The estimated bytes are within a few per cent of the real ones. */
export interface ExportSize {
  readonly devices: number;
  readonly readings: number;
  readonly bytes: Record<ExportFormat, number>;
}

type ReadingsFormat = Exclude<ExportFormat, 'sqlite'>;

/**
 * Counts the devices and readings of an export, and estimates its bytes by encoding a sample of the real readings.
 * `inStores` has the number of readings of each device in each store.
 */
export async function sizeOfExport(
  stores: StoresView,
  span: Span,
  inStores: Partial<Record<StoreName, readonly { readonly id: string; readonly readings: number }[]>>,
): Promise<ExportSize> {
  const known = await stores.devices();
  const held: { readonly device: KnownDevice; readonly count: number }[] = [];
  for (const device of known) held.push({ device, count: await stores.count(device.id, span) });
  const each = Math.max(LEAST_PER_DEVICE, Math.floor(SAMPLE / Math.max(known.length, 1)));
  const packing = await packingOf(stores, span, held, each);
  const texts = [await devicesText(stores, known), ...(await ownerTexts(stores)).values()];
  const photos = [...(await bytesOfPhotos(stores)).values()].reduce((sum, each) => sum + each, 0);
  const others = texts.reduce((sum, text) => sum + Buffer.byteLength(text), photos);
  const bytes = { csv: others, ndjson: others, parquet: others, sqlite: photos };
  for (const { device, count } of held) {
    const sample = await sampleOf(stores, device.id, span, Math.min(count, each), count);
    for (const format of ['csv', 'ndjson'] as const) {
      const empty = bytesOf(format, device, []);
      bytes[format] += empty + scaled(bytesOf(format, device, sample) - empty, sample.length, count);
    }
    bytes.parquet += parquetBytes(device, sample, count, packing);
  }
  for (const store of stores.names) bytes.sqlite += await stores.copyBytes(store, inStores[store] ?? []);
  for (const format of ['csv', 'ndjson', 'parquet'] as const) bytes[format] = Math.round(bytes[format]);
  return { devices: known.length, readings: held.reduce((sum, { count }) => sum + count, 0), bytes };
}

/**
 * The factor by which a reading is smaller in a large group than in a small one: Parquet stores repeated values once.
 */
type Packing = (few: number, many: number) => number;

/** Measured with the device that has the most readings. */
async function packingOf(
  stores: StoresView,
  span: Span,
  held: readonly { readonly device: KnownDevice; readonly count: number }[],
  few: number,
): Promise<Packing> {
  const most = held.reduce<(typeof held)[number] | null>((a, b) => (a === null || b.count > a.count ? b : a), null);
  const many = Math.min(most?.count ?? 0, ROWS_PER_GROUP);
  if (most === null || many <= few) return () => 1;
  const perRow = async (count: number) => {
    const sample = await sampleOf(stores, most.device.id, span, count, most.count);
    const whole = bytesOf('parquet', most.device, sample) - bytesOf('parquet', most.device, sample.slice(0, 1));
    return whole / Math.max(sample.length - 1, 1);
  };
  const [ofMany, ofFew] = [await perRow(many), await perRow(few)];
  const perDoubling = Math.log(ofMany / ofFew) / Math.log(many / few);
  return (from, to) => (to > from ? (to / from) ** perDoubling : 1);
}

/** Estimates the bytes of a Parquet file. Its rows are in groups, each with its own columns and dictionaries. */
function parquetBytes(device: KnownDevice, sample: readonly MergedReading[], count: number, packing: Packing): number {
  const whole = bytesOf('parquet', device, sample);
  if (sample.length === count) return whole;
  const one = bytesOf('parquet', device, sample.slice(0, 1));
  const groups = Math.ceil(count / ROWS_PER_GROUP);
  const ratio = packing(sample.length, Math.min(count, ROWS_PER_GROUP));
  return one * groups + scaled(whole - one, sample.length, count) * ratio;
}

/** Returns readings of a device from several times in a span; all of them if there are no more than `size`. */
async function sampleOf(
  stores: StoresView,
  id: string,
  span: Span,
  size: number,
  count: number,
): Promise<readonly MergedReading[]> {
  if (size === 0) return [];
  if (size >= count) return stores.page(id, span, null, size, WITH_SIGNED);
  const [from, to] = [span.from < MAX_TIME ? span.from : MAX_TIME, span.to < MAX_TIME ? span.to : MAX_TIME];
  const times = await stores.timestamps(id, from, to);
  if (times === null) return stores.page(id, span, null, size, WITH_SIGNED);
  const sample: MergedReading[] = [];
  for (let place = 0; place < PLACES; place += 1) {
    const begin = times.first + ((times.last - times.first) * BigInt(2 * place + 1)) / BigInt(2 * PLACES);
    sample.push(...(await stores.page(id, { ...span, from: begin }, null, Math.ceil(size / PLACES), WITH_SIGNED)));
  }
  return sample;
}

function bytesOf(format: ReadingsFormat, device: KnownDevice, readings: readonly MergedReading[]): number {
  const counter = new ByteCounter();
  const sink = sinkOf({ format, dialect: 'comma' }, counter, device);
  // Without the leaf's values, which few devices have.
  const by = derivedByOf(device, {});
  sink.write(readings.map((reading) => exported(reading, by)));
  sink.finish();
  return counter.bytes;
}

const scaled = (bytes: number, of: number, to: number): number => (of === 0 ? 0 : (bytes / of) * to);

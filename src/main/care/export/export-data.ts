import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CsvDialect } from '../../../shared/export/csv.ts';
import type { ExportFormat } from '../../../shared/owner-api/limits.ts';
import { parseEntry } from '../../../shared/proof/leaf.ts';
import { syncFile } from '../../common/sync.ts';
import { makeFolder } from '../../data-folder/folders.ts';
import type { PhotoFolder } from '../../photos/photo-folder.ts';
import type { StoreLocations } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';
import { STORE_FILES } from '../../store/locations.ts';
import type { Position } from '../../store/reading.ts';
import type { KnownDevice, MergedReading, Span, StoresReader, StoresView } from '../../store/stores-view.ts';
import { CareError } from '../care-error.ts';
import { bytesOfPhotos, copyPhotos, linesOf, ownerTexts, writeFile } from './owner-files.ts';
import { ParquetSink } from './parquet-sink.ts';
import { climateOf, derivedByOf, exported } from './rows.ts';
import { type ByteTarget, NewFile, type ReadingSink } from './sink.ts';
import { csvSink, ndjsonSink } from './text-sinks.ts';

const READINGS_AT_ONCE = 2000;

/** The scope of an export. */
export interface ExportOrder {
  readonly folder: string;
  readonly format: ExportFormat;
  readonly dialect: CsvDialect;
  /** null for all devices. */
  readonly devices: readonly string[] | null;
  /** The range of measurement times in Unix milliseconds, both inclusive. */
  readonly from: bigint;
  readonly to: bigint;
}

export interface ExportOptions {
  readonly reader: StoresReader;
  readonly locations: StoreLocations;
  /** The photos of the log. */
  readonly photos: PhotoFolder;
  /** Called with the present file, the number of exported readings, and the total. */
  readonly onProgress: (file: string, readings: number, total: number) => void;
  /** Throws if the export must end. Complete files stay; the unfinished one is removed. */
  readonly stopIfAsked: () => void;
}

export interface Exported {
  readonly folder: string;
  readonly files: readonly { readonly name: string; readonly readings: number | null }[];
}

/**
 * Writes data to a folder, which must be empty or missing. Readings are streamed; readings that arrive meanwhile may or
 * may not be included. Throws CareError and the error of `stopIfAsked`.
 */
export async function exportData(order: ExportOrder, options: ExportOptions): Promise<Exported> {
  const { folder } = order;
  const { reader, onProgress, stopIfAsked } = options;
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new CareError('not_empty', `${folder} is not empty: name an empty folder or a new one`);
  }
  makeFolder(folder);
  const files = order.format === 'sqlite' ? await copyStores(order, options) : await exportReadings(order, options);
  if (order.devices !== null) return { folder, files };
  const readings = files.reduce((sum, each) => sum + (each.readings ?? 0), 0);
  const ids = (await reader.snapshot(bytesOfPhotos)).keys();
  const photos = await copyPhotos(folder, ids, options.photos, (name) => {
    stopIfAsked();
    onProgress(name, readings, readings);
  });
  return { folder, files: [...files, ...photos.map((name) => ({ name, readings: null }))] };
}

/** Copies both stores as SQLite files; readers can use the view `reading_forms` in them. */
async function copyStores(
  { folder }: ExportOrder,
  { locations, onProgress, stopIfAsked }: ExportOptions,
): Promise<Exported['files']> {
  const files: { name: string; readings: null }[] = [];
  for (const store of ['private', 'public'] as const) {
    const location = locations[store];
    if (location === null) continue;
    stopIfAsked();
    const name = STORE_FILES[store];
    onProgress(name, 0, 0);
    const unfinished = join(folder, `${name}.part`);
    try {
      await engineOf(location).snapshots.write(location, unfinished);
      syncFile(unfinished);
      renameSync(unfinished, join(folder, name));
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw error;
    }
    files.push({ name, readings: null });
  }
  return files;
}

async function exportReadings(order: ExportOrder, options: ExportOptions): Promise<Exported['files']> {
  const { reader } = options;
  const all = await reader.snapshot((stores) => stores.devices());
  const devices = all.filter(({ id }) => order.devices?.includes(id) ?? true);
  const span: Span = { axis: 'timestamp', from: order.from, to: order.to };
  const files: { name: string; readings: number | null }[] = [await exportDevices(order.folder, reader, devices)];
  if (order.devices === null) files.push(...(await exportOwnerData(order.folder, reader)));
  let total = 0;
  for (const { id } of devices) {
    options.stopIfAsked();
    total += await reader.snapshot((stores) => stores.count(id, span));
  }
  let done = 0;
  const climate = await reader.snapshot(climateOf);
  for (const device of devices) {
    const by = derivedByOf(device, climate);
    const name = `${fileNameOf(device)}.${order.format}`;
    const sink = sinkOf(order, new NewFile(join(order.folder, name)), device);
    let readings = 0;
    try {
      for await (const page of pages(reader, device.id, span, order.format)) {
        options.stopIfAsked();
        sink.write(page.map((reading) => exported(reading, by)));
        readings += page.length;
        options.onProgress(name, done + readings, total);
      }
      sink.finish();
    } catch (error) {
      sink.discard();
      throw error;
    }
    done += readings;
    files.push({ name, readings });
  }
  return files;
}

async function* pages(
  reader: StoresReader,
  id: string,
  span: Span,
  format: ExportFormat,
): AsyncGenerator<readonly MergedReading[]> {
  // Only NDJSON, which is for programs, has signatures; a spreadsheet or a column store does not need them.
  const options = { withSigned: format === 'ndjson' };
  let after: Position | null = null;
  for (;;) {
    const from: Position | null = after;
    const page: readonly MergedReading[] = await reader.snapshot((stores) =>
      stores.page(id, span, from, READINGS_AT_ONCE, options),
    );
    if (page.length > 0) yield page;
    if (page.length < READINGS_AT_ONCE) return;
    after = page.at(-1)!;
  }
}

/** Returns the sink that writes a device's readings in a format. */
export function sinkOf(
  { format, dialect }: Pick<ExportOrder, 'format' | 'dialect'>,
  file: ByteTarget,
  { id, entries }: KnownDevice,
): ReadingSink {
  if (format === 'csv') return csvSink(file, dialect);
  if (format === 'ndjson') return ndjsonSink(file);
  return new ParquetSink(file, { device: id, name: entries[0]!.device.name });
}

/** Writes each store's facts about the devices, and the owner's notes on them. */
async function exportDevices(folder: string, reader: StoresReader, devices: readonly KnownDevice[]) {
  const text = await reader.snapshot((stores) => devicesText(stores, devices));
  writeFile(join(folder, 'devices.ndjson'), text);
  return { name: 'devices.ndjson', readings: null };
}

async function exportOwnerData(folder: string, reader: StoresReader) {
  const texts = await reader.snapshot(ownerTexts);
  return [...texts].map(([name, text]) => {
    writeFile(join(folder, name), text);
    return { name, readings: null };
  });
}

/** Returns the content of `devices.ndjson`. */
export async function devicesText(stores: StoresView, devices: readonly KnownDevice[]): Promise<string> {
  const registered = new Map<string, object>();
  for (const store of stores.names) {
    for (const { text } of (await stores.log(store)).registrations(null)) {
      const entry = parseEntry(text);
      if (entry?.kind !== 'registration') continue;
      const { device, at, way, by, received } = entry;
      // `received` stays JSON text, since it may have numbers beyond a double.
      registered.set(`${store} ${device}`, { at, way, by: by === null ? null : JSON.parse(by), received });
    }
  }
  return linesOf(
    devices.map(({ id, entries, notes, corrections }) => ({
      id,
      notes,
      corrections,
      stores: Object.fromEntries(
        entries.map(({ store, device: { location, ...device } }) => [
          store,
          {
            ...device,
            location: location?.toString() ?? null,
            registration: registered.get(`${store} ${id}`) ?? null,
          },
        ]),
      ),
    })),
  );
}

/**
 * Returns a file name from the owner's name of a device, in characters that every system accepts, and the beginning of
 * its id.
 */
function fileNameOf({ id, entries, notes }: KnownDevice): string {
  const name = (notes.displayName ?? entries[0]!.device.name)
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return name === '' ? `device-${id.slice(0, 8)}` : `${name}-${id.slice(0, 8)}`;
}

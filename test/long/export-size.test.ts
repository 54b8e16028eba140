import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { exportData } from '../../src/main/care/export/export-data.ts';
import { exportSpan } from '../../src/main/care/export/export-span.ts';
import { PhotoFolder } from '../../src/main/photos/photo-folder.ts';
import type { StoredField } from '../../src/main/store/reading.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../src/shared/owner-api/limits.ts';
import { OwnerStoresForTest, type OwnerStoresForTest as Stores } from '../support/owner-stores.ts';
import type { TestReading } from '../support/readings.ts';

const LAST = Date.UTC(2026, 4, 1);
let stores: Stores;
afterEach(() => stores.dispose());

/** A value that wanders, as those of sensors do. */
const wave = (index: number, middle: number, digits: number) =>
  Number((middle + Math.sin(index / 97) * middle * 0.1 + ((index * 7919) % 13) / 50).toFixed(digits));
const plain = (index: number): StoredField[] => [
  wave(index, 6, 2),
  wave(index, 1200, 0),
  wave(index, 80, 1),
  wave(index, 20, 2),
  wave(index, 21, 1),
  wave(index, 60, 1),
];
/** Nonce, value and tag, which look random. */
const seal = (index: number, at: number): Uint8Array =>
  Uint8Array.from({ length: 36 }, (_, byte) => Math.imul(index * 36 + byte + at * 7919, 2_654_435_761) >>> 24);
const signedAt = (index: number) => ({ signature: new Uint8Array(64), raw: Buffer.from(`a raw string ${index}`) });
const sealed = (index: number): StoredField[] => plain(index).map((_, at) => seal(index, at));

interface Shape {
  readonly devices: number;
  readonly count: number;
  readonly fields: (index: number, device: number) => StoredField[];
  readonly isSigned?: boolean;
}
const SHAPES: Record<string, Shape> = {
  'one device': { devices: 1, count: 30_000, fields: plain },
  'nothing but its name': { devices: 3, count: 0, fields: plain },
  'few readings of several devices': { devices: 5, count: 40, fields: plain },
  'signed readings': { devices: 2, count: 8000, fields: plain, isSigned: true },
  'one field': { devices: 2, count: 12_000, fields: (index) => [wave(index, 6, 2)] },
  'sealed readings': { devices: 2, count: 8000, fields: sealed },
  'many devices': { devices: 40, count: 1500, fields: plain },
  'sealed from some time on, by some devices': {
    devices: 4,
    count: 15_000,
    fields: (index, device) => (device % 2 === 0 && index > 9000 ? sealed(index) : plain(index)),
  },
};

it.each(Object.entries(SHAPES))(
  'tells the bytes of an export within 20 %: %s',
  { timeout: 60_000 },
  async (_, shape) => {
    stores = new OwnerStoresForTest();
    for (let device = 0; device < shape.devices; device += 1) {
      const { id } = stores.register({ name: `Greenhouse ${device}` }, ['private']);
      const over = (index: number): Partial<TestReading> => ({
        fields: shape.fields(index, device),
        signed: shape.isSigned === true ? signedAt(index) : null,
      });
      stores.fill('private', id, { last: LAST, count: shape.count, over });
    }
    stores.sumUp('private');
    const { bytes } = await stores.ask('exportSize', { from: null, to: null });
    for (const format of EXPORT_FORMATS) {
      const real = await exported(format);
      expect(bytes[format] / real, format).toBeGreaterThan(0.8);
      expect(bytes[format] / real, format).toBeLessThan(1.2);
    }
  },
);

/** The bytes of a real export. */
async function exported(format: ExportFormat): Promise<number> {
  const folder = join(stores.folder, format);
  const order = { folder, format, dialect: 'comma', devices: null, ...exportSpan(null, null) } as const;
  const photos = new PhotoFolder(stores.folder);
  const parts = {
    reader: await stores.reader,
    locations: stores.paths,
    photos,
    onProgress: () => {},
    stopIfAsked: () => {},
  };
  await exportData(order, parts);
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

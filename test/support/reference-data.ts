import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** The device of that data that seals its pH. */
export const GREENHOUSE = 'cea21dd3da182ebc2f112cacb34ed5a27ec8d1d6962b4cc63bf64dc4f4681beb';

const FOLDER = new URL('../care/reference/', import.meta.url);

/**
 * Unpacks the data of a reference server that was killed, most of it still in the write-ahead logs. It has three
 * devices: one that encrypts, one in both stores, and one without a clock. None of it is a real grower's.
 */
export function unpackReferenceData(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(FOLDER)) {
    const bytes = readFileSync(new URL(name, FOLDER));
    const isPacked = name.endsWith('.gz');
    writeFileSync(join(folder, isPacked ? name.slice(0, -3) : name), isPacked ? gunzipSync(bytes) : bytes);
  }
}

/** Returns the files of a folder with a hash of each, to check that nothing changed. */
export function hashesOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import type { CareError } from '../care-error.ts';
import { withChecksum } from './checksum.ts';
import { MANIFEST_NAME, newManifest } from './manifest.ts';
import { type ArchiveReader, encryptionOfFile, readArchive } from './read-archive.ts';
import { archiveBytes } from './write-archive.ts';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => removeFolder(folder));

const EMPTY = { name: 'private.db', bytes: 0, sha256: createHash('sha256').update('').digest('hex') };
const MANIFEST = newManifest({
  madeAt: new Date(0).toISOString(),
  reason: 'demand',
  program: '1',
  node: { publicKey: 'a'.repeat(64), host: 'h', dataDir: '/d' },
  stores: { private: { version: 3, devices: 0, readings: 0, lastReceivedAt: null, rows: {} }, public: null },
  members: [EMPTY],
});

const file = (name: string, body: string): TarEntry => ({ header: { name, size: body.length, type: 'file' }, body });
const promised = (body = JSON.stringify(MANIFEST)) => file(MANIFEST_NAME, body);

/** Writes compressed bytes with their checksum, and resolves with the fault of reading them as a backup. */
async function faultOfCompressed(bytes: Uint8Array, reader: ArchiveReader = {}): Promise<[string, string]> {
  const chunks: Uint8Array[] = [];
  const source = async function* () {
    yield bytes;
  };
  for await (const chunk of withChecksum(source())) chunks.push(chunk);
  const path = join(folder, 'archive');
  writeFileSync(path, Buffer.concat(chunks));
  return readArchive(path, null, reader).then(
    () => ['none', ''],
    (error: CareError | NodeJS.ErrnoException) => ['fault' in error ? error.fault : error.code!, error.message],
  );
}

const faultOfEntries = async (entries: TarEntry[], reader?: ArchiveReader) =>
  faultOfCompressed(zstdCompressSync(await packTar(entries)), reader);

it('takes an archive only if its manifest is the first file, and at most 4 MiB', async () => {
  const member = file(EMPTY.name, '');
  const notOurs = ['not_a_backup', 'this is not a Wellhouse backup'];
  expect(await faultOfEntries([promised(), member])).toEqual(['none', '']);
  expect(
    await faultOfEntries([{ ...promised(), header: { ...promised().header, name: 'other.json' } }, member]),
  ).toEqual(notOurs);
  expect(await faultOfEntries([{ header: { name: MANIFEST_NAME, size: 0, type: 'directory' } }, member])).toEqual(
    notOurs,
  );
  const padded = (bytes: number) => promised(JSON.stringify(MANIFEST).padEnd(bytes));
  expect(await faultOfEntries([padded(4 * 1024 ** 2), member])).toEqual(['none', '']);
  expect(await faultOfEntries([padded(4 * 1024 ** 2 + 1), member])).toEqual(notOurs);
  expect(await faultOfEntries([])).toEqual(['damaged', 'the backup is damaged: members of it are missing']);
});

it('refuses a member that is not a file', async () => {
  const link: TarEntry = { header: { name: EMPTY.name, size: 0, type: 'symlink', linkname: '/etc/passwd' } };
  expect(await faultOfEntries([promised(), link])).toEqual([
    'damaged',
    'the backup is damaged: it contains private.db, which its manifest does not list there',
  ]);
});

it('says what is wrong with contents that are not compressed', async () => {
  const bytes = Buffer.from(zstdCompressSync(await packTar([promised(), file(EMPTY.name, '')])));
  bytes.fill(0xff, 20, 60);
  const [code, message] = await faultOfCompressed(bytes);
  expect(code).toBe('damaged');
  expect(message).toMatch(/^the backup is damaged \(\S[^\n]*\)$/);
});

it('keeps the errors of the file system', async () => {
  await expect(encryptionOfFile(join(folder, 'x'.repeat(300)))).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
  const onMember = () => Promise.reject(full);
  expect(await faultOfEntries([promised(), file(EMPTY.name, '')], { onMember })).toEqual(['ENOSPC', full.message]);
});

it('writes no archive without a member, and counts the bytes of each', async () => {
  const write = async (from: { path: string } | { content: Uint8Array }, bytes: number) => {
    let count = 0;
    const onBytes = (more: number) => {
      count += more;
    };
    const members = [{ ...EMPTY, bytes, from }];
    for await (const _ of archiveBytes({ manifest: MANIFEST, members, lock: null, onOpener: () => {}, onBytes }));
    return count;
  };
  const ofManifest = `${JSON.stringify(MANIFEST, null, 2)}\n`.length;
  expect(await write({ content: Buffer.from('four') }, 4)).toBe(ofManifest + 4);
  await expect(write({ path: join(folder, 'missing') }, 4)).rejects.toMatchObject({ code: 'ENOENT' });
});

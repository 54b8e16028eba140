import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultOf, makeBackedUpNode } from '../../../../test/support/care.ts';
import { reportRoom } from '../../../../test/support/disk-calls.ts';
import { removeFolder } from '../../../../test/support/node-process.ts';
import type { Bytes } from '../archive/bytes.ts';
import type { Lock } from '../archive/encryption.ts';
import type { Manifest } from '../archive/manifest.ts';
import { readArchive } from '../archive/read-archive.ts';
import { archiveBytes } from '../archive/write-archive.ts';
import { makeBackup } from '../backup/make-backup.ts';
import type { CareError } from '../care-error.ts';
import type { NodePaths } from '../node-files.ts';
import { STAGING } from '../swap.ts';
import { checkBackup, restoreBackup, restoreNote } from './restore.ts';

let folder: string;
let paths: NodePaths;
let backup: string;
beforeEach(async () => {
  ({ folder, paths, backup } = await makeBackedUpNode());
});
afterEach(() => removeFolder(folder));

const restore = (dataDir: string, replace = false) =>
  restoreBackup({ backup, opener: null, dataDir, settingsFile: join(dataDir, 'settings.json'), replace });
async function chunksOf(bytes: Bytes): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return chunks;
}
/** Writes a backup with another manifest or other members; resolves with its path. */
async function changedBackup(
  change: (manifest: Manifest) => Manifest,
  contentOf: (name: string, content: Buffer) => Buffer = (_name, content) => content,
): Promise<string> {
  const contents = new Map<string, Buffer>();
  const made = await readArchive(backup, null, {
    onMember: async ({ name }, bytes) => {
      contents.set(name, contentOf(name, Buffer.concat(await chunksOf(bytes))));
    },
  });
  const members = made.members.map(({ name }) => {
    const content = contents.get(name)!;
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { name, bytes: content.length, sha256, from: { content } };
  });
  const manifest = change({ ...made, members: members.map(({ from: _, ...member }) => member) });
  const written = manifest.members.map(
    ({ name, ...rest }) => members.find((each) => each.name === name) ?? { name, ...rest, from: { content: ODD } },
  );
  const path = join(folder, 'changed');
  const parts = { manifest, members: written, lock: null, onOpener() {}, onBytes() {} };
  writeFileSync(path, Buffer.concat(await chunksOf(archiveBytes(parts))));
  return path;
}
const ODD = Buffer.from('odd');
const textOf = (dataDir: string, name: string) => readFileSync(join(dataDir, name), 'utf8');

describe('a backup that can’t be restored', () => {
  it('has files too large for memory; no such backup is made either', async () => {
    const history = { name: 'alert-history.ndjson', bytes: 33 * 1024 ** 2 };
    const made = await readArchive(backup, null);
    const content = Buffer.alloc(history.bytes);
    const member = { ...history, sha256: '0'.repeat(64) };
    const manifest = { ...made, members: [member] };
    const parts = { manifest, members: [{ ...member, from: { content } }], lock: null, onOpener() {}, onBytes() {} };
    writeFileSync(join(folder, 'large'), Buffer.concat(await chunksOf(archiveBytes(parts))));
    await expect(checkBackup(join(folder, 'large'), null, null)).rejects.toThrow('too large for such a file');
    writeFileSync(join(paths.dataDir, history.name), content);
    const order = { ...paths, folder: join(folder, 'backups'), reason: 'demand', lock: null } as const;
    await expect(makeBackup(order)).rejects.toThrow('too large for such a file');
  });

  it('of an unencrypted backup keeps the present door certificate, which only encrypted ones have', async () => {
    const file = 'door-certificate.json';
    writeFileSync(join(paths.dataDir, file), '{"version":1}');
    const made = async (lock: Lock, to: string) => {
      mkdirSync(join(folder, to));
      const { manifest, path } = await makeBackup({ ...paths, folder: join(folder, to), reason: 'demand', lock });
      backup = path;
      return manifest.members.map(({ name }) => name);
    };
    expect(await made({ kind: 'passphrase', passphrase: 'a long passphrase' }, 'encrypted')).toContain(file);
    expect(await made(null, 'plain')).not.toContain(file);
    await restore(paths.dataDir, true);
    expect(textOf(paths.dataDir, file)).toBe('{"version":1}');
    await restore(join(folder, 'elsewhere'));
    expect(existsSync(join(folder, 'elsewhere', file))).toBe(false);
  });

  it('needs more room than there is, and changes nothing', async () => {
    const before = textOf(paths.dataDir, 'identity.mnemonic');
    const end = reportRoom(64 * 1024 ** 2, 1024 ** 3);
    const refused = restore(paths.dataDir, true).finally(end);
    await expect(refused).rejects.toMatchObject({
      ...{ fault: 'no_room', message: expect.stringContaining('what is in the backup needs') },
    });
    expect(textOf(paths.dataDir, 'identity.mnemonic')).toBe(before);
    expect(existsSync(join(paths.dataDir, STAGING))).toBe(false);
  });

  it('has a distinct fault: no file, a folder, an archive without an identity', async () => {
    expect(await faultOf(() => checkBackup(join(folder, 'nothing'), null, null))).toBe('no_file');
    expect(await faultOf(() => checkBackup(folder, null, null))).toBe('no_file');
    const made = await readArchive(backup, null);
    const members = made.members.filter(({ name }) => name !== 'identity.mnemonic');
    const contents = new Map<string, Buffer>();
    await readArchive(backup, null, {
      onMember: async ({ name }, bytes) => {
        contents.set(name, Buffer.concat(await chunksOf(bytes)));
      },
    });
    const sources = members.map((member) => ({ ...member, from: { content: contents.get(member.name)! } }));
    const parts = {
      manifest: { ...made, members },
      members: sources,
      lock: null,
      onOpener: () => {},
      onBytes: () => {},
    };
    writeFileSync(join(folder, 'without'), Buffer.concat(await chunksOf(archiveBytes(parts))));
    expect(await faultOf(() => checkBackup(join(folder, 'without'), null, null))).toBe('damaged');
  });
});

describe('a whole backup that does not fit together', () => {
  const problemOf = (path: string) =>
    checkBackup(path, null, null).then(
      () => 'none',
      (error: CareError) => `${error.fault}: ${error.message}`,
    );
  const storesOf = (manifest: Manifest, change: object) => ({
    ...manifest,
    stores: { ...manifest.stores, private: { ...manifest.stores.private, ...change } },
  });

  it('is restored only if its changed copy is as good as it', async () => {
    expect(await problemOf(await changedBackup((manifest) => manifest))).toBe('none');
  });

  it('has the identity of another node', async () => {
    const other = 'cd'.repeat(32);
    const path = await changedBackup((manifest) => ({ ...manifest, node: { ...manifest.node, publicKey: other } }));
    expect(await problemOf(path)).toMatch(/^damaged: .*the identity in it is not that of its manifest/);
  });

  it('has other rows than it says, of any table', async () => {
    for (const change of [{ readings: 19 }, { rows: {} }]) {
      const path = await changedBackup((manifest) => storesOf(manifest, change));
      expect(await problemOf(path), JSON.stringify(change)).toMatch(/^damaged: .*its rows differ from the manifest/);
    }
    const path = await changedBackup((manifest) => {
      const { rows } = manifest.stores.private;
      return storesOf(manifest, { rows: { ...rows, devices: rows.devices! + 1 } });
    });
    expect(await problemOf(path)).toMatch(/^damaged: .*its rows differ from the manifest/);
  });

  it('has a member that is not part of a node, or a photo that no node takes', async () => {
    for (const [name, bytes] of [
      ['ui-token', ODD.length],
      ['door.json', ODD.length],
      ['private.db-wal', ODD.length],
      ['photo-x.jpg', ODD.length],
    ] as const) {
      const sha256 = createHash('sha256').update(ODD).digest('hex');
      const path = await changedBackup((manifest) => {
        return { ...manifest, members: [...manifest.members, { name, bytes, sha256 }] };
      });
      expect(await problemOf(path), name).toBe(
        `damaged: the backup is damaged: it contains ${name}, which is not part of a node`,
      );
    }
  });

  it('has a store of a newer version, the private or the public one', async () => {
    for (const name of ['private', 'public'] as const) {
      const path = await changedBackup((manifest) => {
        return { ...manifest, stores: { ...manifest.stores, [name]: { ...manifest.stores[name], version: 99 } } };
      });
      expect(await problemOf(path), name).toMatch(/^newer: .*store version 99/);
    }
  });
});

it('a restore records the machine that the backup is from', async () => {
  backup = await changedBackup((manifest) => ({ ...manifest, node: { ...manifest.node, host: 'elsewhere' } }));
  const to = join(folder, 'to');
  await restore(to);
  expect(restoreNote(to)).toMatchObject({ host: 'elsewhere', dataDir: paths.dataDir });
});

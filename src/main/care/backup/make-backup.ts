import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { CareFault } from '../../../shared/care/faults.ts';
import { isEnglishPhrase } from '../../../shared/crypto/phrase/phrase.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import { syncFolder } from '../../common/sync.ts';
import { VERSION } from '../../common/version.ts';
import { publicKeyOfPhrase } from '../../data-folder/node-key.ts';
import { linkPhotos } from '../../photos/photo-folder.ts';
import type { StoreLocation } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';
import { locationsIn, STORE_FILES } from '../../store/locations.ts';
import { isStorageFault } from '../../store/storage-unavailable.ts';
import { fileBytes, sha256Of, told, writeBytes } from '../archive/bytes.ts';
import type { Lock, Opener } from '../archive/encryption.ts';
import { type BackupReason, type Manifest, newManifest, type StoreSummary } from '../archive/manifest.ts';
import { readArchive } from '../archive/read-archive.ts';
import { archiveBytes, type MemberSource } from '../archive/write-archive.ts';
import { CareError, careError } from '../care-error.ts';
import { IDENTITY_FILE, memberOfPhoto, type NodePaths, photoOfMember, readNodeFiles } from '../node-files.ts';
import { inStaging, needRoom } from '../staging.ts';
import { beginPhase, type Steps } from '../steps.ts';
import { removeUnfinished, unfinishedName } from './backup-folder.ts';
import { backupName } from './backup-names.ts';

/** The sources of a backup, and its destination. */
export interface BackupOrder extends NodePaths {
  /** An existing folder. */
  readonly folder: string;
  readonly reason: BackupReason;
  readonly lock: Lock;
}

/** A backup that was made and checked. */
export interface MadeBackup {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  readonly durationMs: number;
}

/**
 * Makes a backup of a node, which may be running; verifies it and only then gives it its name. Blocks its thread while
 * the stores are copied. Rejects with CareError and then leaves no files.
 */
export async function makeBackup(order: BackupOrder, steps: Steps = {}): Promise<MadeBackup> {
  const startedAt = performance.now();
  try {
    return await inStaging(order.dataDir, async (staging) => {
      const contents = await collect(order, staging, steps);
      const made = await write(order, contents, steps);
      return { ...made, durationMs: Math.round(performance.now() - startedAt) };
    });
  } catch (error) {
    throw careError(error, 'the backup was not made', faultOf(error));
  }
}

interface Contents {
  readonly manifest: Manifest;
  readonly members: readonly MemberSource[];
}

async function collect(order: BackupOrder, staging: string, steps: Steps): Promise<Contents> {
  const { dataDir, reason, lock } = order;
  const files = readNodeFiles(order, lock !== null);
  const from = locationsIn(dataDir);
  const names: StoreName[] = [];
  for (const name of ['private', 'public'] as const)
    if (await engineOf(from[name]).exists(from[name])) names.push(name);
  if (!names.includes('private')) throw new CareError('bad_data', `there is no ${STORE_FILES.private} in ${dataDir}`);
  const madeAt = new Date(SYSTEM_CLOCK.now());
  const members: MemberSource[] = [];
  const stores: Partial<Record<StoreName, StoreSummary>> = {};
  const sizes = await Promise.all(names.map((name) => engineOf(from[name]).snapshots.bytes(from[name])));
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  await needRoom(staging, total, 'a copy of the stores');
  const photos = join(staging, 'photos');
  mkdirSync(photos, { mode: 0o700 });
  // Photos are linked before and after the copy of the store, so that each photo in the copy is there even if it is
  // written or deleted meanwhile.
  linkPhotos(dataDir, photos);
  const count = beginPhase(steps, 'copying', total);
  for (const [index, name] of names.entries()) {
    const copy = join(staging, STORE_FILES[name]);
    stores[name] = await copyStore(from[name], copy, name);
    members.push({ name: STORE_FILES[name], ...(await sha256Of(fileBytes(copy))), from: { path: copy } });
    count(sizes[index]!);
  }
  for (const name of linkPhotos(dataDir, photos)) {
    const path = join(photos, name);
    members.push({ name: memberOfPhoto(name), ...(await sha256Of(fileBytes(path))), from: { path } });
  }
  for (const { name, content } of files) {
    const sha256 = createHash('sha256').update(content).digest('hex');
    members.push({ name, bytes: content.length, sha256, from: { content } });
  }
  const summary = {
    madeAt: madeAt.toISOString(),
    reason,
    program: VERSION,
    node: { publicKey: publicKeyIn(files), host: hostname(), dataDir: resolve(dataDir) },
    stores: { private: stores.private!, public: stores.public ?? null },
    members: members.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
  };
  const hasPhotos = members.some(({ name }) => photoOfMember(name) !== null);
  const manifest = newManifest(summary, hasPhotos);
  return { manifest, members };
}

/** Returns the fault for a store that can't be read. */
function faultOf(error: unknown): CareFault {
  return isStorageFault(error) && error.code === 'damaged' ? 'bad_data' : 'refused';
}

async function copyStore(from: StoreLocation, copy: string, name: StoreName): Promise<StoreSummary> {
  const { snapshots } = engineOf(from);
  try {
    await snapshots.write(from, copy);
  } catch (error) {
    throw careError(error, `the ${name} store can’t be copied`, faultOf(error));
  }
  try {
    return await snapshots.inspectFile(copy, name);
  } catch (error) {
    throw careError(error, `the ${name} store is damaged, and the backup would be damaged too`, 'bad_data');
  }
}

function publicKeyIn(files: ReturnType<typeof readNodeFiles>): string {
  const file = files.find(({ name }) => name === IDENTITY_FILE)!;
  const phrase = new TextDecoder().decode(file.content).trim();
  if (!isEnglishPhrase(phrase))
    throw new CareError('bad_data', `${IDENTITY_FILE} contains no phrase: the node's identity is damaged`);
  return publicKeyOfPhrase(phrase);
}

async function write(
  { folder, lock, reason }: BackupOrder,
  { manifest, members }: Contents,
  steps: Steps,
): Promise<Omit<MadeBackup, 'durationMs'>> {
  const { publicKey } = manifest.node;
  await removeUnfinished(folder, publicKey);
  const unfinished = join(folder, unfinishedName(publicKey));
  const total = members.reduce((sum, member) => sum + member.bytes, 0);
  try {
    let opener: Opener = null;
    const hash = createHash('sha256');
    const file = await open(unfinished, 'wx', 0o600);
    let bytes: number;
    try {
      const onBytes = beginPhase(steps, 'writing', total);
      const parts = { manifest, members, lock, onBytes, onOpener: (found: Opener) => (opener = found) };
      bytes = await writeBytes(
        file,
        told(archiveBytes(parts), (chunk) => hash.update(chunk)),
      );
      await file.sync();
    } finally {
      await file.close();
    }
    await verify(unfinished, { opener, bytes, sha256: hash.digest('hex'), manifest }, steps);
    const encryption = lock?.kind ?? 'none';
    const pathAt = (place: number) =>
      join(folder, backupName(publicKey, new Date(manifest.madeAt), reason, encryption, place));
    let place = 1;
    // A complete backup is never overwritten: it may open with another key.
    while (existsSync(pathAt(place))) place += 1;
    const path = pathAt(place);
    await rename(unfinished, path);
    syncFolder(folder);
    return { path, bytes, manifest };
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    if (existsSync(folder)) throw error;
    throw new CareError('no_folder', `the backup folder ${folder} disappeared during the backup; connect its disk`);
  }
}

/**
 * Reads a backup as a restore would, and compares every member with the copies that were opened, checked and counted. A
 * backup that is encrypted to a phrase is opened with the key of this one file, which is discarded afterwards.
 */
async function verify(
  path: string,
  written: { readonly opener: Opener; readonly bytes: number; readonly sha256: string; readonly manifest: Manifest },
  steps: Steps,
): Promise<void> {
  const count = beginPhase(steps, 'verifying', written.bytes);
  const hash = createHash('sha256');
  const read = await readArchive(path, written.opener, {
    onChunk: (chunk) => {
      hash.update(chunk);
      count(chunk.length);
    },
  });
  if (hash.digest('hex') !== written.sha256 || JSON.stringify(read) !== JSON.stringify(written.manifest)) {
    throw new CareError('damaged', 'the backup differs from what was written; check the disk of the backup folder');
  }
}

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isEnglishPhrase } from '../../../shared/crypto/phrase/phrase.ts';
import type { HeldBack } from '../../../shared/owner-api/backups.ts';
import { MAX_PHOTO_BYTES } from '../../../shared/photos/photo-limits.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { writeAtomicallySync } from '../../common/atomic-write.ts';
import { syncFile, syncFolder } from '../../common/sync.ts';
import { publicKeyOfPhrase } from '../../data-folder/node-key.ts';
import { PHOTOS_DIR } from '../../photos/photo-folder.ts';
import { readJson } from '../../state-files/regular-file.ts';
import { engineOf } from '../../store/engines.ts';
import { locationsIn, STORE_FILES } from '../../store/locations.ts';
import { writeBytes } from '../archive/bytes.ts';
import type { Opener } from '../archive/encryption.ts';
import type { Manifest, StoreSummary } from '../archive/manifest.ts';
import { encryptionOfFile, readArchive } from '../archive/read-archive.ts';
import { CareError, careError } from '../care-error.ts';
import { IDENTITY_FILE, isNodeFile, oversize, photoOfMember, SETTINGS_FILE } from '../node-files.ts';
import { needRoom } from '../staging.ts';
import { beginPhase, type Steps } from '../steps.ts';
import { activeIn } from './held-back.ts';

/** A backup that was read, checked and opened. */
export interface Unpacked {
  readonly manifest: Manifest;
  /** Whether its stores were of an older version. They have been migrated, unless `kept` was asked for. */
  readonly isOlder: boolean;
  /** The items in it that would listen, send data or admit others. */
  readonly active: readonly HeldBack[];
}

/** `present`: stores of an older version are migrated. `kept`: they stay for the program that made them. */
export type StoreVersion = 'present' | 'kept';

/**
 * Unpacks a backup into a new folder, checks every byte, and opens the stores in the requested version. Afterwards a
 * node can start on the folder. Rejects with CareError; the caller removes the folder.
 */
export async function unpackBackup(
  path: string,
  opener: Opener,
  into: string,
  steps: Steps = {},
  version: StoreVersion = 'present',
): Promise<Unpacked> {
  try {
    await encryptionOfFile(path);
    mkdirSync(into, { mode: 0o700 });
    const count = beginPhase(steps, 'reading', (await stat(path)).size);
    const manifest = await readArchive(path, opener, {
      onChunk: ({ length }) => count(length),
      onManifest: async (found) => {
        refuseNewer(found, newestVersionIn(into));
        const tooLarge = oversize(found.members);
        if (tooLarge !== null) throw new CareError('damaged', `the backup is damaged: ${tooLarge}`);
        await needRoom(
          into,
          found.members.reduce((sum, { bytes }) => sum + bytes, 0),
          'what is in the backup',
        );
      },
      onMember: async (member, bytes) => {
        const { name } = member;
        const photo = photoOfMember(name);
        const isExpected = photo === null ? isNodeFile(name) || isStore(name) : member.bytes <= MAX_PHOTO_BYTES;
        if (!isExpected)
          throw new CareError('damaged', `the backup is damaged: it contains ${name}, which is not part of a node`);
        if (photo !== null) mkdirSync(join(into, PHOTOS_DIR), { recursive: true, mode: 0o700 });
        const file = await open(photo === null ? join(into, name) : join(into, PHOTOS_DIR, photo), 'wx', 0o600);
        try {
          await writeBytes(file, bytes);
          await file.sync();
        } finally {
          await file.close();
        }
      },
    });
    if (existsSync(join(into, PHOTOS_DIR))) syncFolder(join(into, PHOTOS_DIR));
    return { manifest, isOlder: await openContents(into, manifest, steps, version), active: activeIn(into) };
  } catch (error) {
    throw careError(error, `the backup ${path} can’t be read`);
  }
}

/** Replaces the machine's own settings (the data folders) in unpacked files by the present ones. */
export function takeOwnSettings(into: string, present: Readonly<Record<string, unknown>>): void {
  const path = join(into, SETTINGS_FILE);
  if (!existsSync(path)) return;
  let restored: Record<string, unknown>;
  try {
    restored = readJson(readFileSync(path)) as Record<string, unknown>;
  } catch {
    // The next start sets the damaged file aside.
    return;
  }
  const { dataDir: _dir, oldDataDirs: _old, ...rest } = restored;
  const own = Object.fromEntries(
    ['dataDir', 'oldDataDirs'].flatMap((name) => (name in present ? [[name, present[name]]] : [])),
  );
  writeAtomicallySync(path, `${JSON.stringify({ ...rest, ...own }, null, 2)}\n`);
}

function isStore(name: string): boolean {
  return Object.values(STORE_FILES).includes(name);
}

function newestVersionIn(dataDir: string): number {
  return engineOf(locationsIn(dataDir).private).snapshots.newestVersion;
}

function refuseNewer({ stores, program }: Manifest, known: number): void {
  const newest = Math.max(stores.private.version, stores.public?.version ?? 0);
  if (newest <= known) return;
  throw new CareError(
    'newer',
    `the backup was made by a newer Wellhouse (${program}, store version ${newest}, this one knows ${known}); ` +
      'update this one, then try again',
  );
}

/** Returns whether a store is of an older version. Throws CareError. */
async function openContents(
  into: string,
  { stores, node }: Manifest,
  steps: Steps,
  version: StoreVersion,
): Promise<boolean> {
  if (!existsSync(join(into, IDENTITY_FILE))) {
    throw new CareError('damaged', `the backup is damaged: there is no ${IDENTITY_FILE} in it`);
  }
  const phrase = readFileSync(join(into, IDENTITY_FILE), 'utf8').trim();
  if (!isEnglishPhrase(phrase) || publicKeyOfPhrase(phrase) !== node.publicKey) {
    throw new CareError('damaged', 'the backup is damaged: the identity in it is not that of its manifest');
  }
  const expected = (['private', 'public'] as const).flatMap((name) => {
    const summary = stores[name];
    return summary === null ? [] : [{ name, summary }];
  });
  const count = beginPhase(steps, 'opening', expected.length);
  for (const { name, summary } of expected) {
    await openStore(into, name, summary, version);
    count(1);
  }
  return expected.some(({ summary }) => summary.version < newestVersionIn(into));
}

async function openStore(into: string, name: StoreName, summary: StoreSummary, version: StoreVersion): Promise<void> {
  const location = locationsIn(into)[name];
  const file = join(into, STORE_FILES[name]);
  const engine = engineOf(location);
  try {
    const { rows, readings } = await engine.snapshots.inspectFile(file, name);
    const isEqual = JSON.stringify(rows) === JSON.stringify(summary.rows) && readings === summary.readings;
    if (!isEqual) throw new Error('its rows differ from the manifest');
    // This also sets the journal mode of a live store.
    if (version === 'present') await engine.prepare(name, location);
    syncFile(file);
  } catch (error) {
    throw careError(error, `the backup is damaged: its ${name} store can’t be opened`, 'damaged');
  }
}

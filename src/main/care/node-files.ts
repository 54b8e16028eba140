import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { MAX_KEYSTORE_BYTES } from '../../shared/crypto/keystore/keystore-limits.ts';
import { isPhotoFile, PHOTOS_DIR } from '../photos/photo-folder.ts';
import { belongsToStore } from '../store/locations.ts';
import { CareError } from './care-error.ts';

const MIB = 1024 ** 2;

export const IDENTITY_FILE = 'identity.mnemonic';
export const KEYSTORE_FILE = 'keystore.wellhouse';
export const SETTINGS_FILE = 'settings.json';

/**
 * The files of a node in a backup, in addition to its stores: its identity, the owner's keys (copies that were set
 * aside may be the last ones), settings, alerts and the secrets of their channels, the broker login, the certificate
 * authority of the door, the other nodes and their tokens, the audit log. The link to the owner's view and the pairings
 * are excluded: after a loss they must be new, and a revoked pairing stays revoked. Each entry has the largest size in
 * bytes, since the files are read into memory.
 */
const NODE_FILES: readonly (readonly [RegExp, number])[] = [
  [/^identity\.mnemonic$/, 4096],
  [/^keystore\.wellhouse(?:\.previous|\.(?:damaged|replaced|kept)-[0-9TZ.-]+)?$/, MAX_KEYSTORE_BYTES],
  [/^settings\.json$/, MIB],
  [/^alerts\.json$/, 32 * MIB],
  [/^alert-history\.ndjson$/, 32 * MIB],
  [/^alert-secrets\.json$/, MIB],
  [/^bridge-secrets\.json$/, MIB],
  [/^door-certificate\.json$/, MIB],
  [/^nodes\.json$/, MIB],
  [/^audit\.ndjson(?:\.1)?$/, 16 * MIB],
  [/^audit-head\.json$/, MIB],
];
/** The audit log of a folder stays there at a restore, and gets an entry about it. */
const AUDIT_FILES = /^audit(?:-head)?\./;

/** Its key lets anyone impersonate this node's door, so only encrypted backups have it. */
export const DOOR_CERTIFICATE_FILE = 'door-certificate.json';

/** Further files that must not remain with a restored node, such as addresses and marks. */
const BELONGING = [
  /^restored\.json$/,
  /^ui-address$/,
  /^door\.json$/,
  /^moved\.json$/,
  /^backups\.json$/,
  /^clock\.json$/,
  /^nodes-seen\.json$/,
  /^damaged-files\.json$/,
  /^stores\.json$/,
  /^joining\.json$/,
  /^held-back\.json$/,
  // A restored store continues from an earlier state, as its owner wants.
  /^log-heads\.json$/,
  /^log-witnesses\.json$/,
  /^log-findings\.json$/,
  /^sent-checkpoints\.json$/,
  // A witness with an older state could cosign another tree of the same size.
  /^witnessed-logs\.json$/,
  // Copies of state files: one of another node must not replace a damaged file.
  /^[a-z-]+\.(?:json|ndjson)\.previous$/,
  new RegExp(`^${PHOTOS_DIR}$`),
  /\.new$/,
];

/** The limit for all files together. */
const MAX_NODE_FILE_BYTES = 128 * MIB;

/** A small file of the node. */
export interface NodeFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The paths of a node. */
export interface NodePaths {
  readonly dataDir: string;
  /** The settings file, in the data folder or, for the desktop app, next to it. */
  readonly settingsFile: string;
}

/** The prefix of photos in a backup, which has no folders. */
const PHOTO_PREFIX = 'photo-';

/** Returns the name in a backup for a file in the folder of photos. */
export function memberOfPhoto(name: string): string {
  return PHOTO_PREFIX + name;
}

/** Returns the file in the folder of photos for a member of a backup; null if the member is not a photo. */
export function photoOfMember(name: string): string | null {
  const file = name.slice(PHOTO_PREFIX.length);
  return name.startsWith(PHOTO_PREFIX) && isPhotoFile(file) ? file : null;
}

/** Returns whether a backup has the file with this name in addition to the stores. */
export function isNodeFile(name: string): boolean {
  return NODE_FILES.some(([pattern]) => pattern.test(name));
}

/** Returns the largest size of a small file in a backup, in bytes. */
function maxBytesOf(name: string): number {
  return NODE_FILES.find(([pattern]) => pattern.test(name))?.[1] ?? 0;
}

/** Returns the reason why files are too large for a backup, or null. Ignores stores. */
export function oversize(files: readonly { readonly name: string; readonly bytes: number }[]): string | null {
  const small = files.filter(({ name }) => isNodeFile(name));
  const large = small.find(({ name, bytes }) => bytes > maxBytesOf(name));
  if (large !== undefined) return `${large.name} has ${large.bytes} bytes: too large for such a file`;
  const total = small.reduce((sum, { bytes }) => sum + bytes, 0);
  return total > MAX_NODE_FILE_BYTES ? `the files beside the stores have ${total} bytes: too large together` : null;
}

/** Returns the names in a data folder that a restore moves aside. */
export function namesToPutAside(dataDir: string): string[] {
  if (!existsSync(dataDir)) return [];
  return readdirSync(dataDir).filter((name) => {
    return (
      !AUDIT_FILES.test(name) &&
      (isNodeFile(name) || belongsToStore(name) || BELONGING.some((pattern) => pattern.test(name)))
    );
  });
}

/** Returns whether a restore skips a file, since the folder has its own audit log. */
export function isOfOwnLog(dataDir: string, name: string): boolean {
  return AUDIT_FILES.test(name) && readdirSync(dataDir).some((each) => AUDIT_FILES.test(each) && each !== 'audit.lock');
}

/**
 * Returns the small files of a node for a backup. Throws errors of the file system, and CareError if there is no
 * identity.
 */
export function readNodeFiles({ dataDir, settingsFile }: NodePaths, isEncrypted: boolean): NodeFile[] {
  const names = readdirSync(dataDir).filter(
    (name) => isNodeFile(name) && name !== SETTINGS_FILE && (isEncrypted || name !== DOOR_CERTIFICATE_FILE),
  );
  const paths = [
    ...names.sort().map((name) => join(dataDir, name)),
    ...(existsSync(settingsFile) ? [resolve(settingsFile)] : []),
  ];
  if (!names.includes(IDENTITY_FILE)) {
    throw new CareError(
      'bad_data',
      `there is no ${IDENTITY_FILE} in ${dataDir}: it contains no node, or a damaged one`,
    );
  }
  const files = paths.map((path) => ({
    path,
    name: basename(path) === basename(settingsFile) ? SETTINGS_FILE : basename(path),
    bytes: statSync(path).size,
  }));
  const tooLarge = oversize(files);
  if (tooLarge !== null) throw new CareError('bad_data', `${dataDir}: ${tooLarge}`);
  return files.map(({ path, name }) => ({ name, content: readFileSync(path) }));
}

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
 * The files of a node besides its stores: its identity, its owner's keys (copies that were set aside may be the last
 * there are), settings, alerts and the secrets of their channels, the login at the broker, the authority that phones
 * trust the door by, the other nodes and their tokens, the audit log. The link to the owner's view and the pairings are
 * not among them: after a loss they should be others, and a revoked pairing stays revoked. Each has the most bytes that it
 * takes in a backup: they are read into memory.
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
/** The audit log of a folder stays there, whatever is restored: it has an entry of that. */
const AUDIT_FILES = /^audit(?:-head)?\./;

/** With its key somebody could answer as this node's door: it is only in backups that are encrypted. */
export const DOOR_CERTIFICATE_FILE = 'door-certificate.json';

/** Files that must not stay beside a restored node, besides those and the stores: addresses, marks. */
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
  // A restored store goes on from an earlier state, as its owner wants.
  /^log-heads\.json$/,
  /^log-witnesses\.json$/,
  /^log-findings\.json$/,
  /^sent-checkpoints\.json$/,
  // A witness that went back could cosign another tree of the same size.
  /^witnessed-logs\.json$/,
  // The state files' copies: another node's must not stand in for a damaged one.
  /^[a-z-]+\.(?:json|ndjson)\.previous$/,
  new RegExp(`^${PHOTOS_DIR}$`),
  /\.new$/,
];

/** All of them together. */
const MAX_NODE_FILE_BYTES = 128 * MIB;

/** A small file of the node. */
export interface NodeFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** Where the parts of a node lie. */
export interface NodePaths {
  readonly dataDir: string;
  /** In the data folder, or beside it as that of the desktop app. */
  readonly settingsFile: string;
}

/** In a backup a photo lies beside the other members, not in a folder. */
const PHOTO_PREFIX = 'photo-';

/** The name in a backup of a file of the folder of photos. */
export function memberOfPhoto(name: string): string {
  return PHOTO_PREFIX + name;
}

/** The file of the folder of photos that a member of a backup is; null: it is something else. */
export function photoOfMember(name: string): string | null {
  const file = name.slice(PHOTO_PREFIX.length);
  return name.startsWith(PHOTO_PREFIX) && isPhotoFile(file) ? file : null;
}

/** Whether a file of this name is kept in a backup besides the stores. */
export function isNodeFile(name: string): boolean {
  return NODE_FILES.some(([pattern]) => pattern.test(name));
}

/** The most bytes that a small file of the node may have in a backup. */
function maxBytesOf(name: string): number {
  return NODE_FILES.find(([pattern]) => pattern.test(name))?.[1] ?? 0;
}

/** Why files of these sizes are none that a backup has; null: they are. Stores are not looked at. */
export function oversize(files: readonly { readonly name: string; readonly bytes: number }[]): string | null {
  const small = files.filter(({ name }) => isNodeFile(name));
  const large = small.find(({ name, bytes }) => bytes > maxBytesOf(name));
  if (large !== undefined) return `${large.name} has ${large.bytes} bytes: too large for such a file`;
  const total = small.reduce((sum, { bytes }) => sum + bytes, 0);
  return total > MAX_NODE_FILE_BYTES ? `the files beside the stores have ${total} bytes: too large together` : null;
}

/** Names in a data folder that a restore puts aside. */
export function namesToPutAside(dataDir: string): string[] {
  if (!existsSync(dataDir)) return [];
  return readdirSync(dataDir).filter((name) => {
    return (
      !AUDIT_FILES.test(name) &&
      (isNodeFile(name) || belongsToStore(name) || BELONGING.some((pattern) => pattern.test(name)))
    );
  });
}

/** Whether a restore leaves out a file of this name, since the folder has a log of its own. */
export function isOfOwnLog(dataDir: string, name: string): boolean {
  return AUDIT_FILES.test(name) && readdirSync(dataDir).some((each) => AUDIT_FILES.test(each) && each !== 'audit.lock');
}

/**
 * The small files of a node, as they are now, for a backup that is encrypted or not. Throws as the file system does, and
 * CareError where there is no identity.
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

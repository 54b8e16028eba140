import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { belongsToStore } from '../store/locations.ts';
import { CareError } from './care-error.ts';

export const IDENTITY_FILE = 'identity.mnemonic';
export const KEYSTORE_FILE = 'keystore.wellhouse';
export const SETTINGS_FILE = 'settings.json';

/**
 * What makes a node besides its stores: who it is, its owner's keys (copies that were set aside may be the last there are),
 * settings, alerts and the secrets of their channels, the login at the broker, what phones trust the door by, the other nodes
 * and what opens them, the audit log. Not
 * the link to the owner's view, nor who is paired: after a loss they should be others, and what was revoked since a backup
 * stays so.
 */
const NODE_FILES = [
  /^identity\.mnemonic$/,
  /^keystore\.wellhouse(?:\.previous|\.(?:damaged|replaced|kept)-[0-9TZ.-]+)?$/,
  /^settings\.json$/,
  /^alerts\.json$/,
  /^alert-history\.ndjson$/,
  /^alert-secrets\.json$/,
  /^bridge-secrets\.json$/,
  /^door-certificate\.json$/,
  /^nodes\.json$/,
  /^audit\.ndjson(?:\.1)?$/,
  /^audit-head\.json$/,
];
/** The audit log of a folder stays there, whatever is restored: it has an entry of that. */
const AUDIT_FILES = /^audit(?:-head)?\./;

/** With its key somebody could answer as this node's door: it is only in backups that are encrypted. */
export const DOOR_CERTIFICATE_FILE = 'door-certificate.json';

/** Beside those and the stores, what must not lie beside a restored node: addresses, marks. */
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
  // The state files' copies: another node's must not stand in for a damaged one.
  /^[a-z-]+\.(?:json|ndjson)\.previous$/,
  /\.new$/,
];

/** Small files are read into memory; more than this is none of ours. */
const MAX_FILE_BYTES = 64 * 1024 ** 2;

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

/** Whether a file of this name is kept in a backup besides the stores. */
export function isNodeFile(name: string): boolean {
  return NODE_FILES.some((pattern) => pattern.test(name));
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
  return paths.map((path) => {
    const { size } = statSync(path);
    if (size > MAX_FILE_BYTES) throw new CareError('bad_data', `${path} has ${size} bytes: too large for such a file`);
    return {
      name: basename(path) === basename(settingsFile) ? SETTINGS_FILE : basename(path),
      content: readFileSync(path),
    };
  });
}

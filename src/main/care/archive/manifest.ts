import { z } from 'zod';
import { CareError } from '../care-error.ts';

/**
 * The version of the file's layout. A newer one is refused, since it may hold data that this program does not know.
 * Version 2 adds photos; a backup without photos has version 1, which earlier programs can read.
 */
export const BACKUP_VERSION = 2;
export const MANIFEST_NAME = 'manifest.json';
const FORMAT = 'wellhouse-backup';

/** Why a backup was made. */
export const BACKUP_REASONS = ['schedule', 'demand', 'migration', 'upgrade'] as const;
export type BackupReason = (typeof BACKUP_REASONS)[number];

const count = z.int().min(0);

const storeSummary = z.strictObject({
  /** The version of its schema. */
  version: count,
  devices: count,
  readings: count,
  /** The time of the latest reading's reception in Unix milliseconds; null if there is no reading. */
  lastReceivedAt: z.number().nullable(),
  /** The number of rows of each table. */
  rows: z.record(z.string(), count),
});
export type StoreSummary = z.infer<typeof storeSummary>;

/** A name in the backup: a plain file name that can't leave a folder. */
const memberName = z.string().regex(/^(?!\.)[A-Za-z0-9._-]{1,200}$/);
const member = z.strictObject({ name: memberName, bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) });
export type Member = z.infer<typeof member>;

const manifest = z.strictObject({
  format: z.literal(FORMAT),
  version: z.int().min(1).max(BACKUP_VERSION),
  /** ISO 8601, UTC. */
  madeAt: z.iso.datetime(),
  reason: z.enum(BACKUP_REASONS),
  /** The version of the program that made it. */
  program: z.string(),
  node: z.strictObject({
    /** Lowercase hex. */
    publicKey: z.string().regex(/^[0-9a-f]{64}$/),
    /** The machine's name and its data folder: another node with this identity may run there. */
    host: z.string(),
    dataDir: z.string(),
  }),
  stores: z.strictObject({ private: storeSummary, public: storeSummary.nullable() }),
  /** All other members of the file, in its order. */
  members: z.array(member).max(10_000),
});
export type Manifest = z.infer<typeof manifest>;

/** Returns a manifest with the present format and version. */
export function newManifest(contents: Omit<Manifest, 'format' | 'version'>, hasPhotos = false): Manifest {
  return { format: FORMAT, version: hasPhotos ? 2 : 1, ...contents };
}

/** Reads a manifest. Throws CareError if it is damaged, foreign or newer. */
export function readManifest(bytes: Uint8Array): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new CareError('damaged', 'the backup is damaged: its manifest is not JSON');
  }
  const head = z
    .looseObject({ format: z.literal(FORMAT), version: count, program: z.string().catch('?') })
    .safeParse(json);
  if (!head.success) throw new CareError('not_a_backup', 'this is not a Wellhouse backup');
  if (head.data.version > BACKUP_VERSION) {
    throw new CareError(
      'newer',
      `the backup was made by a newer Wellhouse (${head.data.program}); update this one, then try again`,
    );
  }
  const read = manifest.safeParse(json);
  if (!read.success)
    throw new CareError(
      'damaged',
      `the backup is damaged: its manifest has a wrong ${read.error.issues[0]?.path.join('.')}`,
    );
  const names = new Set(read.data.members.map(({ name }) => name));
  if (names.size !== read.data.members.length || names.has(MANIFEST_NAME)) {
    throw new CareError('damaged', 'the backup is damaged: its manifest names a member twice');
  }
  return read.data;
}

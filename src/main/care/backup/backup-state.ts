import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CARE_FAULTS } from '../../../shared/care/faults.ts';
import { writeAtomicallySync } from '../../common/atomic-write.ts';

const FILE_NAME = 'backups.json';

const time = z.number();
const state = z.strictObject({
  version: z.literal(1),
  /** The folder that backups were last made in, and the id of its mark. */
  folder: z.strictObject({ path: z.string(), id: z.uuid() }).nullable(),
  /** The latest that was made and checked. Times are Unix milliseconds. */
  last: z
    .strictObject({
      at: time,
      path: z.string(),
      bytes: z.number(),
      durationMs: z.number(),
      encryption: z.enum(['none', 'recipient', 'passphrase']),
    })
    .nullable(),
  /** Since when backups are expected in a folder, by the settings. */
  chosen: z.strictObject({ path: z.string(), at: time }).nullable().default(null),
  /** The version of the program that ran last. */
  program: z.string().nullable().default(null),
  /** The latest that failed, where none was made since. */
  failure: z.strictObject({ at: time, fault: z.enum(CARE_FAULTS), message: z.string() }).nullable(),
});
export type BackupState = z.infer<typeof state>;

const NOTHING: BackupState = { version: 1, folder: null, last: null, chosen: null, program: null, failure: null };

/** What is remembered of backups of a data folder. A file that can't be read is as none: the next backup writes it. */
export function readBackupState(dataDir: string): BackupState {
  try {
    return state.parse(JSON.parse(readFileSync(join(dataDir, FILE_NAME), 'utf8')));
  } catch {
    return NOTHING;
  }
}

/** Replaces some of it. Throws as the file system does. */
export function writeBackupState(dataDir: string, change: Partial<Omit<BackupState, 'version'>>): void {
  const next: BackupState = { ...readBackupState(dataDir), ...change };
  writeAtomicallySync(join(dataDir, FILE_NAME), `${JSON.stringify(next, null, 2)}\n`);
}

import { KeysWorker } from './worker-client.ts';

/** The backup key of a phrase: the recipient that backups are encrypted to, and the identity that opens them. */
export interface BackupKey {
  readonly recipient: string;
  readonly identity: string;
}

/**
 * Derives the key of backups from a typed phrase (or a seed in hex), in a worker of its own that ends then: also where there is
 * no keystore. Rejects with KeySessionError `unusable_secret`, and `insecure` on a page that came unprotected.
 */
export async function backupKeyOf(typed: string): Promise<BackupKey> {
  const worker = new KeysWorker(() => {});
  try {
    const isSeed = /^\s*(?:0x)?(?:[0-9a-fA-F]{2}[\s:]?){32}\s*$/.test(typed);
    const secret = isSeed
      ? ({ kind: 'seed', seedHex: typed } as const)
      : ({ kind: 'phrase', text: typed, language: null } as const);
    return await worker.ask('backupKey', { secret });
  } finally {
    worker.end();
  }
}

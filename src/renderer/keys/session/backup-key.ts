import { KeysWorker } from './worker-client.ts';

/** The backup key of a phrase: the recipient to which backups are encrypted, and the identity that opens them. */
export interface BackupKey {
  readonly recipient: string;
  readonly identity: string;
}

/**
 * Derives the backup key from a typed phrase (or a seed in hex), in a worker of its own that ends afterwards. Needs no
 * keystore. Rejects with KeySessionError `unusable_secret`, or `insecure` if the page came over plain HTTP from a
 * network.
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

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FILES } from '../store/locations.ts';
import { isRegularFile } from './regular-file.ts';

/** The files of a data folder. Copies of them have a dot or a hyphen and more after the name. */
const NAMES = [
  ...[
    ...Object.values(STORE_FILES),
    'node.lock',
    'care.lock',
    'start.reserve',
    'identity.mnemonic',
    'keystore.wellhouse',
  ],
  ...[
    'settings.json',
    'ui-token',
    'ui-address',
    'alerts.json',
    'alert-history.ndjson',
    'alert-secrets.json',
    'bridge-secrets.json',
    'clock.json',
  ],
  ...['door.json', 'door-certificate.json', 'nodes.json', 'nodes-seen.json', 'backups.json', 'damaged-files.json'],
  ...[
    'joining.json',
    'moved.json',
    'stores.json',
    'restore.json',
    'restored.json',
    'audit.ndjson',
    'audit-head.json',
    'audit.lock',
    'held-back.json',
    'log-heads.json',
    'log-findings.json',
    'sent-checkpoints.json',
    'log-witnesses.json',
    'witnessed-logs.json',
  ],
];

/** Returns whether the name is that of a node's file or of a copy of one. */
export function isDataFile(name: string): boolean {
  return NAMES.some((each) => name === each || name.startsWith(`${each}.`) || name.startsWith(`${each}-`));
}

/**
 * Throws StartError if a name of a data file is taken by something else: a start that opened a named pipe would block
 * for ever. The folder need not exist.
 */
export function refuseIrregularFiles(dataDir: string): void {
  let names: string[];
  try {
    names = readdirSync(dataDir);
  } catch {
    // The code that needs the folder reports its problem.
    return;
  }
  for (const name of names) if (isDataFile(name)) isRegularFile(join(dataDir, name));
}

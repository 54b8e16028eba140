import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FILES } from '../store/locations.ts';
import { isRegularFile } from './regular-file.ts';

/** Files of a data folder. Each may have copies beside it, with a dot or a hyphen and more after its name. */
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

/** Whether a file of that name is one of a node, or a copy of one. */
export function isDataFile(name: string): boolean {
  return NAMES.some((each) => name === each || name.startsWith(`${each}.`) || name.startsWith(`${each}-`));
}

/**
 * Throws StartError where something else lies in the place of a file of the data folder: a start that opened a pipe would
 * wait for ever. The folder need not exist.
 */
export function refuseIrregularFiles(dataDir: string): void {
  let names: string[];
  try {
    names = readdirSync(dataDir);
  } catch {
    // Whoever needs the folder says what is wrong with it.
    return;
  }
  for (const name of names) if (isDataFile(name)) isRegularFile(join(dataDir, name));
}

import { pino } from 'pino';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { Settings } from '../../../shared/settings/table.ts';
import { checkLog, type LogCheck } from '../../proof/check-log.ts';
import { noteFindings } from '../../proof/log-findings.ts';
import { LOG_HEADS_FILE } from '../../proof/log-heads.ts';
import { LogSigner } from '../../proof/log-key.ts';
import { openStateFile } from '../../state-files/damaged-files.ts';
import type { LogReader } from '../../store/stores-view.ts';
import type { Context } from '../context.ts';
import { openFolder } from '../own-node.ts';
import { openSharedLog } from '../with-operator.ts';

/** The check of a store's log. */
export interface StoreCheck {
  readonly store: StoreName;
  readonly check: LogCheck;
  readonly finding: { readonly what: string; readonly isSound: boolean; readonly found: string };
}

const countOf = ({ problemCount, broken, badSignatures }: LogCheck): number =>
  problemCount + broken.length + badSignatures.length;

/**
 * Compares each store of a folder with its log and with the signed states of it. Records the findings in the folder, so
 * that its node warns the owner.
 */
export async function checkStores({
  dataDir,
  settings,
  output,
}: Pick<Context, 'dataDir' | 'settings' | 'output'>): Promise<StoreCheck[]> {
  const log = pino({ level: 'silent' });
  const heads = openStateFile(LOG_HEADS_FILE, { path: dataDir, log, now: () => Date.now() }).read();
  const readers = await readersOf(dataDir, settings);
  try {
    const signer = new LogSigner(dataDir);
    const checks: StoreCheck[] = [];
    for (const [store, reader] of readers) {
      const head = heads?.[store];
      const known = head == null ? [] : [head];
      const check = await checkLog(reader, signer, store, known, (done, total) => output.bar(store, done, total));
      const found = `${check.size} entries, ${check.signed} signatures, ${check.checkpoints} checkpoints`;
      checks.push({ store, check, finding: { what: `${store} log`, isSound: countOf(check) === 0, found } });
    }
    const counts = checks.map(({ store, check }) => [store, countOf(check)] as const);
    await noteFindings(dataDir, new Map(counts), Date.now()).catch((error: Error) =>
      output.note(`the node does not get this result: its folder can't be written (${error.message})`),
    );
    return checks;
  } finally {
    for (const reader of new Set(readers.values())) await reader.close();
  }
}

/** Opens a reader of each store that exists. A shared store is read from its database. */
async function readersOf(dataDir: string, settings: Settings): Promise<Map<StoreName, LogReader>> {
  const readers = new Map<StoreName, LogReader>();
  if (settings.localEnabled) {
    const { reader, locations, close } = await openFolder(dataDir);
    const ofFolder: LogReader = { snapshot: (run) => reader.snapshot(run), close };
    readers.set('private', ofFolder);
    if (locations.public !== null && settings.publicStoreUrl === null) readers.set('public', ofFolder);
  }
  if (settings.publicStoreUrl !== null) readers.set('public', await openSharedLog(settings.publicStoreUrl));
  return readers;
}

const KINDS: Readonly<Record<LogCheck['problems'][number]['kind'], string>> = {
  changed: 'was changed after it was stored',
  deleted: 'was deleted, and not by the program',
  hash: 'has a wrong hash in the log',
};

/** Returns the findings as lines. */
export function logLines(
  store: StoreName,
  { problems, problemCount, broken, badSignatures, unlogged }: LogCheck,
): string[] {
  return [
    ...problems.map(({ index, kind, reading }) => {
      const name = reading === null ? '' : ` (reading ${reading.seq} of ${reading.device})`;
      return `${store}: entry ${index}${name} ${KINDS[kind]}`;
    }),
    ...(problemCount > problems.length ? [`${store}: and ${problemCount - problems.length} more`] : []),
    ...badSignatures.map(
      ({ device, seq }) => `${store}: reading ${seq} of ${device} has a signature that is not its device's`,
    ),
    ...broken.map((size) => `${store}: it does not continue the tree of ${size} entries that was signed`),
    `${store}: ${unlogged} readings are not in the log (stored by an earlier version, or less than a minute ago)`,
  ];
}

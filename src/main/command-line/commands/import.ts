import { resolve } from 'node:path';
import { pino } from 'pino';
import { importReference } from '../../care/reference/import-reference.ts';
import type { IdentityOutcome, ImportSummary, NotTaken } from '../../care/reference/import-summary.ts';
import { ReferenceFolder } from '../../care/reference/reference-folder.ts';
import { finishRestore } from '../../care/swap.ts';
import { makeDataDir } from '../../data-folder/data-folder.ts';
import { adoptIdentity, loadOrCreateIdentity } from '../../data-folder/identity.ts';
import { isNodeRunning, lockDataDir } from '../../data-folder/node-lock.ts';
import { StorageUnavailable } from '../../store/storage-unavailable.ts';
import { StoresWithoutNode } from '../../store/stores-without-node.ts';
import type { AddCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { table } from '../output.ts';
import { record } from '../record.ts';
import { withSignal } from '../with-signal.ts';

const STOPPED = 'stopped: what was imported stays; run the same command again for the rest';
const IDENTITY: Readonly<Record<IdentityOutcome, string>> = {
  taken: 'The identity was imported: this node now is the reference server. Never start that server again.',
  same: 'The identity is the same as here.',
  kept: 'This node keeps its own identity: device rules that name the old server as a destination do not apply to it.',
  none: 'The folder has no identity.',
};

/** `import`: imports from a reference server. No node may run on the folder. */
export const addImport: AddCommand = (program, act) => {
  program
    .command('import')
    .argument(
      '<folder>',
      'the data folder of a reference server: raiznet_private.db, raiznet_public.db, identity.mnemonic',
    )
    .description('import identity, devices, policies and readings; existing data stays unchanged')
    .action(
      act<[string]>(async (context, folder) => {
        const { output, dataDir } = context;
        if (isNodeRunning(dataDir)) throw new CommandError(`a node runs on ${dataDir}: stop it first`, EXIT.busy);
        const summary = await takeOver(context, resolve(folder));
        await record(context, 'imported', { path: resolve(folder) });
        output.answer(summary, () => lines(summary));
        return undefined;
      }),
    );
};

async function takeOver({ dataDir, settings, output }: Context, folder: string): Promise<ImportSummary> {
  makeDataDir(dataDir);
  const unlock = lockDataDir(dataDir);
  try {
    finishRestore(dataDir);
    const source = ReferenceFolder.open(folder, dataDir);
    try {
      const stores = new StoresWithoutNode(dataDir, settings.durability, pino({ level: 'silent' }));
      const hasStore = (await stores.exists('private')) || (await stores.exists('public'));
      const identity = source.phrase === null ? 'none' : adoptIdentity(dataDir, source.phrase, hasStore);
      loadOrCreateIdentity(dataDir, hasStore);
      try {
        // Every node has a private store.
        await stores.open('private');
        const result = await withSignal(STOPPED, (signal) =>
          importReference({
            from: source.stores,
            storeOf: (name) => stores.open(name),
            onProgress: ({ readings, totalReadings }) => output.bar('importing', readings, totalReadings),
            signal,
          }),
        );
        return { identity, ...result };
      } catch (error) {
        throw failureOf(error);
      } finally {
        await stores.close();
      }
    } finally {
      source.close();
    }
  } finally {
    unlock();
  }
}

/**
 * Returns an error that tells the user how to continue: after a full disk, the imported data stays and the same command
 * continues.
 */
function failureOf(error: unknown): unknown {
  if (!(error instanceof StorageUnavailable)) return error;
  return new CommandError(
    `the store refuses writes (${error.message}): what was imported stays; free some space, then run the same command again`,
    EXIT.place,
  );
}

function lines({ identity, stores, notTaken }: ImportSummary): string[] {
  const rows = Object.entries(stores).flatMap(([store, { devices, readings }]) =>
    Object.entries({ devices, readings }).map(([what, { taken, present, skipped }]) => {
      return [`${store} ${what}`, taken, present, skipped];
    }),
  );
  return [
    ...table(['', 'taken', 'here already', 'skipped'], rows),
    '',
    IDENTITY[identity],
    ...(notTaken.length === 0 ? [] : ['', 'Not imported:', ...notTaken.map(line)]),
  ];
}

function line({ store, what, reason, count, examples }: NotTaken): string {
  const more = count > examples.length ? ', …' : '';
  return `  ${count} × ${what} (${store} store): ${reason} (${examples.join(', ')}${more})`;
}

import { StartError } from '../../common/start-error.ts';
import { readPublicKey } from '../../data-folder/identity.ts';
import { lockDataDir } from '../../data-folder/node-lock.ts';
import type { StoreLocation } from '../../store/engine.ts';
import { engineOf } from '../../store/engines.ts';
import { locationsIn, serverLocation } from '../../store/locations.ts';
import { type MovedRows, movePublicStore, placeMovedStore } from '../../store/move-store.ts';
import { StoreInUse } from '../../store/rows.ts';
import { StorageUnavailable } from '../../store/storage-unavailable.ts';
import type { AddCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { table } from '../output.ts';
import { requireNode } from '../own-node.ts';
import { withSignal } from '../with-signal.ts';

const STOPPED = 'stopped: nothing was changed where the store is; run the same command again to go on';
/** The word for the file in the data folder, instead of a server's address. */
const FILE = 'file';

/** `move-public-store`: copies the public store. No node may run on the folder or use the database. */
export const addMovePublicStore: AddCommand = (program, act) => {
  program
    .command('move-public-store')
    .description('copy the public store to a PostgreSQL server, or back to a file, and compare both row by row')
    .requiredOption('--to <address>', `postgres://…, or "${FILE}" for the data folder's file`)
    .option('--from <address>', 'where it is now; by default the file, or what PUBLIC_STORE_URL names')
    .action(
      act<[{ to: string; from?: string }]>(async (context, flags) => {
        requireNode(context.dataDir);
        const { from, to } = endsOf(context, flags);
        const rows = await move(context, from, to);
        const address = engineOf(to).describe(to);
        output(context, rows, address, to);
        return undefined;
      }),
    );
};

function output({ output: answers }: Context, rows: MovedRows, address: string, to: StoreLocation): void {
  const next =
    engineOf(to).bind === null ? 'Start the node without PUBLIC_STORE_URL.' : 'Start the node with PUBLIC_STORE_URL.';
  answers.answer({ to: address, rows }, () => [
    ...table(
      ['', 'rows'],
      Object.entries(rows).map(([name, count]) => [name, count]),
    ),
    '',
    `Every row at ${address} is as it was. ${next} The store that was moved is left as it is: remove it when you no longer need it.`,
  ]);
}

function endsOf({ dataDir, settings }: Context, flags: { to: string; from?: string }) {
  const file = locationsIn(dataDir).public;
  const locationOf = (address: string) => (address === FILE ? file : serverLocation(address));
  const to = locationOf(flags.to);
  const byDefault = to === file ? settings.publicStoreUrl : FILE;
  const address = flags.from ?? byDefault;
  if (address === null) {
    throw new CommandError('name the server with --from or PUBLIC_STORE_URL', EXIT.usage);
  }
  const from = locationOf(address);
  for (const location of [from, to]) {
    if (location !== file && !/^postgres(?:ql)?:\/\//.test(location)) {
      throw new CommandError(`a store is at postgres://… or "${FILE}"`, EXIT.usage);
    }
  }
  if (from === to) throw new CommandError('the store is there already', EXIT.usage);
  return { from, to };
}

async function move({ dataDir, output: answers }: Context, from: StoreLocation, to: StoreLocation): Promise<MovedRows> {
  const unlock = lockDataDir(dataDir);
  try {
    const rows = await withSignal(STOPPED, (signal) =>
      movePublicStore({
        ...{ from, to, identity: readPublicKey(dataDir), signal },
        onProgress: (phase, count) => answers.bar(phase, count, 0),
      }),
    );
    await placeMovedStore({ to });
    return rows;
  } catch (error) {
    if (error instanceof StorageUnavailable) {
      throw new CommandError(`${error.message}; run the same command again to go on`, EXIT.place);
    }
    if (error instanceof StoreInUse) throw new CommandError(error.message, EXIT.busy);
    if (error instanceof StartError) throw new CommandError(error.message, EXIT.place);
    throw error;
  } finally {
    unlock();
  }
}

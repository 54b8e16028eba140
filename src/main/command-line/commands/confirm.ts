import { dropHeldBack, heldBackIn, releaseHeldBack } from '../../care/restore/held-back.ts';
import { isNodeRunning, lockDataDir } from '../../data-folder/node-lock.ts';
import type { AddCommand } from '../command.ts';
import { activeLines } from '../contents.ts';
import { refuseCutRestore } from '../cut-restore.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { linkToNode, requireNode } from '../own-node.ts';

interface ConfirmFlags {
  readonly all?: true;
  readonly drop?: true;
}

/** `confirm`: lists and confirms the items that are off after a restore. */
export const addConfirm: AddCommand = (program, act) => {
  program
    .command('confirm')
    .argument('[ids...]', 'which of them, as the list names them with --json; without any, they are listed')
    .description('list what came with a restore and stays off (listeners, hosts, channels, other nodes), or confirm it')
    .option('--all', 'all of them')
    .option('--drop', 'forget them instead: they stay off')
    .action(
      act<[string[], ConfirmFlags]>(async ({ dataDir, settingsFile, output }, named, flags) => {
        requireNode(dataDir);
        refuseCutRestore(dataDir);
        const held = heldBackIn(dataDir);
        const ids = flags.all ? held.map(({ id }) => id) : named;
        const unknown = ids.find((id) => !held.some((each) => each.id === id));
        if (unknown !== undefined) throw new CommandError(`nothing that waits is called ${unknown}`, EXIT.usage);
        if (ids.length === 0) {
          output.answer({ heldBack: held }, () =>
            held.length === 0 ? ['Nothing waits to be confirmed.'] : [...activeLines(held), '', HOW],
          );
          return undefined;
        }
        if (isNodeRunning(dataDir)) {
          const link = await linkToNode(dataDir);
          try {
            if (link.how !== 'api') throw new CommandError(`a node runs on ${dataDir}: stop it first`, EXIT.busy);
            const { problem } = await link.order(flags.drop ? 'dropHeldBack' : 'confirmHeldBack', { ids });
            if (problem !== null) throw new CommandError(problem.message);
          } finally {
            await link.close();
          }
        } else {
          const unlock = lockDataDir(dataDir);
          try {
            if (flags.drop) dropHeldBack(dataDir, ids);
            else releaseHeldBack({ dataDir, settingsFile }, ids);
          } finally {
            unlock();
          }
        }
        const done = held.filter(({ id }) => ids.includes(id));
        output.answer({ [flags.drop ? 'dropped' : 'confirmed']: done }, () => [
          flags.drop
            ? 'Forgotten:'
            : 'Confirmed, in force from the next start of the node (a running one starts again now):',
          '',
          ...activeLines(done),
        ]);
        return undefined;
      }),
    );
};

const HOW = 'Confirm them with "wellhouse confirm --all", or forget them with "--all --drop".';

import type { AddCommand } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';

/** `rollback`: the installed `wellhouse` does it itself (packaging/node/rollback.sh). It is here for the help. */
export const addRollback: AddCommand = (program, act) => {
  program
    .command('rollback')
    .description('reinstall the version from before the last upgrade (only if the node was installed from its package)')
    .option('--yes', 'also if the upgrade changed the stores: restores the backup from before the upgrade')
    .action(
      act<[object]>(async () => {
        throw new CommandError(
          'this program was not installed from its package, so there is no earlier version to go back to',
          EXIT.place,
        );
      }),
    );
};

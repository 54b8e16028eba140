import type { AddCommand } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';

/** `rollback`: what the installed `wellhouse` does itself (packaging/node/rollback.sh); here for the help. */
export const addRollback: AddCommand = (program, act) => {
  program
    .command('rollback')
    .description('install the version before the last upgrade again, where the node was installed from its package')
    .option('--yes', 'also where the stores have changed since: the backup of before the upgrade takes their place')
    .action(
      act<[object]>(async () => {
        throw new CommandError(
          'this program was not installed from its package, so there is no version before it to go back to',
          EXIT.place,
        );
      }),
    );
};

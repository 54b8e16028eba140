import { linkOfRunningNode } from '../../owner/page/ui-address.ts';
import type { AddCommand } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';

/** `ui`: the link of the owner's view. */
export const addUi: AddCommand = (program, act) => {
  program
    .command('ui')
    .description("print the link of the owner's view of the running node; it is as secret as a password")
    .action(
      act<[object]>(async ({ dataDir, isDesktop, output }) => {
        const link = linkOfRunningNode(dataDir, isDesktop);
        if (link === null) throw new CommandError(`no node runs on ${dataDir}; start one with --ui`, EXIT.place);
        output.answer({ link }, () => [link]);
        return undefined;
      }),
    );
};

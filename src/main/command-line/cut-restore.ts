import { isRestoreCutOff } from '../care/swap.ts';
import { CommandError, EXIT } from './exit-codes.ts';

/** Throws CommandError if a restore of a folder was cut off, for commands that only read. */
export function refuseCutRestore(dataDir: string): void {
  if (!isRestoreCutOff(dataDir)) return;
  throw new CommandError(
    `a restore of ${dataDir} was cut off: start the node, or restore again, and it is finished first`,
    EXIT.busy,
  );
}

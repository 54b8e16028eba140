import type { AddCommand } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { table, when } from '../output.ts';
import { withOperator } from '../with-operator.ts';
import { keyOf } from './forget.ts';

const LONGEST_REASON = 200;

/** `block`: blocks a key in a store that nodes share, from the next telemetry block on. */
export const addBlock: AddCommand = (program, act) => {
  program
    .command('block')
    .argument('[key]', 'public key of a device, or of an owner for all of their devices; without one, they are listed')
    .description('take nothing more of a device or an owner into the public store in PostgreSQL')
    .option('--reason <text>', 'why, for the list', '')
    .option('--lift', 'take it in again')
    .action(
      act<[string | undefined, { reason: string; lift?: true }]>(async (context, typed, { reason, lift }) => {
        const { output } = context;
        if (reason.length > LONGEST_REASON) {
          throw new CommandError(`a reason has at most ${LONGEST_REASON} characters`, EXIT.usage);
        }
        if (typed === undefined) {
          if (lift) throw new CommandError('name the key that is no longer blocked', EXIT.usage);
          const blocked = await withOperator(context, (operator) => operator.blocked());
          output.answer({ blocked }, () =>
            blocked.length === 0
              ? ['No key is blocked.']
              : table(
                  ['key', 'since', 'reason'],
                  blocked.map((each) => [each.key, when(each.at), each.reason]),
                ),
          );
          return undefined;
        }
        const key = keyOf(typed);
        if (lift) {
          const was = await withOperator(context, (operator) => operator.unblock(key));
          if (!was) throw new CommandError('this key is not blocked', EXIT.place, null, 'not_blocked');
          output.answer({ lifted: key }, () => ['It is taken in again.']);
          return undefined;
        }
        const devices = await withOperator(context, async (operator) => {
          await operator.block(key, reason);
          return (await operator.devicesOf(key, 1000)).length;
        });
        output.answer({ blocked: key, devices }, () => [
          `Blocked at all nodes: ${devices === 0 ? 'the store has no device of this key' : `devices of this key in the store: ${devices}`}. What was stored stays: "wellhouse forget" deletes it.`,
        ]);
        return undefined;
      }),
    );
};

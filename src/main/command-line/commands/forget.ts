import { isPublicKeyHex } from '../../../shared/protocol/primitives.ts';
import type { AddCommand } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { withOperator } from '../with-operator.ts';
import { withSignal } from '../with-signal.ts';

/** The readings that one step deletes. Posts of devices wait for a step, so it must take only some milliseconds. */
const READINGS_AT_ONCE = 500;
const DEVICES_AT_ONCE = 100;
const STOPPED = 'stopped: what was deleted is gone; run the same command again to go on';

/** `forget`: deletes devices from a store that nodes share, while they run. */
export const addForget: AddCommand = (program, act) => {
  program
    .command('forget')
    .argument('<key>', 'public key of a device, or with --owner of an owner: all 64 hex digits')
    .description('delete a device with its readings from the public store in PostgreSQL, in small steps')
    .option('--owner', 'all devices of an owner')
    .action(
      act<[string, { owner?: true }]>(async (context, typed, flags) => {
        const key = keyOf(typed);
        const done = await withOperator(context, (operator) =>
          withSignal(STOPPED, async (signal) => {
            const total = { devices: 0, readings: 0 };
            for (;;) {
              const ids = (await operator.devicesOf(key, DEVICES_AT_ONCE)).filter((id) => flags.owner || id === key);
              for (const id of ids) {
                for (let isDone = false; !isDone; ) {
                  signal.throwIfAborted();
                  const step = await operator.forget(id, READINGS_AT_ONCE);
                  total.readings += step.readings;
                  isDone = step.isDone;
                  context.output.bar('readings', total.readings, 0);
                }
                total.devices += 1;
              }
              if (ids.length === 0 || !flags.owner) return total;
            }
          }),
        );
        if (done.devices === 0) {
          const what = flags.owner ? 'no device of this owner' : 'not this device';
          throw new CommandError(`the store has ${what}`, EXIT.place, null, 'unknown_device');
        }
        context.output.answer(done, () => [
          `Deleted ${done.devices === 1 ? 'the device' : `${done.devices} devices`} with ${done.readings} readings. A device that goes on posting may register again: "wellhouse block" keeps it out.`,
        ]);
        return undefined;
      }),
    );
};

/** Returns a typed public key in lower case. Throws CommandError if it is invalid. */
export function keyOf(typed: string): string {
  if (!isPublicKeyHex(typed)) throw new CommandError('a key has 64 hex digits', EXIT.usage);
  return typed.toLowerCase();
}

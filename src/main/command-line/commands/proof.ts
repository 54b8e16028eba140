import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { MAX_UINT64 } from '../../../shared/protocol/uint64.ts';
import { NewFile } from '../../care/export/sink.ts';
import { LogSigner } from '../../proof/log-key.ts';
import { writeProof } from '../../proof/write-proof.ts';
import type { AddCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { pickDevice } from '../find-device.ts';
import { pairs } from '../output.ts';
import { openFolder } from '../own-node.ts';
import { readTime } from '../times.ts';

interface ProofFlags {
  readonly output: string;
  readonly from?: string;
  readonly to?: string;
  readonly store?: StoreName;
}

/** `proof`: of readings of one device, for others to verify, also while the node runs. */
export const addProof: AddCommand = (program, act) => {
  program
    .command('proof')
    .argument('<device>', 'the name of a device, its id, or the start of its id if no other id starts like that')
    .description('write readings of a device with what proves them, for others to verify')
    .requiredOption('-o, --output <file>', 'the file that is made')
    .option('--from <time>', 'measured from this time on: 3d (ago), 2026-05-01')
    .option('--to <time>', 'measured up to this time')
    .addOption(
      new Option(
        '--store <store>',
        'the store whose log proves them (default: the private one if it has the device)',
      ).choices(['private', 'public'] satisfies StoreName[]),
    )
    .action(
      act<[string, ProofFlags]>(async (context, device, flags) => {
        const file = resolve(flags.output);
        if (existsSync(file)) throw new CommandError(`${file} is there already`, EXIT.place);
        const { id, store, readings, leftOut, size } = await write(context, device, file, flags);
        context.output.answer({ file, device: id, store, readings, leftOut, treeSize: size }, () => [
          ...pairs([
            ['file', file],
            ['device', id],
            ['store', store],
            ['readings', readings],
            ['left out', leftOut],
          ]),
          ...(leftOut === 0
            ? []
            : [
                '',
                'What is left out was stored by an earlier version, or less than a minute ago: it is not in the log.',
              ]),
        ]);
        return undefined;
      }),
    );
};

async function write({ dataDir }: Context, name: string, file: string, flags: ProofFlags) {
  const now = Date.now();
  const from = flags.from === undefined ? 0n : BigInt(readTime(flags.from, now));
  const to = flags.to === undefined ? MAX_UINT64 : BigInt(readTime(flags.to, now));
  if (from > to) throw new CommandError(`--from ${flags.from} is later than --to ${flags.to}`, EXIT.usage);
  const opened = await openFolder(dataDir);
  try {
    const known = await opened.reader.snapshot((stores) => stores.devices());
    const named = known.map(({ id, notes, entries }) => ({ id, notes, name: entries[0]?.device.name ?? '' }));
    const { id } = pickDevice(named, name);
    const stores = known.find((device) => device.id === id)!.entries.map((entry) => entry.store);
    const store = flags.store ?? stores[0]!;
    if (!stores.includes(store)) throw new CommandError(`the ${store} store does not have this device`, EXIT.usage);
    let target: NewFile;
    try {
      target = new NewFile(file);
    } catch (error) {
      throw new CommandError(`${file} can't be written (${(error as Error).message})`, EXIT.place);
    }
    try {
      const signer = new LogSigner(dataDir);
      const order = { store, device: id, from, to };
      const written = await writeProof(opened.reader, signer, order, (lines) => target.write(Buffer.from(lines)));
      target.finish();
      return { id, store, ...written };
    } catch (error) {
      target.discard();
      throw error;
    }
  } finally {
    await opened.close();
  }
}

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { deriveFieldKey } from '../../../shared/crypto/keyring/field-key.ts';
import { NonceRegistry } from '../../../shared/crypto/keyring/nonce-registry.ts';
import { deriveOwner, matchOwner } from '../../../shared/crypto/phrase/owner-key.ts';
import { openEntries } from '../../../shared/proof/opened.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { MAX_UINT64 } from '../../../shared/protocol/uint64.ts';
import type { Settings } from '../../../shared/settings/table.ts';
import { NewFile } from '../../care/export/sink.ts';
import { LogSigner, sha256 } from '../../proof/log-key.ts';
import { writeProof } from '../../proof/write-proof.ts';
import type { AddCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { pickDevice } from '../find-device.ts';
import { type Output, pairs } from '../output.ts';
import { openFolder, requireNode } from '../own-node.ts';
import { ownerSecret } from '../secrets.ts';
import { readTime } from '../times.ts';
import { openSharedLog } from '../with-operator.ts';

interface ProofFlags {
  readonly output: string;
  readonly from?: string;
  readonly to?: string;
  readonly store?: StoreName;
  readonly opened?: true;
  readonly phraseFile?: string;
}

/** `proof`: writes a proof of one device's readings for others to verify. Works while the node runs. */
export const addProof: AddCommand = (program, act) => {
  program
    .command('proof')
    .argument('<device>', 'the name of a device, its id, or the start of its id if no other id starts like that')
    .description('write readings of a device with what proves them, for others to verify')
    .requiredOption('-o, --output <file>', 'the file that is made')
    .option('--from <time>', 'measured from this time on: 3d (ago), 2026-05-01')
    .option('--to <time>', 'measured up to this time')
    .option('--opened', "add the values of sealed fields, opened and signed with the owner's phrase")
    .option('--phrase-file <file>', "the owner's phrase for --opened; - is standard input")
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
        if (flags.phraseFile !== undefined && !flags.opened) {
          throw new CommandError('--phrase-file needs --opened', EXIT.usage);
        }
        const { id, store, readings, leftOut, opened, size } = await write(context, device, file, flags);
        context.output.answer({ file, device: id, store, readings, leftOut, opened, treeSize: size }, () => [
          ...pairs([
            ['file', file],
            ['device', id],
            ['store', store],
            ['readings', readings],
            ['left out', leftOut],
            ...(flags.opened ? [['opened', opened] as const] : []),
          ]),
          ...(opened === 0
            ? []
            : [
                '',
                'Anyone who has the file can read the opened values. Your key is not in it: all other values stay sealed.',
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

async function write({ dataDir, settings, output }: Context, name: string, file: string, flags: ProofFlags) {
  const now = Date.now();
  const from = flags.from === undefined ? 0n : BigInt(readTime(flags.from, now));
  const to = flags.to === undefined ? MAX_UINT64 : BigInt(readTime(flags.to, now));
  if (from > to) throw new CommandError(`--from ${flags.from} is later than --to ${flags.to}`, EXIT.usage);
  const opened = await openStore(dataDir, settings, flags.store);
  try {
    const known = await opened.reader.snapshot((stores) => stores.devices());
    const named = known.map(({ id, notes, entries }) => ({ id, notes, name: entries[0]?.device.name ?? '' }));
    const { id } = pickDevice(named, name);
    const stores = known.find((device) => device.id === id)!.entries.map((entry) => entry.store);
    const store = flags.store ?? stores[0]!;
    if (!stores.includes(store)) throw new CommandError(`the ${store} store does not have this device`, EXIT.usage);
    const { ownerPubkey } = known.find((device) => device.id === id)!.entries[0]!.device;
    const open = flags.opened ? await openerOf(flags, output, id, ownerPubkey) : undefined;
    let target: NewFile;
    try {
      target = new NewFile(file);
    } catch (error) {
      throw new CommandError(`${file} can't be written (${(error as Error).message})`, EXIT.place);
    }
    try {
      const signer = new LogSigner(dataDir);
      const order = { store, device: id, from, to };
      const written = await writeProof(opened.reader, signer, order, (lines) => target.write(Buffer.from(lines)), open);
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

/**
 * Returns a function that opens and signs entries with the phrase from the file or the terminal. Throws CommandError if
 * it is not the phrase of the device's owner.
 */
async function openerOf(flags: ProofFlags, output: Output, id: string, ownerPubkey: string) {
  const { match } = matchOwner([deriveOwner('typed', await ownerSecret(flags, output))], ownerPubkey);
  if (match === null) throw new CommandError("this phrase is not that of the device's owner", EXIT.key);
  const { seed } = match.key;
  const keysOf = (keyVersion: number) => [deriveFieldKey(seed, Buffer.from(id, 'hex'), keyVersion)];
  const opener = { seed, keysOf, nonces: new NonceRegistry(), sha256 };
  return (entries: readonly string[]): readonly (string | null)[] => {
    const { lines, overturned } = openEntries(entries, opener);
    const [copy] = overturned;
    if (copy === undefined) return lines;
    throw new CommandError(
      `reading ${copy.seq} has a sealed value that is a copy of another one's: leave it out with --from and --to`,
      EXIT.damaged,
    );
  };
}

/** Opens the store. A shared public store is read from its database, if it is requested or there is no other store. */
async function openStore(dataDir: string, { localEnabled, publicStoreUrl }: Settings, store: StoreName | undefined) {
  if (publicStoreUrl === null || (localEnabled && store !== 'public')) return openFolder(dataDir);
  requireNode(dataDir);
  const reader = await openSharedLog(publicStoreUrl);
  return { reader, close: () => reader.close() };
}

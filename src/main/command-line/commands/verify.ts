import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isIntact } from '../../../shared/crypto/keystore/keystore-format.ts';
import { hasData } from '../../data-folder/data-folder.ts';
import { readPublicKey } from '../../data-folder/identity.ts';
import { engineOf } from '../../store/engines.ts';
import { locationsIn } from '../../store/locations.ts';
import type { AddCommand } from '../command.ts';
import { refuseCutRestore } from '../cut-restore.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { table } from '../output.ts';
import { checkStores, logLines } from '../proofs/check-stores.ts';
import { verifyProof } from '../proofs/verify-proof.ts';

interface Finding {
  readonly what: string;
  readonly isSound: boolean;
  readonly found: string;
}

interface VerifyFlags {
  readonly store?: true;
  readonly log?: string;
}

/** `verify`: checks a proof, or the node's own data. Works while the node runs. */
export const addVerify: AddCommand = (program, act) => {
  program
    .command('verify')
    .argument('[file]', 'a proof that "proof" wrote; without one, the data of the node is checked')
    .description("check a proof, or the node's own data: every page of the stores, the identity, the owner's keystore")
    .option('--log <key>', "with a proof: refuse it if the log's key is not this one")
    .option('--store', 'without a file: also compare every reading with the log, and check every signature')
    .action(
      act<[string | undefined, VerifyFlags]>(async (context, file, flags) => {
        const { dataDir, output } = context;
        if (file !== undefined && flags.store) throw new CommandError('--store takes no file', EXIT.usage);
        if (file === undefined && flags.log !== undefined) throw new CommandError('--log needs a proof', EXIT.usage);
        if (file !== undefined) return await verifyProof(resolve(file), flags.log ?? null, output);
        refuseCutRestore(dataDir);
        if (!hasData(dataDir)) throw new CommandError(`there is no node in ${dataDir}`, EXIT.place);
        const findings: Finding[] = [await attempt('identity', () => readPublicKey(dataDir))];
        for (const name of ['private', 'public'] as const) {
          const location = locationsIn(dataDir)[name];
          const engine = engineOf(location);
          if (!(await engine.exists(location))) continue;
          const look = async () => {
            const { devices, readings, version } = await engine.snapshots.inspect(location, name);
            return `${devices} devices, ${readings} readings, version ${version}`;
          };
          findings.push(await attempt(`${name} store`, look));
        }
        const keystorePath = join(dataDir, 'keystore.wellhouse');
        if (existsSync(keystorePath)) findings.push(await attempt('keystore', () => keystore(keystorePath)));
        const logs = flags.store ? await checkStores(context) : [];
        findings.push(...logs.map(({ finding }) => finding));
        output.answer({ dataDir, findings, logs: logs.map(({ store, check }) => ({ store, ...check })) }, () => [
          ...table(
            ['', 'state', 'found'],
            findings.map(({ what, isSound, found }) => [what, isSound ? 'sound' : 'DAMAGED', found]),
          ),
          ...logs.flatMap(({ store, check }) => ['', ...logLines(store, check)]),
          ...(flags.store ? [] : ['', 'Signatures and the log are checked with --store.']),
        ]);
        return findings.every(({ isSound }) => isSound) ? undefined : EXIT.damaged;
      }),
    );
};

function keystore(path: string): string {
  const bytes = readFileSync(path);
  if (!isIntact(bytes)) throw new Error('its checksum is not right');
  return `${bytes.length} bytes, sealed`;
}

async function attempt(what: string, look: () => string | Promise<string>): Promise<Finding> {
  try {
    return { what, isSound: true, found: await look() };
  } catch (error) {
    return { what, isSound: false, found: (error as Error).message };
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isIntact } from '../../../shared/crypto/keystore/keystore-format.ts';
import { hasData } from '../../data-folder/data-folder.ts';
import { readPublicKey } from '../../data-folder/identity.ts';
import { engineOf } from '../../store/engines.ts';
import { locationsIn } from '../../store/locations.ts';
import type { AddCommand } from '../command.ts';
import { refuseCutRestore } from '../cut-restore.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { table } from '../output.ts';

interface Finding {
  readonly what: string;
  readonly isSound: boolean;
  readonly found: string;
}

/** `verify`: of what is in use, also while the node runs. */
export const addVerify: AddCommand = (program, act) => {
  program
    .command('verify')
    .description("check the node's own data: every page of the stores, the identity, the owner's keystore")
    .action(
      act<[object]>(async ({ dataDir, output }) => {
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
        output.answer({ dataDir, findings, signatures: 'not kept' }, () => [
          ...table(
            ['', 'state', 'found'],
            findings.map(({ what, isSound, found }) => [what, isSound ? 'sound' : 'DAMAGED', found]),
          ),
          '',
          'Signatures are checked when a block arrives, and are not kept.',
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

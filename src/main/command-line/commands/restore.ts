import { resolve } from 'node:path';
import { encryptionOfFile } from '../../care/archive/read-archive.ts';
import { careError } from '../../care/care-error.ts';
import { restoreBackup, undoRestore } from '../../care/restore/restore.ts';
import { isNodeRunning } from '../../data-folder/node-lock.ts';
import type { AddCommand } from '../command.ts';
import { contentLines, twinWarning } from '../contents.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { openerFor, type SecretFlags } from '../secrets.ts';

interface RestoreFlags extends SecretFlags {
  readonly replace?: true;
  readonly undo?: true;
}

/** `restore`, while no node runs on the folder. */
export const addRestore: AddCommand = (program, act) => {
  program
    .command('restore')
    .argument('[backup]', 'the file')
    .description("put a backup into the node's folder; data that is there is kept beside, under a name with the time")
    .option('--replace', 'put data aside that is there; without it only an empty folder is taken')
    .option('--undo', 'put the data back that the latest restore put aside')
    .option('--phrase-file <file>', "the owner's phrase, or its age identity; - is standard input")
    .option('--passphrase-file <file>', 'the passphrase')
    .action(
      act<[string | undefined, RestoreFlags]>(async (context, file, flags) => {
        const { output, dataDir, settingsFile } = context;
        if ((file === undefined) === (flags.undo === undefined))
          throw new CommandError('name a backup, or say --undo', EXIT.usage);
        if (isNodeRunning(dataDir)) throw new CommandError(`a node runs on ${dataDir}: stop it first`, EXIT.busy);
        if (file === undefined) {
          const aside = undoRestore({ dataDir, settingsFile });
          output.answer({ dataDir, aside }, () => [
            `${dataDir} is as it was before the restore; what was restored is in ${aside ?? 'no place'}.`,
          ]);
          return undefined;
        }
        const backup = resolve(file);
        const encryption = await encryptionOfFile(backup).catch((error: unknown) => {
          throw careError(error, `${backup} can’t be read`);
        });
        const opener = await openerFor(encryption, flags, output);
        const order = { backup, opener, dataDir, settingsFile, replace: flags.replace ?? false };
        const { manifest, aside, isOlder } = await restoreBackup(order, {
          onProgress: (progress) => output.progress(progress),
        });
        output.answer({ backup, dataDir, aside, isOlder, manifest }, () => [
          `Restored into ${dataDir}:`,
          '',
          ...contentLines(manifest),
          '',
          ...(aside === null ? [] : [`What was there is in ${aside}; "restore --undo" puts it back.`]),
          'Start the node: devices send again what it does not have.',
        ]);
        output.note(twinWarning(manifest, dataDir));
        return undefined;
      }),
    );
};

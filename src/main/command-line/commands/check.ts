import { resolve } from 'node:path';
import { encryptionOfFile } from '../../care/archive/read-archive.ts';
import { backupsIn } from '../../care/backup/backup-folder.ts';
import { careError } from '../../care/care-error.ts';
import { checkBackup } from '../../care/restore/restore.ts';
import type { AddCommand } from '../command.ts';
import { activeLines, contentLines, twinWarning } from '../contents.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { openerFor, type SecretFlags } from '../secrets.ts';

/** `check`: a drill of a restore. */
export const addCheck: AddCommand = (program, act) => {
  program
    .command('check')
    .argument('[backup]', 'the file; by default the newest in the backup folder')
    .description('open a backup, check every byte, and show what a restore would bring back; changes nothing')
    .option('--phrase-file <file>', "the owner's phrase, or its age identity; - is standard input")
    .option('--passphrase-file <file>', 'the passphrase')
    .action(
      act<[string | undefined, SecretFlags]>(async (context, file, flags) => {
        const { output, dataDir } = context;
        const path = file === undefined ? await newestBackup(context) : resolve(file);
        const encryption = await encryptionOfFile(path).catch((error: unknown) => {
          throw careError(error, `${path} can’t be read`);
        });
        const opener = await openerFor(encryption, flags, output);
        const { manifest, isOlder, active } = await checkBackup(path, opener, dataDir, {
          onProgress: (progress) => output.progress(progress),
        });
        output.answer({ path, encryption, isOlder, manifest, active }, () => [
          `${path} is whole: every byte was read, and its stores were opened and checked.`,
          '',
          ...contentLines(manifest),
          '',
          ...(active.length === 0 ? [] : ['It listens, sends or lets others in here:', '', ...activeLines(active), '']),
          ...(isOlder ? ['Its stores are of an older version: a restore brings them up to date.'] : []),
          'A restore would bring back these. Nothing was changed.',
          twinWarning(manifest, dataDir),
        ]);
        return undefined;
      }),
    );
};

async function newestBackup({ settings }: Context): Promise<string> {
  const { backupFolder } = settings;
  if (backupFolder === null) throw new CommandError('name a backup: the settings have no backup folder', EXIT.place);
  let newest: string | undefined;
  try {
    newest = (await backupsIn(backupFolder, null))[0]?.path;
  } catch (error) {
    throw careError(error, `the backup folder ${backupFolder} can’t be read`, 'no_folder');
  }
  if (newest === undefined) throw new CommandError(`there is no backup in ${backupFolder}`, EXIT.place);
  return newest;
}

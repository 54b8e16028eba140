import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { isBackupRecipient } from '../../../shared/crypto/age-keys.ts';
import type { Lock } from '../../care/archive/encryption.ts';
import { isOnDataDisk } from '../../care/backup/backup-folder.ts';
import { backupBeforeUpgrade } from '../../care/backup/before-migration.ts';
import { confirmBackupFolder } from '../../care/backup/folder-guard.ts';
import { runBackup } from '../../care/backup/run-backup.ts';
import { notePath } from '../../care/restore/restore.ts';
import type { AddCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { pairs, size, when } from '../output.ts';
import { requireNode } from '../own-node.ts';
import { record } from '../record.ts';
import { identityFrom, newPassphrase, type SecretFlags } from '../secrets.ts';

interface BackupFlags extends SecretFlags {
  readonly to?: string;
  readonly phrase?: true;
  readonly recipient?: string;
  readonly passphrase?: true;
  readonly plain?: true;
  readonly beforeUpgrade?: true;
  readonly takePlace?: true;
}

/** The warning about a backup folder on the disk with the data. */
export const SAME_DISK = 'if that disk fails, data and backups are lost together';

/** `backup`: makes a backup. Works while the node runs. */
export const addBackup: AddCommand = (program, act) => {
  program
    .command('backup')
    .description('make a backup and check it; the node may be running')
    .option('--to <folder>', 'an existing folder; by default the backup folder of the settings')
    .option('--phrase', "encrypt it to the owner's phrase, and ask for the phrase")
    .option('--phrase-file <file>', 'the same, and read the phrase from a file; - is standard input')
    .option('--recipient <age1…>', 'encrypt it to an age recipient')
    .option('--passphrase', 'encrypt it with a passphrase, and ask for it')
    .option('--passphrase-file <file>', 'the same, and read the passphrase from a file')
    .option('--plain', 'do not encrypt it: anybody with the file has the data and the identity of the node')
    .option('--before-upgrade', 'write an unencrypted backup into the data folder, as packages do before an upgrade')
    .option(
      '--take-place',
      'confirm that the backup folder of the settings belongs to this node: after a restore this node replaces the original, or the folder is now on another disk',
    )
    .action(
      act<[BackupFlags]>(async (context, flags) => {
        const { settings, output, dataDir, settingsFile } = context;
        if (flags.beforeUpgrade) {
          const { path, bytes } = await backupBeforeUpgrade({ dataDir, settingsFile });
          await record(context, 'backup_made', { path, reason: 'upgrade', encryption: 'none' });
          output.answer({ path, bytes }, () => pairs([['backup', path]]));
          return undefined;
        }
        const isScheduled =
          flags.to === undefined ||
          (settings.backupFolder !== null && resolve(flags.to) === resolve(settings.backupFolder));
        const folder = flags.to ?? settings.backupFolder;
        if (folder === null)
          throw new CommandError('name a folder with --to: the settings have no backup folder', EXIT.place);
        if (flags.takePlace) {
          if (!isScheduled) throw new CommandError('--take-place is for the folder of the settings', EXIT.usage);
          await confirmBackupFolder(resolve(folder), dataDir);
          rmSync(notePath(dataDir), { force: true });
          await record(context, 'backup_folder_confirmed', { path: resolve(folder) });
          const { backupRecipient: to } = settings;
          const how = to === null ? 'not encrypted' : `encrypted to ${to}`;
          output.note(`${folder} is the backup folder of this node from now on; its backups are ${how}.`);
        }
        const lock = await lockOf(flags, context, isScheduled);
        requireNode(dataDir);
        const keep = isScheduled
          ? { daily: settings.backupKeepDaily, weekly: settings.backupKeepWeekly, monthly: settings.backupKeepMonthly }
          : null;
        const order = { dataDir, settingsFile, folder: resolve(folder), reason: 'demand', lock, keep } as const;
        const made = await runBackup(order, { onProgress: (progress) => output.progress(progress) });
        // The warning comes after the backup: a refused backup needs none.
        if (lock === null)
          output.note('This backup is not encrypted: anybody with the file has the data and the identity of the node.');
        if (await isOnDataDisk(folder, dataDir)) output.note(`${folder} is on the data's own disk: ${SAME_DISK}`);
        const { manifest, path, bytes, durationMs, deleted } = made;
        await record(context, 'backup_made', { path, reason: 'demand', encryption: lock?.kind ?? 'none' });
        const { stores } = manifest;
        const readings = stores.private.readings + (stores.public?.readings ?? 0);
        output.answer({ path, bytes, durationMs, encryption: lock?.kind ?? 'none', deleted, manifest }, () =>
          pairs([
            ['backup', path],
            ['made', when(manifest.madeAt)],
            ['size', size(bytes)],
            ['took', `${(durationMs / 1000).toFixed(1)} s`],
            ['readings', readings],
            [
              'encrypted',
              lock === null ? 'no' : lock.kind === 'passphrase' ? 'with the passphrase' : `to ${lock.recipient}`,
            ],
            ['checked', 'read back, every byte; stores opened and counted'],
            ...(deleted.length > 0 ? ([['deleted', `${deleted.length} older`]] as const) : []),
          ]),
        );
        return undefined;
      }),
    );
};

async function lockOf(flags: BackupFlags, { settings, output }: Context, isScheduled: boolean): Promise<Lock> {
  const said = [
    flags.phrase ?? flags.phraseFile,
    flags.recipient,
    flags.passphrase ?? flags.passphraseFile,
    flags.plain,
  ];
  if (said.filter((flag) => flag !== undefined).length > 1)
    throw new CommandError('choose one way to encrypt it', EXIT.usage);
  if (flags.plain) return null;
  if (flags.passphrase || flags.passphraseFile !== undefined) {
    return { kind: 'passphrase', passphrase: await newPassphrase(flags, output) };
  }
  if (flags.phrase || flags.phraseFile !== undefined) {
    const { identityToRecipient } = await import('age-encryption');
    return { kind: 'recipient', recipient: await identityToRecipient(await identityFrom(flags, output)) };
  }
  const recipient = flags.recipient ?? settings.backupRecipient;
  if (recipient === null) {
    if (isScheduled) return null;
    throw new CommandError('say how it is encrypted: --phrase, --recipient, --passphrase, or --plain', EXIT.usage);
  }
  if (!isBackupRecipient(recipient)) throw new CommandError(`${recipient} is not an age recipient (age1…)`, EXIT.usage);
  return { kind: 'recipient', recipient };
}

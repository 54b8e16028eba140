import { resolve } from 'node:path';
import { encryptionOfFile } from '../../care/archive/read-archive.ts';
import { careError } from '../../care/care-error.ts';
import { restoreBackup, undoRestore } from '../../care/restore/restore.ts';
import { healthOf } from '../../care/restore-health.ts';
import { isNodeRunning } from '../../data-folder/node-lock.ts';
import type { AddCommand } from '../command.ts';
import { contentLines, heldBackLines, twinWarning } from '../contents.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts';
import { record } from '../record.ts';
import { openerFor, type SecretFlags, saidYes } from '../secrets.ts';

interface RestoreFlags extends SecretFlags {
  readonly replace?: true;
  readonly undo?: true;
  readonly keepVersion?: true;
}

/** `restore`: restores a backup. No node may run on the folder. */
export const addRestore: AddCommand = (program, act) => {
  program
    .command('restore')
    .argument('[backup]', 'the file')
    .description('restore a backup into the data folder; existing data is kept beside it, under a name with the time')
    .option('--replace', 'move existing data aside; without this option the data folder must be empty')
    .option(
      '--keep-version',
      'do not upgrade stores of an older version: to go back to the older program after an upgrade',
    )
    .option('--undo', 'put back the data that the latest restore moved aside')
    .option('--phrase-file <file>', "the owner's phrase, or its age identity; - is standard input")
    .option('--passphrase-file <file>', 'the passphrase')
    .action(
      act<[string | undefined, RestoreFlags]>(async (context, file, flags) => {
        const { output, dataDir, settingsFile } = context;
        if ((file === undefined) === (flags.undo === undefined))
          throw new CommandError('name a backup, or use --undo', EXIT.usage);
        if (isNodeRunning(dataDir)) throw new CommandError(`a node runs on ${dataDir}: stop it first`, EXIT.busy);
        if (file === undefined) {
          const aside = undoRestore({ dataDir, settingsFile });
          await record(context, 'restore_undone');
          output.answer({ dataDir, aside }, () => [
            `${dataDir} is as it was before the restore; the restored data is in ${aside ?? 'no place'}.`,
          ]);
          return undefined;
        }
        const backup = resolve(file);
        const encryption = await encryptionOfFile(backup).catch((error: unknown) => {
          throw careError(error, `${backup} can’t be read`);
        });
        const opener = await openerFor(encryption, flags, output);
        const version = flags.keepVersion ? 'kept' : 'present';
        const order = { backup, opener, dataDir, settingsFile, replace: flags.replace ?? false, version } as const;
        const { manifest, aside, isOlder, heldBack } = await restoreBackup(order, {
          onProgress: (progress) => output.progress(progress),
        });
        await record(context, 'restored', { path: backup });
        if (flags.keepVersion && isOlder) {
          output.answer({ backup, dataDir, aside, isOlder, health: null, manifest, heldBack }, () => [
            `Restored into ${dataDir}, with stores of the version that Wellhouse ${manifest.program} wrote:`,
            '',
            ...contentLines(manifest),
            '',
            ...heldBackLines(heldBack),
            ...(aside === null ? [] : [`The earlier data is in ${aside}; "restore --undo" puts it back.`]),
            `Start Wellhouse ${manifest.program} on it. A newer one brings the stores up to date again.`,
          ]);
          output.note(twinWarning(manifest, dataDir));
          return undefined;
        }
        output.bar('opening', 0, 0);
        const health = await healthOf(dataDir);
        const isHealthy = health.state === 'healthy';
        output.answer({ backup, dataDir, aside, isOlder, health, manifest, heldBack }, () => [
          `Restored into ${dataDir}:`,
          '',
          ...contentLines(manifest),
          '',
          ...heldBackLines(heldBack),
          ...(aside === null ? [] : [`The earlier data is in ${aside}; "restore --undo" puts it back.`]),
          ...(isHealthy
            ? ['It opens correctly. Start the node: devices send again the readings that it does not have.']
            : []),
        ]);
        if (!isHealthy) return await askToUndo(context, health.message, aside);
        output.note(twinWarning(manifest, dataDir));
        return undefined;
      }),
    );
};

/**
 * Asks whether to undo the restore. The restored data stays unless the user says yes: only the user knows which data is
 * worth more.
 */
async function askToUndo(context: Context, reason: string | null, aside: string | null): Promise<ExitCode> {
  const { output, dataDir, settingsFile } = context;
  output.note(`wellhouse: the restored node does not come up: ${reason}`);
  if (aside === null) {
    output.note('Nothing was here before. Take another backup, with --replace.');
    return EXIT.failed;
  }
  if (process.stdin.isTTY && (await saidYes('Put back what was here before? [y/N] '))) {
    const restored = undoRestore({ dataDir, settingsFile });
    await record(context, 'restore_undone');
    output.note(`${dataDir} is as it was before; the restored data is in ${restored ?? 'no place'}.`);
  } else {
    output.note(`The restored data stays. "restore --undo" puts back what was here before, from ${aside}.`);
  }
  return EXIT.failed;
}

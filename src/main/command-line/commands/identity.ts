import { readPublicKey } from '../../data-folder/identity.ts';
import type { AddCommand } from '../command.ts';
import { refuseCutRestore } from '../cut-restore.ts';
import { pairs } from '../output.ts';
import { requireNode } from '../own-node.ts';
import { identityFrom, type SecretFlags } from '../secrets.ts';

interface IdentityFlags extends SecretFlags {
  readonly backupKey?: true;
}

/** `identity`: prints the node's public key, or the keys of the owner's backups. */
export const addIdentity: AddCommand = (program, act) => {
  program
    .command('identity')
    .description("print the node's public key")
    .option(
      '--backup-key',
      "print the age recipient that the owner's phrase gives, and the identity that opens its backups",
    )
    .option('--phrase-file <file>', 'the phrase in a file; - is standard input')
    .action(
      act<[IdentityFlags]>(async ({ dataDir, output }, flags) => {
        if (flags.backupKey) {
          const { identityToRecipient } = await import('age-encryption');
          const identity = await identityFrom(flags, output);
          const recipient = await identityToRecipient(identity);
          // The format of age's key files, in which lines with # are comments.
          output.answer({ recipient, identity }, () => [`# public key: ${recipient}`, identity]);
          return undefined;
        }
        requireNode(dataDir);
        refuseCutRestore(dataDir);
        const publicKey = readPublicKey(dataDir);
        output.answer({ publicKey, dataDir }, () =>
          pairs([
            ['public key', publicKey],
            ['data folder', dataDir],
          ]),
        );
        return undefined;
      }),
    );
};

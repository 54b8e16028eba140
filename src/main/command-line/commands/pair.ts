import type { Role } from '../../../shared/owner-api/method.ts';
import { ROLES } from '../../../shared/owner-api/method.ts';
import { showFingerprint, showPairingCode } from '../../../shared/pairing-link.ts';
import { collect } from '../collect.ts';
import type { AddCommand } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { findDevice } from '../find-device.ts';
import { linkToNode } from '../own-node.ts';

interface PairFlags {
  readonly role: string;
  readonly device?: readonly string[];
  readonly keys?: true;
  readonly log?: true;
}

/** `pair`: creates a code that admits a phone, a person or an app at the door. */
export const addPair: AddCommand = (program, act) => {
  program
    .command('pair')
    .argument('<name>', 'its name in the list of pairings')
    .description(
      'pair a phone, a person or an app with the door: prints a code, valid for ten minutes and one use, and its link',
    )
    .option('--role <role>', `${ROLES.join(' or ')}: a viewer sees plain readings and changes nothing`, 'viewer')
    .option(
      '--device <device>',
      'a device that the viewer may see, by name or id (default: all); may be repeated',
      collect,
    )
    .option('--log', 'let this viewer add entries to the log')
    .option('--keys', 'let this owner open the keystore there')
    .action(
      act<[string, PairFlags]>(async ({ output, dataDir }, name, { role, device, keys, log }) => {
        if (!isRole(role)) throw new CommandError(`--role takes ${ROLES.join(' or ')}, not ${role}`, EXIT.usage);
        const link = await linkToNode(dataDir);
        try {
          if (link.how !== 'api') {
            throw new CommandError(
              `no node with an owner's view runs on ${dataDir}`,
              EXIT.place,
              'start it with --ui',
              'no_node',
            );
          }
          const devices =
            device === undefined
              ? null
              : await Promise.all(device.map(async (each) => (await findDevice(link, each)).id));
          const opened = await link.order('openPairing', {
            name,
            role,
            devices,
            mayUnlock: keys === true,
            mayLog: log === true,
          });
          output.answer(opened, () => [
            `Code: ${showPairingCode(opened.code)}`,
            ...(opened.links.length === 1
              ? []
              : ['Links, one for each address of this machine, the most likely first:']),
            ...opened.links.map((each) => each.link),
            `Fingerprint (SHA-256): ${showFingerprint(opened.fingerprint)}`,
            'Valid for ten minutes and one use. Keep the link as secret as the code.',
          ]);
        } finally {
          await link.close();
        }
        return undefined;
      }),
    );
};

function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

import { hostname } from 'node:os';
import { sortedAddresses } from '../../owner/api/addresses.ts';
import { linkOfRunningNode } from '../../owner/page/ui-address.ts';
import type { AddCommand } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';

interface LinkFlags {
  readonly ssh?: true;
  readonly port: string;
}

/** Not 3001, because the owner's own computer may have a node, too. */
const FORWARDED_PORT = '13001';

/** `link`: prints the link of the owner's view. */
export const addLink: AddCommand = (program, act) => {
  program
    .command('link')
    .description("print the link of the owner's view of the running node; keep it secret, like a password")
    .option(
      '--ssh',
      'print how to open it on another computer: an ssh command that must keep running there, and the link',
    )
    .option('--port <port>', 'the port on the other computer', FORWARDED_PORT)
    .action(
      act<[LinkFlags]>(async ({ dataDir, isDesktop, output }, { ssh: isSsh, port }) => {
        const link = linkOfRunningNode(dataDir, isDesktop);
        if (link === null)
          throw new CommandError(`no node runs on ${dataDir}`, EXIT.place, 'start one with --ui', 'no_node');
        if (!isSsh) {
          output.answer({ link }, () => [link]);
          return undefined;
        }
        const { ssh, forwarded } = overSsh(link, portOf(port), process.env, hostHere());
        output.answer({ ssh, link: forwarded }, () => [
          'On the other computer, run this in a terminal and leave it open:',
          `  ${ssh}`,
          'Then open this there in the browser:',
          `  ${forwarded}`,
        ]);
        return undefined;
      }),
    );
};

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) {
    throw new CommandError(`${text} is not a port: use a number from 1 to 65535`, EXIT.usage);
  }
  return port;
}

/** Returns the command that forwards a link's port to another computer, and the link for that computer. */
export function overSsh(
  link: string,
  port: number,
  { SUDO_USER, USER }: Readonly<Record<string, string | undefined>>,
  host: string,
): { readonly ssh: string; readonly forwarded: string } {
  const forwarded = new URL(link);
  const target = forwarded.host;
  forwarded.port = String(port);
  // With sudo, uses the name of the user who typed it, since ssh seldom permits root.
  const user = [SUDO_USER, USER].find((name) => name !== undefined && name !== '' && name !== 'root') ?? 'USER';
  return { ssh: `ssh -N -L ${port}:${target} ${user}@${host}`, forwarded: forwarded.href };
}

/** Returns the address of this machine for others on its network. */
function hostHere(): string {
  const own = sortedAddresses().find(({ address, scope }) => scope === 'lan' && !address.includes(':'));
  return own?.address ?? hostname();
}

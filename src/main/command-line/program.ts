import { Command, CommanderError, Option } from 'commander';
import { VERSION } from '../common/version.ts';
import type { Act, AddCommand } from './command.ts';
import { addBackup } from './commands/backup.ts';
import { addCheck } from './commands/check.ts';
import { addCompletion } from './commands/completion.ts';
import { addDevices } from './commands/devices.ts';
import { addExport } from './commands/export.ts';
import { addHelp } from './commands/help.ts';
import { addIdentity } from './commands/identity.ts';
import { addImport } from './commands/import.ts';
import { addLink } from './commands/link.ts';
import { addPair } from './commands/pair.ts';
import { addReadings } from './commands/readings.ts';
import { addRestore } from './commands/restore.ts';
import { addRetention } from './commands/retention.ts';
import { addRollback } from './commands/rollback.ts';
import { addStatus } from './commands/status.ts';
import { addVerify } from './commands/verify.ts';
import { contextOf, failureOf, type GlobalFlags } from './context.ts';
import { EXIT } from './exit-codes.ts';

const HELP_WIDTH = 110;

/** The commands, in the order of the help. */
const COMMANDS: readonly AddCommand[] = [
  addStatus,
  addDevices,
  addReadings,
  addBackup,
  addCheck,
  addRestore,
  addVerify,
  addExport,
  addImport,
  addRetention,
  addRollback,
  addLink,
  addPair,
  addIdentity,
  addCompletion,
  addHelp,
];

/** Runs what the command line says; resolves with the exit code. */
export async function runCommand(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  let exitCode: number = EXIT.done;
  const act: Act =
    (work) =>
    async (...args) => {
      const command = args.at(-1) as Command;
      try {
        const context = contextOf(command.optsWithGlobals<GlobalFlags>(), env);
        exitCode = (await work(context, ...withoutCommand(args))) ?? EXIT.done;
      } catch (error) {
        const failure = failureOf(error);
        if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
        process.stderr.write(`wellhouse: ${failure.message}\n`);
        exitCode = failure.exitCode;
      }
    };
  const program = programWith(act);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return exitCode;
}

/** Commander gives the command itself after what was typed. */
function withoutCommand<Args extends unknown[]>(args: [...Args, Command]): Args {
  return args.slice(0, -1) as Args;
}

function programWith(act: Act): Command {
  const program = new Command('wellhouse')
    .description(`Looks after a Wellhouse node and its data (${VERSION}). DATA_DIR names the node's folder.`)
    .option('--data-dir <folder>', "the node's data folder, instead of DATA_DIR")
    .option('--desktop', "the desktop app's data folder and settings")
    .addOption(new Option('--json', 'answer in JSON, as also where the output is no terminal').conflicts('table'))
    .option('--table', 'answer in text, also where the output is no terminal')
    .helpOption('-h, --help', 'show this')
    .helpCommand(false)
    .version(VERSION, '--version', 'show the version')
    .configureHelp({ helpWidth: HELP_WIDTH })
    .configureOutput({ outputError: (text, write) => write(`wellhouse: ${text.replace('error: ', '')}`) })
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong command line, 3 damaged, 4 phrase or passphrase missing or wrong,\n' +
        '5 busy (another one runs), 6 file, folder or room missing, 7 made by another version.',
    )
    .exitOverride();
  for (const add of COMMANDS) add(program, act);
  // Commands that were made before take over what was set for all.
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

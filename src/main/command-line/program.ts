import { Command, CommanderError, Option } from 'commander';
import { VERSION } from '../common/version.ts';
import type { Act, AddCommand } from './command.ts';
import { addAudit } from './commands/audit.ts';
import { addBackup } from './commands/backup.ts';
import { addBlock } from './commands/block.ts';
import { addCheck } from './commands/check.ts';
import { addCompletion } from './commands/completion.ts';
import { addConfirm } from './commands/confirm.ts';
import { addDevices } from './commands/devices.ts';
import { addExport } from './commands/export.ts';
import { addForget } from './commands/forget.ts';
import { addHelp } from './commands/help.ts';
import { addIdentity } from './commands/identity.ts';
import { addImport } from './commands/import.ts';
import { addLink } from './commands/link.ts';
import { addLog } from './commands/log.ts';
import { addMovePublicStore } from './commands/move-public-store.ts';
import { addPair } from './commands/pair.ts';
import { addProof } from './commands/proof.ts';
import { addReadings } from './commands/readings.ts';
import { addRestore } from './commands/restore.ts';
import { addRetention } from './commands/retention.ts';
import { addRollback } from './commands/rollback.ts';
import { addStatus } from './commands/status.ts';
import { addSummary } from './commands/summary.ts';
import { addTasks } from './commands/tasks.ts';
import { addVerify } from './commands/verify.ts';
import { contextOf, failureOf, type GlobalFlags, withOwner } from './context.ts';
import { EXIT, MEANINGS } from './exit-codes.ts';
import { escapedJson, printable } from './output.ts';

const HELP_WIDTH = 110;

/** The commands, in the order of the help. */
const COMMANDS: readonly AddCommand[] = [
  addStatus,
  addDevices,
  addReadings,
  addLog,
  addTasks,
  addSummary,
  addBackup,
  addCheck,
  addRestore,
  addConfirm,
  addVerify,
  addProof,
  addExport,
  addImport,
  addMovePublicStore,
  addForget,
  addBlock,
  addRetention,
  addAudit,
  addRollback,
  addLink,
  addPair,
  addIdentity,
  addCompletion,
  addHelp,
];

/** Runs the command of the command line. Resolves with the exit code. */
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
        const flags = command.optsWithGlobals<GlobalFlags>();
        const { message, fault, hint, exitCode: code } = failureOf(withOwner(error, flags, env));
        if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
        tellFailure(flags.json === true, { error: message, code: fault, exit: code, hint });
        exitCode = code;
      }
    };
  const isJson = isJsonAsked(argv);
  const program = programWith(act, isJson);
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    const message = error.message === '(outputHelp)' ? 'no command was given' : error.message.replace('error: ', '');
    if (isJson)
      tellFailure(true, { error: message, code: 'usage', exit: EXIT.usage, hint: '"help" lists the commands' });
    return EXIT.usage;
  }
  return exitCode;
}

/** Returns whether JSON is requested, also for an invalid command line, which commander does not parse. */
function isJsonAsked(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).includes('--json');
}

interface Failure {
  readonly error: string;
  /** A word for programs, such as `no_folder`. */
  readonly code: string;
  readonly exit: number;
  readonly hint: string | null;
}

/** Writes a failure to stderr: an object for programs, a line for people. */
function tellFailure(isJson: boolean, failure: Failure): void {
  const { error, hint } = failure;
  const text = hint === null ? error : `${error}; ${hint}`;
  process.stderr.write(`${isJson ? escapedJson(JSON.stringify(failure)) : printable(`wellhouse: ${text}`)}\n`);
}

/** Removes the command itself, which commander adds after the arguments. */
function withoutCommand<Args extends unknown[]>(args: [...Args, Command]): Args {
  return args.slice(0, -1) as Args;
}

function programWith(act: Act, isJson: boolean): Command {
  const program = new Command('wellhouse')
    .description(`Manages a Wellhouse node and its data (${VERSION}). DATA_DIR is the node's data folder.`)
    .option('--data-dir <folder>', "the node's data folder, instead of DATA_DIR")
    .option('--desktop', "the desktop app's data folder and settings")
    .addOption(new Option('--json', 'answer in JSON (default if the output is not a terminal)').conflicts('table'))
    .option('--table', 'answer in text, even if the output is not a terminal')
    .helpOption('-h, --help', 'show this')
    .helpCommand(false)
    .version(VERSION, '--version', 'show the version')
    .configureHelp({ helpWidth: HELP_WIDTH })
    .configureOutput({
      outputError: (text, write) => write(`wellhouse: ${text.replace('error: ', '')}`),
      ...(isJson ? { writeErr: () => {} } : {}),
    })
    .addHelpText(
      'after',
      `\nExit codes:\n${Object.entries(EXIT)
        .map(([name, code]) => `  ${code}  ${MEANINGS[name as keyof typeof EXIT]}`)
        .join('\n')}`,
    )
    .exitOverride();
  for (const add of COMMANDS) add(program, act);
  // Commands that were added before the settings of all commands take them over here.
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { Logger } from 'pino';
import { surviveBrokenPipes } from './common/broken-pipe.ts';
import { StartError } from './common/start-error.ts';
import { VERSION } from './common/version.ts';
import { desktopFiles, desktopFolder, headlessFiles } from './data-folder/own-files.ts';
import { ERROR_PRIORITY, isJournal, prioritized } from './log/journal.ts';
import { createLog, RecentLog } from './log/log.ts';
import { collectAfterStart } from './node/memory-bounds.ts';
import type { NodeHost } from './node/node-host.ts';
import { linkOfRunningNode } from './owner/page/ui-address.ts';
import { settingsHelp } from './settings/help.ts';
import { ProgramSettings } from './settings/program-settings.ts';
import { readLogLevel, type Settings } from './settings/settings.ts';
import { Supervision } from './supervision/supervision.ts';

/** The options of the command line. */
interface Flags {
  readonly ui?: true;
  readonly printLink?: true;
  readonly newUiToken?: true;
  readonly desktop?: true;
}

/** Most help texts fit into this width without wrapping. */
const HELP_WIDTH = 120;
/** A node stops within six seconds, unless a disk, a migration or one of its threads hangs. */
const STOP_WITHIN_MS = 20_000;
const SETTINGS_HELP = `
Settings are environment variables, all optional. What the owner's view changes is kept in settings.json in DATA_DIR; a
variable wins over it.

${settingsHelp()}`;

/** Runs the node until a signal ends it. Resolves with the exit code: 1 if the start failed, else 0. */
export async function main(): Promise<number> {
  surviveBrokenPipes();
  try {
    const flags = readFlags();
    if (flags === null) return 0;
    const { env } = process;
    const recent = new RecentLog();
    const log = createLog(readLogLevel(env), recent);
    const files = flags.desktop ? desktopFiles(desktopFolder(env, process.platform)) : headlessFiles(env);
    const settings = new ProgramSettings({ env, path: files.settingsFile, defaults: files.defaults, log });
    const { dataDir, localEnabled } = settings.with({});
    const folder = resolve(dataDir);
    const link = flags.printLink ? linkOfRunningNode(folder, flags.desktop ?? false) : null;
    if (link !== null && !flags.newUiToken) {
      printLink(link);
      return 0;
    }
    if (flags.printLink && !flags.ui) {
      throw new StartError(`no Wellhouse node runs on ${folder}; set its DATA_DIR, or add --ui`);
    }
    if (!localEnabled) {
      if (flags.ui) throw new StartError('LOCAL_ENABLED is false: there is no page for --ui');
      await runPublicNode(settings.with({}), log);
      return 0;
    }
    const { NodeHost } = await import('./node/node-host.ts');
    const host = new NodeHost({
      ...{ env, files, settings, log },
      ownerView: flags.ui ? 'browser' : null,
      newUiToken: flags.newUiToken ?? false,
      recentLog: () => recent.text,
    });
    const supervision = new Supervision({
      ...{ env, log },
      of: {
        urls: () => Object.values(host.node?.urls ?? {}).filter((url) => url !== null),
        vitals: () => host.vitals(),
        status: () => host.node?.pulse.status ?? host.state.state,
      },
    });
    stopOnSignal(host, () => supervision.stopping());
    const { state, ...rest } = await host.start();
    if (state === 'failed' && 'problem' in rest) throw new StartError(withHint(rest.problem.message, host));
    endWhereItFails(host);
    collectAfterStart();
    void supervision.started();
    const uiLink = host.node?.uiLink ?? null;
    if (uiLink !== null && (process.stdout.isTTY || flags.printLink)) {
      printLink(uiLink);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const reason = `wellhouse: ${error.message.replace(/\s+/g, ' ')}`;
    process.stderr.write(isJournal(2) ? prioritized(ERROR_PRIORITY, reason) : `${reason}\n`);
    return 1;
  }
}

/** Runs a node that has only the public endpoint. It loads nothing of the owner's. Throws StartError if it can't. */
async function runPublicNode(settings: Settings, log: Logger): Promise<void> {
  const { PublicNode } = await import('./node/public-node.ts');
  const node = new PublicNode(settings, log);
  const supervision = new Supervision({
    ...{ env: process.env, log },
    of: {
      urls: () => Object.values(node.urls).filter((url) => url !== null),
      vitals: () => node.pulse.vitals(),
      status: () => node.pulse.status,
    },
  });
  stopOnSignal(node, () => supervision.stopping());
  await node.start();
  collectAfterStart();
  void supervision.started();
}

function printLink(link: string): void {
  process.stdout.write(`The owner's view: ${link}\n`);
}

/**
 * Reads the command line; returns null if the program has already answered it, such as `--help`. Throws StartError if
 * it is invalid.
 */
function readFlags(): Flags | null {
  const command = new Command('npm run headless --')
    .usage('[OPTION…]')
    .description(`Wellhouse node ${VERSION}, headless`)
    .option('--ui', "serve the owner's view at /ui/ of the local endpoint, to browsers that have its link")
    .option(
      '--print-link',
      'print the link of the node that runs on DATA_DIR, and exit; with --ui, start a node if none runs, and print its ' +
        'link even if the output is not a terminal (otherwise it stays out of logs)',
    )
    .option('--new-ui-token', 'create a new link; the old one stops working')
    .option(
      '--desktop',
      "use the desktop app's settings and data folder (public endpoint off unless set), with --ui and --print-link",
    )
    .helpOption('--help', 'show this and exit')
    .version(VERSION, '--version', 'show the version and exit')
    .addHelpText('after', SETTINGS_HELP)
    .configureHelp({ helpWidth: HELP_WIDTH })
    .configureOutput({ writeErr: () => {} })
    .exitOverride();
  try {
    command.parse();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return null;
    throw new StartError(`${error.message.replace('error: ', '').replace(/\.$/, '')}; see --help`);
  }
  const flags = command.opts<Flags>();
  if (flags.newUiToken && !flags.ui && !flags.desktop) {
    throw new StartError('--new-ui-token needs --ui');
  }
  return flags.desktop ? { ...flags, ui: true, printLink: true } : flags;
}

/**
 * Ends the program if a start fails, also the start after a restore: nobody could reach a node without listeners. A
 * slow start may still succeed, so it does not end the program.
 */
function endWhereItFails(host: NodeHost): void {
  host.onState((state) => {
    if (state.state !== 'failed') return;
    const { kind, message } = state.problem;
    process.stderr.write(`wellhouse: ${withHint(message, host).replace(/\s+/g, ' ')}\n`);
    if (kind === 'slow') return;
    process.exitCode = 1;
    void host.stop().finally(() => setImmediate(() => process.exit()));
  });
}

function withHint(message: string, host: NodeHost): string {
  return host.undoHint === null ? message : `${message}; ${host.undoHint}`;
}

/**
 * Stops the node on a signal. A signal during the start waits for the start to end, so that nothing stays half open,
 * but only for a limited time.
 */
function stopOnSignal(host: { stop(): Promise<unknown> }, onStop: () => void): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    onStop();
    try {
      await host.stop();
    } finally {
      // If the start failed, its exit code is kept: it is set when the current tasks are done.
      setImmediate(() => process.exit());
    }
  };
  const stopOrEnd = () => {
    // A disk that hangs must not prevent the end: confirmed data is on disk, and the next start needs no repair.
    setTimeout(() => {
      process.stderr.write(`wellhouse: not stopped after ${STOP_WITHIN_MS / 1000} s: killed\n`);
      process.kill(process.pid, 'SIGKILL');
    }, STOP_WITHIN_MS).unref();
    void stop();
  };
  process.on('SIGINT', stopOrEnd);
  process.on('SIGTERM', stopOrEnd);
}

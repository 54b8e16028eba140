import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { desktopFolder, desktopHome, headlessHome } from './homes.ts';
import { createLog, RecentLog } from './log.ts';
import { NodeHost } from './node-host.ts';
import { linkOfRunningNode } from './owner/ui-address.ts';
import { readLogLevel } from './settings.ts';
import { StartError } from './start-error.ts';
import { VERSION } from './version.ts';

const HELP = `Wellhouse node ${VERSION}, headless

Usage: npm run headless [-- OPTION…]

  --ui            serve the owner's view at /ui/ of the local endpoint, for whoever has its link
  --print-link    print the link of the node that runs on DATA_DIR, and exit; with --ui and none running, start one
                  and print its link also where the output is no terminal (else it stays out of logs)
  --new-ui-token  make a new link; the old one no longer works
  --desktop       use the desktop app's settings and data folder (public endpoint off unless set), with --ui and --print-link
  --help          show this and exit
  --version       show the version and exit

Settings are environment variables, all optional. What the owner's view changes is kept in settings.json in DATA_DIR; a
variable wins over it.

  DATA_DIR             where stores and identity are kept (./data)
  PUBLIC_PORT          port of the public endpoint, 0.0.0.0 (3000); 0 takes a free one
  LOCAL_PORT           port of the local endpoint, 127.0.0.1 (3001); 0 takes a free one
  PUBLIC_ENABLED       whether the public endpoint runs: true, false (true)
  LOG_LEVEL            trace, debug, info, warn, error, fatal, silent (info)
  MAX_BODY_BYTES       largest request body (1048576)
  RAW_BINDING          how far a block's JSON must agree with its signed raw string: known, strict, off (known)
  DURABILITY           full: a 200 survives a power cut; normal: faster, it may not (full)
  LOCAL_ALLOWED_HOSTS  names, separated by commas, by which the local endpoint may be called besides localhost
  PUBLIC_RATE_LIMIT    requests, and ten times as many blocks, a second and address on the public endpoint; 0 is off (100)
  PUBLIC_MAX_DEVICES   devices that the public store takes (10000)
  PUBLIC_MAX_BYTES     size that the public store may reach (2147483648)
`;

const FLAGS = {
  ui: { type: 'boolean' },
  'print-link': { type: 'boolean' },
  'new-ui-token': { type: 'boolean' },
  desktop: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

/** Runs the node until a signal ends it; resolves with the exit code of a start that failed, or 0. */
export async function main(): Promise<number> {
  try {
    const flags = readFlags();
    if (flags.help || flags.version) {
      process.stdout.write(flags.help ? HELP : `${VERSION}\n`);
      return 0;
    }
    const { env } = process;
    const log = new RecentLog();
    const host = new NodeHost({
      env,
      home: flags.desktop ? desktopHome(desktopFolder(env, process.platform)) : headlessHome(env),
      log: createLog(readLogLevel(env), log),
      ownerView: flags.ui ? 'browser' : null,
      newUiToken: flags['new-ui-token'] ?? false,
      recentLog: () => log.text,
    });
    const link = flags['print-link'] ? linkOfRunningNode(dataDirOf(host), flags.desktop ?? false) : null;
    if (link !== null && !flags['new-ui-token']) {
      printLink(link);
      return 0;
    }
    if (flags['print-link'] && !flags.ui) {
      throw new StartError(`no Wellhouse node runs on ${dataDirOf(host)}; set its DATA_DIR, or add --ui`);
    }
    stopOnSignal(host);
    const { state, ...rest } = await host.start();
    if (state === 'failed' && 'problem' in rest) throw new StartError(rest.problem.message);
    const uiLink = host.node?.uiLink ?? null;
    if (uiLink !== null && (process.stdout.isTTY || flags['print-link'])) {
      printLink(uiLink);
    }
    return 0;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`wellhouse: ${error.message.replace(/\s+/g, ' ')}\n`);
    return 1;
  }
}

function dataDirOf(host: NodeHost): string {
  return resolve(host.settingsWith({}).dataDir);
}

function printLink(link: string): void {
  process.stdout.write(`The owner's view: ${link}\n`);
}

function readFlags(): { [flag in keyof typeof FLAGS]?: boolean } {
  let flags: ReturnType<typeof readFlags>;
  try {
    flags = parseArgs({ options: FLAGS }).values;
  } catch (error) {
    throw new StartError(`${(error as Error).message.replace(/\. .*/s, '')}; --help shows what there is`);
  }
  if (flags.desktop) Object.assign(flags, { ui: true, 'print-link': true });
  if (flags['new-ui-token'] && !flags.ui && !flags.help && !flags.version) {
    throw new StartError("--new-ui-token concerns the owner's view; add --ui");
  }
  return flags;
}

/** A signal during the start waits for it, so that nothing is left half-open. */
function stopOnSignal(host: NodeHost): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    try {
      await host.stop();
    } finally {
      // Where the start failed, its exit code stands: it is set when the present tasks are done.
      setImmediate(() => process.exit());
    }
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

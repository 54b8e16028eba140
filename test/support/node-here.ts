import { join } from 'node:path';
import { multistream, pino } from 'pino';
import { StartError } from '../../src/main/common/start-error.ts';
import { headlessFiles } from '../../src/main/data-folder/own-files.ts';
import { RecentLog } from '../../src/main/log/log.ts';
import { type HostDependencies, NodeHost } from '../../src/main/node/node-host.ts';
import { PublicNode } from '../../src/main/node/public-node.ts';
import { ProgramSettings } from '../../src/main/settings/program-settings.ts';
import { readLogLevel } from '../../src/main/settings/settings.ts';
import {
  type Endpoint,
  environmentOf,
  isPair,
  loopbackUrl,
  type NodeExit,
  type NodeOptions,
  type RunningNode,
  recordsOf,
  removeFolder,
  type StartedRecord,
  temporaryFolder,
  writeSettings,
} from './node-process.ts';

/** The flags of a node in the process of the test. */
const FLAGS: readonly string[] = ['--ui', '--new-ui-token'];

/** Returns whether a node with these options can run in the process of the test. */
export function canRunHere({ args = [], env = {}, execArgv, stdoutFile }: NodeOptions): boolean {
  // Two nodes with one identity need two processes.
  if (isPair || execArgv !== undefined || stdoutFile !== undefined) return false;
  if (env.LOCAL_ENABLED === 'false') return args.length === 0;
  return args.every((arg) => FLAGS.includes(arg)) && (args.length === 0 || args.includes('--ui'));
}

/** A headless node in the process of the test, with its own threads. It takes half the processor time of a process. */
export class NodeHere implements RunningNode {
  readonly dataDir: string;
  stdout = '';
  readonly stderr = '';
  readonly #host: Host;
  readonly #ownFolder: string | null;
  #isStopped = false;
  #started: StartedRecord | null = null;

  private constructor(options: NodeOptions) {
    const { args = [], settings } = options;
    this.#ownFolder = options.dataDir === undefined ? temporaryFolder() : null;
    this.dataDir = options.dataDir ?? join(this.#ownFolder!, 'data');
    if (settings !== undefined) writeSettings(this.dataDir, settings);
    const env = environmentOf(this.dataDir, options);
    const recent = new RecentLog();
    const output = {
      write: (line: string) => {
        this.stdout += line;
      },
    };
    const streams = [output, recent].map((stream) => ({ stream, level: 'trace' as const }));
    this.#host = (env.LOCAL_ENABLED === 'false' ? publicHost : ownersHost)({
      env,
      files: headlessFiles(env),
      log: pino({ level: readLogLevel(env), base: null }, multistream(streams)),
      ownerView: args.includes('--ui') ? 'browser' : null,
      newUiToken: args.includes('--new-ui-token'),
      recentLog: () => recent.text,
    });
  }

  /** Starts a node. Rejects with its message if it can't start. */
  static async start(options: NodeOptions): Promise<NodeHere> {
    const node = new NodeHere(options);
    const refusal = await node.#start();
    if (refusal === null) return node;
    await node.dispose();
    throw new Error(`the node ended at its start: ${refusal}`);
  }

  /** Starts a node that should be refused; stops it if it starts. Ends like the headless entry (src/main/cli.ts). */
  static async runToEnd(options: NodeOptions): Promise<NodeExit> {
    const refused = { code: 1, signal: null, stdout: '' };
    try {
      const node = new NodeHere(options);
      const refusal = await node.#start();
      const exit = await node.stop();
      await node.dispose();
      return refusal === null ? exit : { ...refused, stdout: exit.stdout, stderr: `wellhouse: ${refusal}\n` };
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return { ...refused, stderr: `wellhouse: ${error.message}\n` };
    }
  }

  /** Returns why the start was refused; null if it was not. Rejects on a defect of ours. */
  async #start(): Promise<string | null> {
    try {
      return await this.#host.start();
    } catch (error) {
      await this.dispose();
      throw error;
    }
  }

  get records(): Record<string, unknown>[] {
    return recordsOf(this.stdout);
  }

  get started(): StartedRecord {
    // Kept: each request asks for it, and a test's log may have thousands of lines.
    this.#started ??= (this.records.find(({ msg }) => msg === 'node started') as StartedRecord | undefined) ?? null;
    return this.#started!;
  }

  url(endpoint: Endpoint): string {
    return loopbackUrl(this.started, endpoint);
  }

  async stop(): Promise<NodeExit> {
    if (!this.#isStopped) {
      this.#isStopped = true;
      await this.#host.stop();
      // A node puts the temporary files of its whole process into its folder (src/main/store/sqlite/file/database.ts).
      if (process.env.SQLITE_TMPDIR === this.dataDir) delete process.env.SQLITE_TMPDIR;
    }
    return { code: 0, signal: null, stdout: this.stdout, stderr: this.stderr };
  }

  async dispose(): Promise<void> {
    await this.stop();
    if (this.#ownFolder !== null) removeFolder(this.#ownFolder);
  }
}

/** Starts and stops a node. `start` resolves with the reason of a refused start; null if it was not refused. */
interface Host {
  start(): Promise<string | null>;
  stop(): Promise<void>;
}

function ownersHost(dependencies: HostDependencies): Host {
  const host = new NodeHost(dependencies);
  return {
    start: async () => {
      const state = await host.start();
      return state.state === 'failed' ? state.problem.message : null;
    },
    stop: () => host.stop(),
  };
}

/** The host of a node without an owner, as the headless entry runs it (src/main/cli.ts). */
function publicHost({ env, files, log }: HostDependencies): Host {
  let node: PublicNode | null = null;
  return {
    start: async () => {
      try {
        const { settingsFile: path, defaults } = files;
        node = new PublicNode(new ProgramSettings({ env, path, defaults, log }).with({}), log);
        await node.start();
        return null;
      } catch (error) {
        node = null;
        if (error instanceof StartError) return error.message;
        throw error;
      }
    },
    stop: async () => node?.stop(),
  };
}

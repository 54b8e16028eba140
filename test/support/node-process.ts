import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { takeTurns } from './http.ts';
import { isolatedHome } from './isolated-home.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILT_ENTRY = join(ROOT, 'out/main/headless.js');
const SOURCE_ENTRY = join(ROOT, 'src/main/headless.ts');
const START_TIMEOUT_MS = 60_000;
/**
 * Much longer than the 5 s that the node allows for requests in progress: a hanging node must not be confused with a
 * busy machine.
 */
const STOP_TIMEOUT_MS = 30_000;
/**
 * With a limit for its heap, a node does not start itself again to set one (src/main/node/memory-bounds.ts), which is a
 * third of the work of a start. test/lifecycle/memory-bounds.test.ts starts nodes without it.
 */
const BOUNDED = '--max-old-space-size=256';

/** One of the two endpoints of a node. */
export type Endpoint = 'public' | 'local';

/** Both endpoints, for `describe.each`. */
export const ENDPOINTS: readonly Endpoint[] = ['public', 'local'];

/** The options of a start. By default a node has a new data folder, free ports and the default settings. */
export interface NodeOptions {
  /** Settings of the node, in addition to `PUBLIC_PORT=0`, `LOCAL_PORT=0` and `LOG_LEVEL=info`. */
  readonly env?: Readonly<Record<string, string>>;
  /** A data folder that the caller creates and removes. It may not exist yet. */
  readonly dataDir?: string;
  readonly args?: readonly string[];
  /** The contents of the settings file in the data folder at the start: settings, or any text. */
  readonly settings?: object | string;
  /** Flags of Node itself; by default a limit of its heap. */
  readonly execArgv?: readonly string[];
  /** A file for the node's stdout, in place of a pipe. */
  readonly stdoutFile?: string;
}

/** How a node process ended. */
export interface NodeExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The values that a node logs at its start. */
export interface StartedRecord {
  readonly version: string;
  readonly publicKey: string;
  readonly publicUrl: string | null;
  readonly localUrl: string;
}

/** A node for a test, in its own process or in the process of the test. */
export interface RunningNode {
  readonly dataDir: string;
  /** The output so far, as text. */
  readonly stdout: string;
  readonly stderr: string;
  /** The log records so far, without lines that are not JSON. */
  readonly records: Record<string, unknown>[];
  /** The values that the node logged at its start. */
  readonly started: StartedRecord;
  /** Returns the base address of an endpoint on the loopback interface. */
  url(endpoint: Endpoint): string;
  /** Ends the node as a service manager would, and waits for its end. */
  stop(): Promise<NodeExit>;
  /** Ends the node if it still runs, and removes its files. */
  dispose(): Promise<void>;
}

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Creates a folder for one test in the system's temporary folder. Remove it with `removeFolder`. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'wellhouse-test-'));
}

/** Makes a folder as `temporaryFolder` does, but not in memory: there, an open file takes writes after `chattr +i`. */
export function folderOnDisk(): string {
  return mkdtempSync(join(process.platform === 'linux' ? '/var/tmp' : tmpdir(), 'wellhouse-test-'));
}

/** Removes a folder with its contents. Retries if an ending program still writes into it. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Writes the settings file of a data folder. */
export function writeSettings(dataDir: string, settings: object | string): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'settings.json'), typeof settings === 'string' ? settings : JSON.stringify(settings));
}

/**
 * Whether the nodes of tests have their public store in PostgreSQL: it is not a file, and the owner's page has none of
 * it.
 */
export const isOverPostgres = process.env.PUBLIC_STORE?.startsWith('postgres') === true;

/** Whether each of them is two nodes that share that store. Requests to their public endpoints go to both in turn. */
export const isPair = process.env.PUBLIC_STORE === 'postgres-pair';

/** The endpoints whose stores are files that the owner's page shows. */
export const FILE_ENDPOINTS: readonly Endpoint[] = isOverPostgres ? ['local'] : ENDPOINTS;

/** Returns the setting of a node's public store if the tests use PostgreSQL: each data folder has its own schema. */
function publicStoreOf(dataDir: string): Readonly<Record<string, string>> {
  const { TEST_PUBLIC_STORE_URL: url } = process.env;
  if (url === undefined) return {};
  const schema = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return { PUBLIC_STORE_URL: `${url}&schema=t_${schema}` };
}

/**
 * Returns the environment of a node: only what a test sets, because settings of the user who runs the tests must not
 * affect it.
 */
export function environmentOf(dataDir: string, { env }: NodeOptions): Record<string, string> {
  const { PATH = '', TMPDIR = tmpdir() } = process.env;
  const ports = { PUBLIC_PORT: '0', LOCAL_PORT: '0', LOG_LEVEL: 'info' };
  const home = isolatedHome(dirname(dataDir));
  return { PATH, ...home, TMPDIR, ...ports, DATA_DIR: dataDir, ...publicStoreOf(dataDir), ...env };
}

/** Returns the log records in an output. */
export function recordsOf(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Record<string, unknown>];
    } catch {
      return [];
    }
  });
}

/** Returns the address of an endpoint on the loopback interface. Throws if the node does not have the endpoint. */
export function loopbackUrl({ publicUrl, localUrl }: StartedRecord, endpoint: Endpoint): string {
  const said = endpoint === 'public' ? publicUrl : localUrl;
  if (said === null) throw new Error('this node has no public endpoint');
  return `http://127.0.0.1:${new URL(said).port}`;
}

/** Returns the file to start: the built headless node, or its source if there is no build. */
export function headlessEntry(): string {
  return existsSync(BUILT_ENTRY) ? BUILT_ENTRY : SOURCE_ENTRY;
}

/** A headless node in a process of its own. */
export class NodeProcess implements RunningNode {
  readonly dataDir: string;
  /** The output so far, as text. */
  stdout = '';
  stderr = '';
  /** Resolves when the process has ended and all its output is read. */
  readonly exited: Promise<NodeExit>;
  readonly #child: ChildProcess;
  readonly #ownFolder: string | null;
  readonly #stdoutFile: string | null;
  readonly #options: NodeOptions;
  #started: StartedRecord | null = null;

  constructor(options: NodeOptions = {}) {
    this.#options = options;
    this.#ownFolder = options.dataDir === undefined ? temporaryFolder() : null;
    this.dataDir = options.dataDir ?? join(this.#ownFolder!, 'data');
    if (options.settings !== undefined) writeSettings(this.dataDir, options.settings);
    this.#stdoutFile = options.stdoutFile ?? null;
    const stdout = this.#stdoutFile === null ? null : openSync(this.#stdoutFile, 'a');
    const { execArgv = [BOUNDED], args = [] } = options;
    this.#child = spawn(process.execPath, [...execArgv, headlessEntry(), ...args], {
      cwd: this.#ownFolder ?? tmpdir(),
      env: environmentOf(this.dataDir, options),
      stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
    });
    if (stdout !== null) closeSync(stdout);
    children.add(this.#child);
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.exited = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        children.delete(this.#child);
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  /** The process id, to inspect the process from outside. */
  get pid(): number {
    return this.#child.pid!;
  }

  /** The log records so far, without lines that are not JSON. */
  get records(): Record<string, unknown>[] {
    const text = this.#stdoutFile === null ? this.stdout : readFileSync(this.#stdoutFile, 'utf8');
    return recordsOf(text);
  }

  /** The values that the node logged at its start. Throws before the start. */
  get started(): StartedRecord {
    if (this.#started === null) throw new Error('the node has not started');
    return this.#started;
  }

  /** Returns the base address of an endpoint on the loopback interface. */
  url(endpoint: Endpoint): string {
    return loopbackUrl(this.started, endpoint);
  }

  /** Resolves when the node logs that it has started. Rejects with its output if it ends or times out. */
  async ready(): Promise<this> {
    const record = await Promise.race([
      this.#readyRecord(),
      this.exited.then((exit) => {
        throw new Error(`the node ended at its start: ${JSON.stringify(exit)}`);
      }),
    ]);
    this.#started = record as unknown as StartedRecord;
    if (isPair && this.#started.publicUrl !== null && this.#options.env?.PUBLIC_STORE_URL === undefined) {
      await this.#addPair();
    }
    return this;
  }

  /** Starts the other node with the settings of the public endpoint. It ends with this one. */
  async #addPair(): Promise<void> {
    const { env = {}, settings } = this.#options;
    const other = new NodeProcess({
      ...(settings !== undefined && { settings }),
      env: {
        ...Object.fromEntries(Object.entries(env).filter(([name]) => /^(PUBLIC|MAX|LOG|TRUSTED|RAW)_/.test(name))),
        ...{ ...publicStoreOf(this.dataDir), LOCAL_ENABLED: 'false' },
        IDENTITY_FILE: join(this.dataDir, 'identity.mnemonic'),
      },
    });
    void this.exited.then(() => other.dispose());
    await other.ready();
    takeTurns(this.#started!.publicUrl!, other.started.publicUrl!);
  }

  #readyRecord(): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`the node did not start: ${this.stdout}${this.stderr}`));
      }, START_TIMEOUT_MS);
      const watch = this.#stdoutFile === null ? undefined : setInterval(() => look(), 50);
      const look = () => {
        const record = this.records.find(({ msg }) => msg === 'node started');
        if (record === undefined) return;
        clearTimeout(timer);
        clearInterval(watch);
        this.#child.stdout?.off('data', look);
        resolve(record);
      };
      this.#child.stdout?.on('data', look);
      void this.exited.then(() => {
        clearTimeout(timer);
        clearInterval(watch);
      });
      look();
    });
  }

  /** Sends a signal to the process. */
  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends the node with SIGTERM and waits for it. A node that does not end is killed and reported. */
  async stop(): Promise<NodeExit> {
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    const exit = await this.exited;
    clearTimeout(timer);
    if (exit.signal === 'SIGKILL') throw new Error(`the node did not stop: ${exit.stdout}${exit.stderr}`);
    return exit;
  }

  /** Ends the node at once, as a power cut would. */
  async kill(): Promise<NodeExit> {
    this.#child.kill('SIGKILL');
    return await this.exited;
  }

  /** Removes the files of the process. Kills it if it still runs. */
  async dispose(): Promise<void> {
    await this.kill();
    if (this.#ownFolder !== null) removeFolder(this.#ownFolder);
  }
}

/**
 * Starts a node and waits until it has started: in the process of the test, unless the options need an own process. The
 * caller must dispose of it.
 */
export async function startNode(options: NodeOptions = {}): Promise<RunningNode> {
  const { canRunHere, NodeHere } = await nodesHere();
  return canRunHere(options) ? NodeHere.start(options) : startProcess(options);
}

/** Starts a node in its own process, for kills, signals, outputs and other programs. Otherwise like `startNode`. */
export async function startProcess(options: NodeOptions = {}): Promise<NodeProcess> {
  const node = new NodeProcess(options);
  try {
    return await node.ready();
  } catch (error) {
    await node.dispose();
    throw error;
  }
}

/** Runs a node that is refused or only answers, to its end; in the process of the test if possible. */
export async function runToEnd(options: NodeOptions = {}): Promise<NodeExit> {
  const { canRunHere, NodeHere } = await nodesHere();
  return canRunHere(options) ? NodeHere.runToEnd(options) : runProcessToEnd(options);
}

/** Runs the entry to its end in its own process. Kills it after a minute. */
export async function runProcessToEnd(options: NodeOptions = {}): Promise<NodeExit> {
  const node = new NodeProcess(options);
  const timer = setTimeout(() => node.signal('SIGKILL'), START_TIMEOUT_MS);
  try {
    return await node.exited;
  } finally {
    clearTimeout(timer);
    await node.dispose();
  }
}

/** Loads the module on demand: most modules that import this file start no node. */
function nodesHere(): Promise<typeof import('./node-here.ts')> {
  return import('./node-here.ts');
}

/** A node for a whole test file. */
export interface NodeHandle<N extends RunningNode = RunningNode> {
  readonly process: N;
  url(endpoint: Endpoint): string;
}

/** Starts a node before the tests of the calling file or `describe`, and stops it after them. */
export function runningNode(options: NodeOptions = {}): NodeHandle {
  return running(() => startNode(options));
}

/** Starts a node like `runningNode`, in its own process. */
export function runningProcess(options: NodeOptions = {}): NodeHandle<NodeProcess> {
  return running(() => startProcess(options));
}

function running<N extends RunningNode>(start: () => Promise<N>): NodeHandle<N> {
  let node: N | undefined;
  const started = () => {
    if (node === undefined) throw new Error('the node is started in beforeAll');
    return node;
  };
  beforeAll(async () => {
    node = await start();
  }, START_TIMEOUT_MS + 5_000);
  afterAll(async () => {
    try {
      await node?.stop();
    } finally {
      await node?.dispose();
    }
  }, STOP_TIMEOUT_MS + 5_000);
  return {
    get process() {
      return started();
    },
    url: (endpoint) => started().url(endpoint),
  };
}

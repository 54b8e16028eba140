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
/** Far longer than the 5 s that the node gives to what is in flight: a node that hangs is told from one on a busy machine. */
const STOP_TIMEOUT_MS = 30_000;
/**
 * A node that has a bound for its heap does not start itself again with its own (src/main/node/memory-bounds.ts): a
 * third of the work of a start. test/lifecycle/memory-bounds.test.ts starts nodes without it.
 */
const BOUNDED = '--max-old-space-size=256';

/** One of the two endpoints of a node. */
export type Endpoint = 'public' | 'local';

/** Both endpoints, for `describe.each`. */
export const ENDPOINTS: readonly Endpoint[] = ['public', 'local'];

/** How to start a node; what is left out is a fresh data folder, free ports and the defaults. */
export interface NodeOptions {
  /** Settings of the node, over `PUBLIC_PORT=0`, `LOCAL_PORT=0` and `LOG_LEVEL=info`. */
  readonly env?: Readonly<Record<string, string>>;
  /** A data folder that the caller keeps and removes; it need not exist. */
  readonly dataDir?: string;
  readonly args?: readonly string[];
  /** The contents of the settings file in the data folder at the start: settings, or any text. */
  readonly settings?: object | string;
  /** Flags of Node itself; a bound of its heap where left out. */
  readonly execArgv?: readonly string[];
  /** A file that the node's stdout is, in place of a pipe. */
  readonly stdoutFile?: string;
}

/** How a node process ended. */
export interface NodeExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The facts that a node logs at its start. */
export interface StartedRecord {
  readonly version: string;
  readonly publicKey: string;
  readonly publicUrl: string | null;
  readonly localUrl: string;
}

/** A node that was started for a test: in a process of its own, or within that of the test. */
export interface RunningNode {
  readonly dataDir: string;
  /** The output so far, as text. */
  readonly stdout: string;
  readonly stderr: string;
  /** The log records so far; a line that is no JSON is left out. */
  readonly records: Record<string, unknown>[];
  /** The facts that the node logged at its start. */
  readonly started: StartedRecord;
  /** The base address of an endpoint, reached over the loopback interface. */
  url(endpoint: Endpoint): string;
  /** Ends the node as a service manager would, and waits for it. */
  stop(): Promise<NodeExit>;
  /** Ends it where it still runs, and removes what it used. */
  dispose(): Promise<void>;
}

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A folder for one test, in the system's temporary folder; remove it with `removeFolder`. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'wellhouse-test-'));
}

/** Removes a folder with all that is in it; again where a program that ends still wrote into it meanwhile. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Writes the settings file of a data folder. */
export function writeSettings(dataDir: string, settings: object | string): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'settings.json'), typeof settings === 'string' ? settings : JSON.stringify(settings));
}

/** Whether the nodes that tests start keep their public store in PostgreSQL: it is no file, and the owner's page has none of it. */
export const isOverPostgres = process.env.PUBLIC_STORE?.startsWith('postgres') === true;

/** Whether each of them is two nodes that share that store: requests to their public endpoints go to both in turn. */
export const isPair = process.env.PUBLIC_STORE === 'postgres-pair';

/** The endpoints whose stores are files that the owner's page shows. */
export const FILE_ENDPOINTS: readonly Endpoint[] = isOverPostgres ? ['local'] : ENDPOINTS;

/** The setting of the public store of a node, where the tests run over PostgreSQL: a schema for each data folder. */
function publicStoreOf(dataDir: string): Readonly<Record<string, string>> {
  const { TEST_PUBLIC_STORE_URL: url } = process.env;
  if (url === undefined) return {};
  const schema = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return { PUBLIC_STORE_URL: `${url}&schema=t_${schema}` };
}

/** The environment of a node: only what a test sets, as a setting of whoever runs the tests must not reach it. */
export function environmentOf(dataDir: string, { env }: NodeOptions): Record<string, string> {
  const { PATH = '', TMPDIR = tmpdir() } = process.env;
  const ports = { PUBLIC_PORT: '0', LOCAL_PORT: '0', LOG_LEVEL: 'info' };
  const home = isolatedHome(dirname(dataDir));
  return { PATH, ...home, TMPDIR, ...ports, DATA_DIR: dataDir, ...publicStoreOf(dataDir), ...env };
}

/** The log records of an output. */
export function recordsOf(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Record<string, unknown>];
    } catch {
      return [];
    }
  });
}

/** Where an endpoint is reached over the loopback interface. Throws where the node has none. */
export function loopbackUrl({ publicUrl, localUrl }: StartedRecord, endpoint: Endpoint): string {
  const said = endpoint === 'public' ? publicUrl : localUrl;
  if (said === null) throw new Error('this node has no public endpoint');
  return `http://127.0.0.1:${new URL(said).port}`;
}

/** The file that is started: the built headless node, or its source where nothing was built. */
export function headlessEntry(): string {
  return existsSync(BUILT_ENTRY) ? BUILT_ENTRY : SOURCE_ENTRY;
}

/** A headless node in a process of its own. */
export class NodeProcess implements RunningNode {
  readonly dataDir: string;
  /** The output so far, as text. */
  stdout = '';
  stderr = '';
  /** Resolves once the process has ended and all its output was read. */
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

  /** The process id, for looking at the process from outside. */
  get pid(): number {
    return this.#child.pid!;
  }

  /** The log records so far; a line that is no JSON is left out. */
  get records(): Record<string, unknown>[] {
    const text = this.#stdoutFile === null ? this.stdout : readFileSync(this.#stdoutFile, 'utf8');
    return recordsOf(text);
  }

  /** The facts that the node logged at its start. Throws before that. */
  get started(): StartedRecord {
    if (this.#started === null) throw new Error('the node has not started');
    return this.#started;
  }

  /** The base address of an endpoint, reached over the loopback interface. */
  url(endpoint: Endpoint): string {
    return loopbackUrl(this.started, endpoint);
  }

  /** Resolves when the node says that it is up; rejects, with its output, when it ends or stays silent instead. */
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

  /** Starts the other node, with what concerns the public endpoint. It ends with this one. */
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

  /** Ends the node with SIGTERM and waits for it; a node that does not end is killed and reported. */
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

  /** Removes what the process used; kills it when it still runs. */
  async dispose(): Promise<void> {
    await this.kill();
    if (this.#ownFolder !== null) removeFolder(this.#ownFolder);
  }
}

/**
 * Starts a node and waits until it is up: within the process of the test, except where the options need a process of its
 * own. The caller disposes of it.
 */
export async function startNode(options: NodeOptions = {}): Promise<RunningNode> {
  const { canRunHere, NodeHere } = await nodesHere();
  return canRunHere(options) ? NodeHere.start(options) : startProcess(options);
}

/** Starts a node in a process of its own, for what needs one: kills, signals, outputs, other programs. As `startNode`. */
export async function startProcess(options: NodeOptions = {}): Promise<NodeProcess> {
  const node = new NodeProcess(options);
  try {
    return await node.ready();
  } catch (error) {
    await node.dispose();
    throw error;
  }
}

/** Starts a node that is refused, or that only answers; within the process of the test where that can be. */
export async function runToEnd(options: NodeOptions = {}): Promise<NodeExit> {
  const { canRunHere, NodeHere } = await nodesHere();
  return canRunHere(options) ? NodeHere.runToEnd(options) : runProcessToEnd(options);
}

/** Runs the entry to its end in a process of its own; kills it after a minute. */
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

/** Loaded where it is needed: most of those who import this file start no node. */
function nodesHere(): Promise<typeof import('./node-here.ts')> {
  return import('./node-here.ts');
}

/** A node that runs for the whole of a test file. */
export interface NodeHandle<N extends RunningNode = RunningNode> {
  readonly process: N;
  url(endpoint: Endpoint): string;
}

/** Starts a node before the tests of the calling file or `describe`, and stops it after them. */
export function runningNode(options: NodeOptions = {}): NodeHandle {
  return running(() => startNode(options));
}

/** The same in a process of its own. */
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

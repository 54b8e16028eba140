import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Connection } from './connection.ts';
import type { LoopDelay } from './loop-delay.ts';
import { isRunning, started, stop } from './node-child.ts';
import { httpRequest } from './traffic.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const LOOP_DELAY = new URL('./loop-delay.ts', import.meta.url).href;

/** The options of a node for the benchmark. */
export interface BenchNodeOptions {
  /** The folder of another built copy of Wellhouse. */
  readonly built?: string;
  readonly dataDir: string;
  /** Whether to measure the delay of the node's event loop from inside. */
  readonly loopDelay?: boolean;
  /** The folder for CPU profiles of the node's threads; null for none. */
  readonly profileDir: string | null;
  /** A free port on which to open the gate, on loopback. */
  readonly gatePort?: number;
  /** A free port on which to open the door, on loopback. */
  readonly doorPort?: number;
  /** The broker to which the node publishes its devices. */
  readonly mqttUrl?: string;
  /** The public store in PostgreSQL. With it, the node serves only the public endpoint. */
  readonly publicStoreUrl?: string;
  /** A free port on which to serve metrics and the operator's page. */
  readonly metricsPort?: number;
  /** Flags of the node. */
  readonly args?: readonly string[];
}

/** Returns the file that starts the headless node of a built copy of Wellhouse; by default of this one. */
export function entryOf(folder = PROJECT): string {
  return join(folder, 'out/main/headless.js');
}

/** The built node in its own process, on free ports, with full durability. */
export class BenchNode {
  readonly publicPort: number;
  /** 0 if it serves only the public endpoint. */
  readonly localPort: number;
  /** The time from the start of the process to the first answer to GET /health. */
  readonly startMs: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, urls: { publicUrl: string; localUrl: string | null }, startMs: number) {
    this.#child = child;
    this.publicPort = Number(new URL(urls.publicUrl).port);
    this.localPort = urls.localUrl === null ? 0 : Number(new URL(urls.localUrl).port);
    this.startMs = startMs;
  }

  /** Resolves when the node has answered. Rejects with its output if it does not start. */
  static async start({
    built,
    dataDir,
    loopDelay = false,
    profileDir,
    gatePort,
    doorPort,
    mqttUrl,
    publicStoreUrl,
    metricsPort,
    args = [],
  }: BenchNodeOptions): Promise<BenchNode> {
    const execArgv = [
      ...(loopDelay ? ['--import', LOOP_DELAY] : []),
      ...(profileDir === null ? [] : ['--cpu-prof', '--cpu-prof-dir', profileDir]),
    ];
    const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
    const startedAt = performance.now();
    const child = spawn(process.execPath, [...execArgv, entryOf(built), ...args], {
      // Only these settings: the environment of the user who runs the benchmark must not affect the node.
      env: {
        ...{ PATH, HOME, TMPDIR, DATA_DIR: dataDir, PUBLIC_PORT: '0', LOCAL_PORT: '0', DURABILITY: 'full' },
        ...(gatePort === undefined ? {} : { GATE_ADDRESS: '127.0.0.1', GATE_PORT: String(gatePort) }),
        ...(mqttUrl === undefined ? {} : { MQTT_URL: mqttUrl }),
        ...(publicStoreUrl === undefined
          ? {}
          : { PUBLIC_STORE_URL: publicStoreUrl, LOCAL_ENABLED: 'false', TRUSTED_PROXIES: '127.0.0.1' }),
        ...(metricsPort === undefined ? {} : { METRICS_PORT: String(metricsPort) }),
        ...(doorPort === undefined ? {} : { DOOR_ADDRESS: '127.0.0.1', DOOR_PORT: String(doorPort) }),
      },
      stdio: ['ignore', 'pipe', 'inherit', ...(loopDelay ? (['ipc'] as const) : [])],
    });
    const urls = await started(child);
    const connection = await Connection.open(Number(new URL(urls.localUrl ?? urls.publicUrl).port));
    const { status } = await connection.exchange(httpRequest('GET', '/health'));
    const startMs = performance.now() - startedAt;
    connection.close();
    if (status !== 200) throw new Error(`GET /health was answered ${status}`);
    return new BenchNode(child, urls, startMs);
  }

  /**
   * Returns the resident memory in megabytes (10^6 bytes): now, and the maximum since the start. null if there is no
   * /proc.
   */
  memory(): { now: number; peak: number } | null {
    if (process.platform !== 'linux') return null;
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'latin1');
    const megabytes = (name: string) => (Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1]) * 1024) / 1e6;
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  }

  /** Returns the processor time of all its threads so far, in seconds; null if there is no /proc. */
  cpuSeconds(): number | null {
    if (process.platform !== 'linux') return null;
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'latin1');
    // The name may contain anything, so the search starts after it: utime and stime are the 14th and 15th field, in
    // hundredths of a second.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  /** Returns the delays of the event loop since the last call. Only for a node started with `loopDelay`. */
  async takeLoopDelay(): Promise<LoopDelay> {
    const reply = once(this.#child, 'message');
    this.#child.send('take');
    return (await reply)[0] as LoopDelay;
  }

  /** Ends the node as a service manager would. Rejects if it does not end by itself. */
  async stop(): Promise<void> {
    if (isRunning(this.#child)) await stop(this.#child);
  }
}

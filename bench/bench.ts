import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BenchNode, type BenchNodeOptions } from './bench-node.ts';
import type { LoadGenerator } from './load-generator.ts';
import type { BenchOptions } from './options.ts';
import { type Figure, number } from './report.ts';
import type { StreamResult } from './stream.ts';
import { DEVICE_COUNT } from './traffic.ts';

/** A run of the benchmark: the state that its rows share. */
export class Bench {
  readonly options: BenchOptions;
  readonly load: LoadGenerator;
  readonly figures: Figure[] = [];
  readonly skipped: string[] = [];
  readonly #folder: string;

  /** `folder` is the run's own temporary folder. */
  constructor(options: BenchOptions, load: LoadGenerator, folder: string) {
    this.options = options;
    this.load = load;
    this.#folder = folder;
  }

  wants(...rows: readonly number[]): boolean {
    return rows.some((row) => this.options.rows.has(row));
  }

  /** Returns an amount of load, multiplied by the requested scale. */
  amount(full: number): number {
    return Math.ceil(full * this.options.scale);
  }

  add(figure: Figure): void {
    this.figures.push(figure);
    process.stderr.write(`row ${figure.row}, ${figure.what}: ${number(figure.value)} ${figure.unit}\n`);
  }

  skip(row: number, reason: string): void {
    this.skipped.push(`row ${row} skipped: ${reason}`);
  }

  /** Returns the folder of a node's data; creates it if it does not exist. */
  dataDir(name: string): string {
    const path = join(this.#folder, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }

  startNode(dataDir: string, options: Partial<BenchNodeOptions> = {}): Promise<BenchNode> {
    return BenchNode.start({ dataDir, profileDir: this.options.profileDir, ...options });
  }

  /** Starts a node on an empty folder and registers all devices on both endpoints. */
  async startFreshNode(name: string, options: Partial<BenchNodeOptions> = {}): Promise<BenchNode> {
    const node = await this.startNode(this.dataDir(name), options);
    await this.registerDevices(node);
    return node;
  }

  /** Registers the devices on both endpoints. The load generator's sequence numbers start at `firstSeq`. */
  async registerDevices(node: BenchNode, firstSeq = 1): Promise<void> {
    const ports = [node.publicPort, node.localPort].filter((port) => port !== 0);
    await this.load.run('register', { ports, devices: DEVICE_COUNT, firstSeq });
  }
}

/** Returns the latencies of a stream in words. */
export function latencyText({ latencies }: Pick<StreamResult, 'latencies'>): string {
  return `p50 ${number(latencies.p50)} p99 ${number(latencies.p99)} max ${number(latencies.max)} ms`;
}

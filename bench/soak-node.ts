import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { isRunning, started, stop } from './node-child.ts';

/** The observed node. Its log is read continuously, as by a service manager, so that a full pipe never blocks it. */
export class SoakNode {
  readonly publicUrl: string;
  readonly localUrl: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, publicUrl: string, localUrl: string) {
    this.#child = child;
    this.publicUrl = publicUrl;
    this.localUrl = localUrl;
  }

  /** Resolves when the node has started. Rejects with its output if it does not start. */
  static async start(entry: string, dataDir: string): Promise<SoakNode> {
    const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
    const child = spawn(process.execPath, [entry], {
      env: { PATH, HOME, TMPDIR, DATA_DIR: dataDir, PUBLIC_PORT: '0', LOCAL_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { publicUrl, localUrl } = await started(child);
    return new SoakNode(child, `http://127.0.0.1:${new URL(publicUrl).port}`, localUrl!);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get isRunning(): boolean {
    return isRunning(this.#child);
  }

  /** Ends the node as a service manager would. Rejects if it does not end cleanly. */
  async stop(): Promise<void> {
    await stop(this.#child);
  }
}

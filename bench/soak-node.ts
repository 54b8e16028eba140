import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';

const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 15_000;

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** The node under watch. Its log is read away, as a service manager does, so that a full pipe never stops it. */
export class SoakNode {
  readonly publicUrl: string;
  readonly localUrl: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, publicUrl: string, localUrl: string) {
    this.#child = child;
    this.publicUrl = publicUrl;
    this.localUrl = localUrl;
  }

  /** Resolves when the node is up. Rejects, with its output, where it does not start. */
  static async start(entry: string, dataDir: string): Promise<SoakNode> {
    const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
    const child = spawn(process.execPath, [entry], {
      env: { PATH, HOME, TMPDIR, DATA_DIR: dataDir, PUBLIC_PORT: '0', LOCAL_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    const { publicUrl, localUrl } = await startedRecord(child);
    return new SoakNode(child, `http://127.0.0.1:${new URL(publicUrl).port}`, localUrl);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get isRunning(): boolean {
    return children.has(this.#child);
  }

  /** Ends the node as a service manager would. Rejects where it does not end cleanly. */
  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    const [code] = await exited;
    clearTimeout(timer);
    if (code !== 0) throw new Error(`the node did not stop cleanly (exit code ${code})`);
  }
}

function startedRecord(child: ChildProcess): Promise<{ publicUrl: string; localUrl: string }> {
  return new Promise((resolve, reject) => {
    let output: string | null = '';
    const fail = () => reject(new Error(`the node did not start: ${output}`));
    const timer = setTimeout(fail, START_TIMEOUT_MS);
    child.once('exit', fail);
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      if (output === null) return;
      output += text;
      const line = output.split('\n').find((candidate) => /"msg":"node started".*}$/.test(candidate));
      if (line === undefined) return;
      clearTimeout(timer);
      output = null;
      resolve(JSON.parse(line));
    });
  });
}

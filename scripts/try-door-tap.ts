import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const MARK_WITHIN_MS = 10_000;
const MARK_PORT = 9;

/** The bytes that a tap on the wire between node and phone took down, by Debian's tcpdump. See try-door.sh. */
export class Tap {
  readonly #file: string;
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(file: string, process: ChildProcess) {
    this.#file = file;
    this.#process = process;
    this.#ended = once(process, 'exit');
  }

  /** Resolves when it listens. */
  static async start(file: string): Promise<Tap> {
    const args = [
      'netns',
      'exec',
      'wire',
      'tcpdump',
      '-i',
      'lan',
      '-U',
      '--immediate-mode',
      '-s',
      '0',
      '-B',
      '65536',
      '-Z',
      'root',
      '-w',
      file,
    ];
    const process = spawn('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const tap = new Tap(file, process);
    const said = [];
    for await (const line of createInterface({ input: process.stderr! })) {
      said.push(line);
      if (line.includes('listening on')) return tap;
    }
    throw new Error(`tcpdump: ${said.join(' ')}`);
  }

  /** Ends it, once what went by is on disk: a mark that is sent past it to `address` comes last. Then it can be read. */
  async stop(address: string): Promise<void> {
    const mark = randomUUID();
    const socket = createSocket('udp4');
    const end = performance.now() + MARK_WITHIN_MS;
    while (this.holds([mark]).length === 0) {
      if (performance.now() > end) throw new Error('the tap takes nothing down');
      socket.send(mark, MARK_PORT, address);
      await delay(50);
    }
    socket.close();
    this.#process.kill('SIGINT');
    await this.#ended;
  }

  /** How many packets it took that fit an expression of tcpdump's. */
  packets(expression: string): number {
    const args = ['-r', this.#file, '-n', '-q', expression];
    const lines = execFileSync('tcpdump', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    });
    return lines.split('\n').length - 1;
  }

  get bytes(): number {
    return statSync(this.#file).size;
  }

  /** Which of these texts stand in the bytes of the capture. */
  holds(texts: Iterable<string>): string[] {
    const bytes = readFileSync(this.#file);
    return [...texts].filter((text) => bytes.includes(text));
  }
}

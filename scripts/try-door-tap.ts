import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const MARK_WITHIN_MS = 10_000;
const MARK_PORT = 9;

/** The bytes between node and phone, recorded by Debian's tcpdump on the wire. See try-door.sh. */
export class Tap {
  readonly #file: string;
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(file: string, process: ChildProcess) {
    this.#file = file;
    this.#process = process;
    this.#ended = once(process, 'exit');
  }

  /** Starts it. Resolves when it listens. */
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

  /**
   * Ends it after all traffic is on disk: a mark sent to `address` past it comes last. Then the recording can be read.
   */
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

  /** Returns the number of recorded packets that match an expression of tcpdump. */
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

  /** Returns those of the texts that are in the recorded bytes. */
  holds(texts: Iterable<string>): string[] {
    const bytes = readFileSync(this.#file);
    return [...texts].filter((text) => bytes.includes(text));
  }
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A system call of a traced process. */
export interface SystemCall {
  readonly name: string;
  /** The target of its file descriptor: a path, or `socket:[…]`. */
  readonly file: string;
  /** The bytes that it wrote or read; cut after 4 KiB a buffer. */
  readonly data: Buffer;
  /** Places in the order in which strace saw the threads enter and leave their calls. */
  readonly entered: number;
  /** Infinity where the trace ends before the call does. */
  readonly left: number;
  /** Its return value; NaN if the trace ends before it. */
  readonly result: number;
}

/** Calls that show what is received, written, synced and sent. */
const TRACED = 'read,readv,recvfrom,recvmsg,write,writev,sendto,sendmsg,pwrite64,fsync,fdatasync,listen';

/** Why system calls can't be traced here; null where they can. */
export function whyNoTrace(): string | null {
  if (process.platform !== 'linux') return 'strace is there on Linux only';
  try {
    execFileSync('strace', ['-qq', '-e', 'trace=none', 'true'], { stdio: 'pipe' });
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'strace is not installed' : `strace may not trace here: ${(error as Error).message}`;
  }
}

/** The arguments of strace, up to what it traces; it writes to `output`. */
export function straceArguments(output: string): string[] {
  return ['-f', '-y', '-xx', '-s', '4096', '-e', `trace=${TRACED}`, '-e', 'signal=none', '-o', output];
}

/** Traces all threads of a running process, in a file, until it is stopped. */
export class SystemCallTrace {
  readonly #strace: ChildProcess;
  readonly #output: string;

  private constructor(strace: ChildProcess, output: string) {
    this.#strace = strace;
    this.#output = output;
  }

  /** Resolves when all threads are traced. Rejects where strace ends instead. */
  static async attach(pid: number, output: string): Promise<SystemCallTrace> {
    const strace = spawn('strace', [...straceArguments(output), '-p', String(pid)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      let said = '';
      strace.stderr!.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        // One line for the process with all its threads, printed once every one of them is attached.
        if (/attached/.test(said)) resolve();
      });
      strace.on('error', reject);
      strace.on('close', () => reject(new Error(`strace ended: ${said}`)));
    });
    return new SystemCallTrace(strace, output);
  }

  /** Detaches and returns what was seen. */
  async stop(): Promise<SystemCall[]> {
    const ended = new Promise((resolve) => this.#strace.on('close', resolve));
    this.#strace.kill('SIGINT');
    await ended;
    return readTrace(this.#output);
  }
}

const CALL = /^(\d+) +(\w+)\((?:\d+<([^>]*)>(?:\([^)]*\))?)?(.*)$/;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/;
const RESULT = /\) += (-?\d+)[^)]*$/;
const UNFINISHED = '<unfinished ...>';

interface Unfinished {
  readonly index: number;
  readonly entered: number;
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** The calls of a trace file, in the order in which they were entered. Lines that are no calls are left out. */
export function readTrace(path: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, Unfinished>();
  for (const [line, text] of readFileSync(path, 'latin1').split('\n').entries()) {
    const [, resumedThread, , end = ''] = RESUMED.exec(text) ?? [];
    const begun = resumedThread === undefined ? undefined : unfinished.get(resumedThread);
    if (begun !== undefined) {
      unfinished.delete(resumedThread!);
      calls[begun.index] = callOf(begun, begun.text + end, line);
      continue;
    }
    const [, thread, name, file = '', rest] = CALL.exec(text) ?? [];
    if (thread === undefined || name === undefined || rest === undefined) continue;
    const ends = !rest.endsWith(UNFINISHED);
    const call: Unfinished = { index: calls.length, entered: line, name, file: unhex(file), text: rest };
    calls.push(callOf(call, rest, ends ? line : Number.POSITIVE_INFINITY));
    if (!ends) unfinished.set(thread, call);
  }
  return calls;
}

function callOf({ name, file, entered }: Unfinished, text: string, left: number): SystemCall {
  const data = Buffer.concat(Array.from(text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g), ([, hex]) => bytesOf(hex!)));
  return { name, file, data, entered, left, result: Number(RESULT.exec(text)?.[1] ?? Number.NaN) };
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}

function unhex(text: string): string {
  return text.startsWith('\\x') ? bytesOf(text).toString() : text;
}

import { connect, type Socket } from 'node:net';

/** Large enough to read the largest usual answer in a few turns. */
const READ_BUFFER_BYTES = 256 * 1024;
/** A node that does not answer for this long has failed. */
const TIMEOUT_MS = 60_000;
const HEAD_END = Buffer.from('\r\n\r\n');

/** The answer to a request. Bodies are dropped except for their first bytes, which show errors. */
export interface Answer {
  readonly status: number;
  readonly bodyBytes: number;
  /** The beginning of the body if it arrived in the same read as the head. It is for display, not for parsing. */
  readonly bodyStart: string;
}

/**
 * A keep-alive connection that sends prepared requests one at a time. Of the answers it reads only status and length,
 * because the load generator competes with the node for the machine's cores.
 */
export class Connection {
  readonly #socket: Socket;
  #head = Buffer.alloc(0);
  #answer: Answer | null = null;
  #bytesLeft = 0;
  #settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null;

  private constructor(port: number) {
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(READ_BUFFER_BYTES),
        callback: (length, buffer) => {
          this.#onData(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          return true;
        },
      },
    });
    this.#socket.setTimeout(TIMEOUT_MS, () => this.#socket.destroy(new Error('the node did not answer in time')));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the node closed the connection')));
  }

  /** Connects to a port of this machine. Rejects if nothing listens. */
  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port);
    await new Promise<void>((resolve, reject) => {
      connection.#socket.once('connect', resolve).once('error', reject);
    });
    return connection;
  }

  /** Sends a whole HTTP request. Resolves when its answer has been read completely. */
  exchange(request: Uint8Array): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #onData(data: Buffer): void {
    if (this.#answer !== null) {
      this.#bytesLeft -= data.length;
    } else {
      // The read buffer is reused, so an incomplete head must be copied.
      const read = this.#head.length === 0 ? data : Buffer.concat([this.#head, data]);
      const end = read.indexOf(HEAD_END);
      if (end < 0) {
        this.#head = Buffer.from(read);
        return;
      }
      this.#head = Buffer.alloc(0);
      this.#readHead(read, end);
    }
    if (this.#bytesLeft > 0) return;
    const answer = this.#answer!;
    this.#answer = null;
    const settle = this.#settle;
    this.#settle = null;
    settle?.resolve(answer);
  }

  #readHead(read: Buffer, end: number): void {
    const head = read.toString('latin1', 0, end);
    const bodyBytes = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    const bodyAt = end + HEAD_END.length;
    const bodyStart = read.toString('latin1', bodyAt, Math.min(bodyAt + 200, read.length));
    this.#answer = { status: Number(head.slice(9, 12)), bodyBytes, bodyStart };
    this.#bytesLeft = bodyBytes - (read.length - bodyAt);
  }

  #fail(error: Error): void {
    this.#settle?.reject(error);
    this.#settle = null;
  }
}

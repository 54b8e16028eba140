import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OnEvent } from './events.ts';

const KEEP_ALIVE_MS = 15_000;
/** More than any owner has windows; bounds what a leaking client costs. */
const MAX_STREAMS = 50;
/** A client that reads so slowly is cut off: it comes back and asks for all it shows. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** The event streams (text/event-stream) that are open. */
export class EventStreams {
  readonly #listen: (onEvent: OnEvent) => () => void;
  readonly #open = new Set<ServerResponse>();
  #isClosed = false;

  constructor(listen: (onEvent: OnEvent) => () => void) {
    this.#listen = listen;
  }

  /** Answers a request with a stream. Returns false, with nothing sent, where no more may be opened. */
  open(request: FastifyRequest, reply: FastifyReply): boolean {
    if (this.#isClosed || this.#open.size >= MAX_STREAMS) return false;
    const response = reply.raw;
    const headers = reply.getHeaders() as OutgoingHttpHeaders;
    reply.hijack();
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' });
    request.raw.socket.setNoDelay(true);
    const write = (text: string) => {
      response.write(text);
      if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
    };
    write(': connected\n\n');
    const stopListening = this.#listen((event, payload) => {
      write(`event: ${event}\ndata: ${JSON.stringify(payload)}\n\n`);
    });
    const keepAlive = setInterval(() => write(': keep-alive\n\n'), KEEP_ALIVE_MS);
    this.#open.add(response);
    response.once('close', () => {
      this.#open.delete(response);
      clearInterval(keepAlive);
      stopListening();
    });
    return true;
  }

  /** Ends every stream, and opens no more. */
  close(): void {
    this.#isClosed = true;
    for (const response of this.#open) response.end();
  }
}

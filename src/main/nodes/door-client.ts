import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { answerText } from '../common/answer-text.ts';
import { VERSION } from '../common/version.ts';
import { faultOf, NodeFault } from './fault.ts';
import { type Pin, trustOnly } from './pinned.ts';

const ANSWER_WITHIN_MS = 20_000;
/** A longer answer is not from a node. */
const MAX_ANSWER_BYTES = 16 * 1024 ** 2;

/** The answer of a door. */
export interface DoorAnswer {
  readonly status: number;
  /** undefined if it is not JSON. */
  readonly json: unknown;
}

interface Question {
  readonly path: string;
  /** null if no body is sent. */
  readonly content: Buffer | null;
  readonly token: string | null;
}

/** Sends requests to one door. Nothing is written to a connection before its certificate matches the pin. */
export class DoorClient {
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #ended = new AbortController();

  constructor(url: string, pin: Pin) {
    this.#url = new URL(url);
    this.#agent = new Agent({ ...trustOnly(pin), keepAlive: true, maxSockets: 6, timeout: ANSWER_WITHIN_MS });
  }

  /** Sends a GET request; resolves for any status. Rejects with NodeFault. */
  get(path: string): Promise<DoorAnswer> {
    return this.#ask({ path, content: null, token: null });
  }

  /** Sends a POST request; resolves for any status. Rejects with NodeFault. */
  post(path: string, body: unknown, token: string | null): Promise<DoorAnswer> {
    return this.#ask({ path, content: Buffer.from(JSON.stringify(body)), token });
  }

  /** Aborts the requests in progress. */
  close(): void {
    this.#ended.abort();
    this.#agent.destroy();
  }

  async #ask(question: Question): Promise<DoorAnswer> {
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    try {
      const response = await this.#send(question, signal);
      const words = 'an answer that is too long';
      const text = await answerText(response, MAX_ANSWER_BYTES, () => new NodeFault('not_a_door', words));
      return { status: response.statusCode ?? 0, json: parsed(text) };
    } catch (error) {
      throw faultOf(error);
    }
  }

  #send(question: Question, signal: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { path, content, token } = question;
    const sent = request(new URL(path, this.#url), {
      method: content === null ? 'GET' : 'POST',
      agent: this.#agent,
      signal,
      headers: {
        ...(content === null ? {} : { 'content-type': 'application/json', 'content-length': content.length }),
        'user-agent': `Wellhouse/${VERSION}`,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    sent.once('response', resolve);
    sent.once('error', (error: NodeJS.ErrnoException) => {
      // The node closed this kept connection just now, and has not read the request.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(this.#send(question, signal));
      else reject(error);
    });
    sent.end(content ?? undefined);
    return promise;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

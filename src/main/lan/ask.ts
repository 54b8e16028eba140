import { hostPort } from '../../shared/host-port.ts';
import { isPrivateAddress } from '../../shared/private-address.ts';
import { answerText } from '../common/answer-text.ts';
import { request as httpRequest } from '../common/http-client.ts';

const TIMEOUT_MS = 1000;
const MAX_ANSWER_BYTES = 64 * 1024;
const HTTP_PORT = 80;

/** The address of a device's page in a private network. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

/**
 * Parses `host`, `host:port`, `[ipv6]:port` or the URL of a page. Returns null if it is not an address of a private
 * network.
 */
export function placeOf(text: string): Place | null {
  const bare = text
    .trim()
    .replace(/^http:\/\//i, '')
    .replace(/\/.*$/, '');
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+|[^:]*:[^:]*:.*?))(?::(\d{1,5}))?$/.exec(bare) ?? [];
  const address = bracketed?.replace('%25', '%') ?? plain ?? '';
  const number = port === undefined ? HTTP_PORT : Number(port);
  return isPrivateAddress(address) && number > 0 && number < 65_536 ? { address, port: number } : null;
}

/** Returns a place in the form that the owner would type. */
export function textOf({ address, port }: Place): string {
  return port === HTTP_PORT ? address : hostPort(address, port);
}

/** The answer is longer than that of any device. */
export class TooLongError extends Error {}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends one request to a device's page. The answer must arrive within a second and have at most 64 KiB; redirects are
 * not followed. Rejects if there is no complete answer, with TooLongError if it is too long.
 */
export function ask({ address, port }: Place, path: string, form?: URLSearchParams): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  if (!isPrivateAddress(address)) throw new TypeError('not a private address');
  const body = form?.toString();
  const request = httpRequest({
    host: address,
    port,
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      host: hostPort(address, port),
      ...(body === undefined
        ? { accept: 'application/json' }
        : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }),
    },
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  request.on('error', reject);
  request.on('response', (response) => {
    const tooLong = () => new TooLongError('an answer of over 64 KiB');
    answerText(response, MAX_ANSWER_BYTES, tooLong).then(
      (text) => resolve({ status: response.statusCode!, text }),
      reject,
    );
  });
  request.end(body);
  return promise;
}

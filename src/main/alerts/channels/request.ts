import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { displayText } from '../../../shared/display-text.ts';
import { answerText } from '../../common/answer-text.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import { request as httpRequest } from '../../common/http-client.ts';
import { VERSION } from '../../common/version.ts';
import { ChannelError } from './channel.ts';
import { netError } from './net-faults.ts';

/** The limit for the whole request, until the last byte of the answer. */
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_RETRY_AFTER_S = 3600;
const SHOWN_WORDS = 200;

export interface Post {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json: string;
  /** false if the status alone decides the outcome: the body is not read. */
  readonly isAnswerRead: boolean;
  readonly timeoutMs?: number;
}

export interface PostAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty if it is not read. */
  readonly text: string;
}

/**
 * Sends HTTP for all channels, with a timeout and a bound on the size of the answer. It does not follow redirects.
 * Rejects with ChannelError, which contains neither URL nor headers: both may contain secrets. Resolves for any status
 * except redirects.
 */
export async function post(options: Post, signal: AbortSignal): Promise<PostAnswer> {
  const url = new URL(options.url);
  if (!/^https?:$/.test(url.protocol)) throw new ChannelError('unexpected', 'not an http or https address');
  const ended = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)]);
  try {
    const response = await answerTo(url, options, ended);
    const { statusCode: status = 0, headers } = response;
    if (status >= 300 && status < 400) {
      response.destroy();
      throw new ChannelError('redirect', `HTTP ${status}${target(url, headers.location)}`);
    }
    if (options.isAnswerRead) return { status, headers, text: await textOf(response) };
    response.destroy();
    return { status, headers, text: '' };
  } catch (error) {
    throw netError(ended.aborted && !(error instanceof ChannelError) ? ended.reason : error);
  }
}

function answerTo(url: URL, { headers, json }: Post, signal: AbortSignal): Promise<IncomingMessage> {
  const body = Buffer.from(json);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      'user-agent': `Wellhouse/${VERSION}`,
    },
    // Each request has its own connection: a kept one may be just closing, and the message would be sent twice.
    agent: false,
    signal,
  });
  request.on('response', resolve);
  request.on('error', reject);
  request.end(body);
  return promise;
}

function textOf(response: IncomingMessage): Promise<string> {
  const words = `HTTP ${response.statusCode}, an answer of over 64 KiB`;
  return answerText(response, MAX_ANSWER_BYTES, () => new ChannelError('unexpected', words));
}

/** Returns the server that a redirect points to, without the path, which may contain secrets. */
function target(from: URL, location: string | undefined): string {
  const to = location === undefined ? null : URL.parse(location, from.href);
  if (to === null || to.origin === 'null') return '';
  return ` to ${to.origin === from.origin ? 'another address of the same server' : to.origin}`;
}

/** Returns the meaning of a status, for channels that know no better; null for 2xx. */
export function statusError({ status, headers }: PostAnswer, words = ''): ChannelError | null {
  if (status >= 200 && status < 300) return null;
  const detail = words === '' ? `HTTP ${status}` : `HTTP ${status}: ${words}`;
  const retryAfterMs = retryAfter(headers['retry-after']);
  if (status === 401 || status === 403) return new ChannelError('unauthorized', detail);
  if (status === 404) return new ChannelError('not_found', detail);
  if (status === 410) return new ChannelError('not_found', detail, { isPermanent: true });
  if (status === 429) return new ChannelError('busy', detail, { retryAfterMs });
  if (status >= 500) return new ChannelError('server', detail, { retryAfterMs });
  return new ChannelError('rejected', detail);
}

/** Posts JSON that is not a notice. The receiver can recognise duplicates by the id. Rejects with ChannelError. */
export async function postMessage(url: string, id: string, json: string, signal: AbortSignal): Promise<void> {
  const timestamp = String(Math.floor(SYSTEM_CLOCK.now() / 1000));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  const error = statusError(await post({ url, headers, json, isAnswerRead: false }, signal));
  if (error !== null) throw error;
}

/** Parses seconds or a date (RFC 9110). Returns milliseconds, at most an hour; null if there is neither. */
function retryAfter(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - SYSTEM_CLOCK.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), MAX_RETRY_AFTER_S) * 1000;
}

/** Returns a server's own words, ready to be shown and without the secrets that it may have repeated. */
export function serverWords(text: unknown, secrets: readonly string[]): string {
  if (typeof text !== 'string') return '';
  let words = text;
  for (const secret of secrets) {
    if (secret === '') continue;
    for (const form of formsOf(secret)) words = words.replaceAll(form, '…');
  }
  return displayText(words, SHOWN_WORDS);
}

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, encodeURIComponent(secret), base64, base64.replace(/=+$/, '')];
}

/** Returns the parsed answer; null if it is not JSON. */
export function jsonOf({ text }: PostAnswer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

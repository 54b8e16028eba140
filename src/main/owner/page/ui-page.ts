import { randomBytes } from 'node:crypto';
import { CODINGS, chooseCoding } from './content-coding.ts';
import type { UiFile } from './ui-files.ts';

const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;

/** The headers of every answer of the owner's view, in the browser and on the desktop. */
export const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
} as const;

/** A worker gets its policy from its own file. This policy lets the worker with the owner's keys reach no address. */
const FILE_POLICY = "default-src 'none'; script-src 'self'";

/** An answer that is ready to be sent. */
export interface UiAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Returns the page, each time with a new nonce. The style sheets that Mantine creates carry it. */
export function indexAnswer(file: UiFile): UiAnswer {
  const nonce = randomBytes(16).toString('base64');
  return {
    headers: {
      ...COMMON_HEADERS,
      'content-security-policy': contentSecurityPolicy(nonce, file.inlineSource),
      'content-type': file.contentType,
      'cache-control': 'no-store',
    },
    body: file.bytes.toString('utf8').replace(NONCE_PLACEHOLDER, nonce),
  };
}

/** Returns any other file of the view, unchanged. */
export function fileAnswer(file: UiFile): UiAnswer {
  return {
    headers: {
      ...COMMON_HEADERS,
      'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      'content-type': file.contentType,
      'content-security-policy': FILE_POLICY,
    },
    body: file.bytes,
  };
}

/** The formats that a client accepts. */
export interface AnswerWishes {
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/** An answer whose body is null if the client has it already. */
export interface CodedAnswer extends Pick<UiAnswer, 'headers'> {
  readonly body: UiAnswer['body'] | null;
}

/** Returns a file of the view in the coding that the client prefers. */
export function codedAnswer(file: UiFile, { acceptEncoding, ifNoneMatch }: AnswerWishes): CodedAnswer {
  const plain = fileAnswer(file);
  const available = CODINGS.filter((name) => file.encoded[name] !== undefined);
  const coding = chooseCoding(acceptEncoding, available);
  const etag = `"${file.hash}${coding === null ? '' : `-${coding}`}"`;
  const headers = { ...plain.headers, etag, ...(available.length > 0 && { vary: 'accept-encoding' }) };
  if (isKnown(etag, ifNoneMatch)) return { headers, body: null };
  if (coding === null) return { headers, body: plain.body };
  return { headers: { ...headers, 'content-encoding': coding }, body: file.encoded[coding] ?? plain.body };
}

/** Returns whether an If-None-Match (RFC 9110, 13.1.2) names the answer. A proxy may have marked it as weak. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

function contentSecurityPolicy(nonce: string, inlineSource: string | undefined): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", inlineSource ?? ''].join(' ').trimEnd(),
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

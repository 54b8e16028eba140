import { randomBytes } from 'node:crypto';
import type { UiFile } from './ui-files.ts';

const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;

/** What every answer of the owner's view carries, in the browser and on the desktop. */
export const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
} as const;

/** A worker takes its policy from its own file: the one that holds the owner's keys can reach no address at all. */
const FILE_POLICY = "default-src 'none'; script-src 'self'";

/** An answer that is ready to be sent. */
export interface UiAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** The page itself, each time with a nonce of its own: the style sheets that Mantine makes carry it. */
export function indexAnswer(file: UiFile): UiAnswer {
  const nonce = randomBytes(16).toString('base64');
  return {
    headers: {
      ...COMMON_HEADERS,
      'content-security-policy': contentSecurityPolicy(nonce),
      'content-type': file.contentType,
      'cache-control': 'no-store',
    },
    body: file.bytes.toString('utf8').replace(NONCE_PLACEHOLDER, nonce),
  };
}

/** Any other file of the view. */
export function fileAnswer(file: UiFile): UiAnswer {
  const caching = file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  return {
    headers: {
      ...COMMON_HEADERS,
      'cache-control': caching,
      'content-type': file.contentType,
      'content-security-policy': FILE_POLICY,
    },
    body: file.bytes,
  };
}

function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

import type { UiFile } from '../../owner/page/ui-files.ts';
import { COMMON_HEADERS, fileAnswer, indexAnswer } from '../../owner/page/ui-page.ts';

export const SCHEME = 'app';
const HOST = 'wellhouse';

export const PAGE_URL = `${SCHEME}://${HOST}/`;

/** Returns whether an address has our own scheme and host. */
export function isOwnUrl(url: string): boolean {
  try {
    const { protocol: scheme, host, username } = new URL(url);
    return scheme === `${SCHEME}:` && host === HOST && username === '';
  } catch {
    return false;
  }
}

/** Returns whether an address is that of the page, at any place in it; other files are no pages. */
export function isPageUrl(url: string): boolean {
  if (!isOwnUrl(url)) return false;
  const { pathname, search } = new URL(url);
  return pathname === '/' && search === '';
}

/** Answers a request. Only names in the list of files are served, so no spelling of a path leads outside. */
export function answerTo(url: string, method: string, files: ReadonlyMap<string, UiFile>): Response {
  if (method !== 'GET' && method !== 'HEAD') return refusal(405);
  if (!isOwnUrl(url)) return refusal(404);
  const name = new URL(url).pathname.slice(1) || 'index.html';
  const file = files.get(name);
  if (file === undefined) return refusal(404);
  const { headers, body } = name === 'index.html' ? indexAnswer(file) : fileAnswer(file);
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), { headers });
}

function refusal(status: number): Response {
  return new Response(null, { status, headers: COMMON_HEADERS });
}

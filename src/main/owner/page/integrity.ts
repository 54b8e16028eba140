import { createHash } from 'node:crypto';

/** What a name in an import map has to begin with. */
const RELATIVE = './';

/** The page with an import map, and the source expression that its content security policy needs for it. */
export interface PinnedPage {
  readonly html: string;
  readonly source: string;
}

/**
 * Pins every script that the page may load later, by name relative to it, to its content: should another program take the
 * node's port, a page that is open takes no code from it.
 */
export function pinScripts(html: string, scripts: ReadonlyMap<string, Buffer>): PinnedPage {
  const integrity = Object.fromEntries(
    [...scripts].map(([name, bytes]) => [RELATIVE + name, `sha384-${digest('sha384', bytes)}`]),
  );
  const map = JSON.stringify({ integrity });
  // A browser fetches these ahead, before it has read the map, and would fetch them again if their tags did not say it.
  const pinned = html.replace(/<script (?=[^>]*\ssrc="([^"]+)")/g, (tag, name: string) => {
    const hash = integrity[name];
    return hash === undefined ? tag : `${tag}integrity="${hash}" `;
  });
  return {
    // Ahead of everything that loads a module.
    html: pinned.replace('<head>', () => `<head>\n    <script type="importmap">${map}</script>`),
    source: `'sha256-${digest('sha256', map)}'`,
  };
}

function digest(algorithm: string, bytes: Buffer | string): string {
  return createHash(algorithm).update(bytes).digest('base64');
}

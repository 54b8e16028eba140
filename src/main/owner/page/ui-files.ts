import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from '../../common/once.ts';
import { StartError } from '../../common/start-error.ts';
import { CODINGS, type Coding } from './content-coding.ts';

/** The prefix of a name in an import map. */
const RELATIVE = './';

/** The page with an import map, and the source expression that its content security policy needs for it. */
interface PinnedPage {
  readonly html: string;
  readonly source: string;
}

/**
 * Pins every script that the page may load later, by name relative to the page, to its content. If another program
 * takes the node's port, an open page runs no code from it.
 */
function pinScripts(html: string, scripts: ReadonlyMap<string, Buffer>): PinnedPage {
  const integrity = Object.fromEntries(
    [...scripts].map(([name, bytes]) => [RELATIVE + name, `sha384-${digest('sha384', bytes)}`]),
  );
  const map = JSON.stringify({ integrity });
  // A browser preloads these scripts before it has read the map. Without the hash in the tag it would fetch them again.
  const pinned = html.replace(/<script (?=[^>]*\ssrc="([^"]+)")/g, (tag, name: string) => {
    const hash = integrity[name];
    return hash === undefined ? tag : `${tag}integrity="${hash}" `;
  });
  return {
    // The map must come before everything that loads a module.
    html: pinned.replace('<head>', () => `<head>\n    <script type="importmap">${map}</script>`),
    source: `'sha256-${digest('sha256', map)}'`,
  };
}

function digest(algorithm: string, bytes: Buffer | string): string {
  return createHash(algorithm).update(bytes).digest('base64');
}

/** A file of the built renderer. */
export interface UiFile {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Whether its name has a hash of its content, so that it never changes. */
  readonly isImmutable: boolean;
  /** A part of the SHA-256 of its content. */
  readonly hash: string;
  /** For the page: the source expression of its import map. */
  readonly inlineSource?: string;
  /** The versions that the build compressed, if they are smaller. */
  readonly encoded: { readonly [Name in Coding]?: Buffer };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.avif': 'image/avif',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};
const EXTENSIONS: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' };
const INDEX = 'index.html';
const HASHED = /-[A-Za-z0-9_-]{8,}\.[a-z0-9]+$/;

/** Returns the folder of the built renderer, relative to the built main files or to this source. */
export function rendererDir(): string {
  const fromHere = import.meta.url.endsWith('.ts') ? '../../../../out/renderer/' : '../renderer/';
  return fileURLToPath(new URL(fromHere, import.meta.url));
}

/** Returns the files of the page by their paths. Reads them at the first call. */
export type UiFiles = () => ReadonlyMap<string, UiFile>;

/**
 * Returns the files of the built renderer. They are read when the page is first opened, since many nodes run for months
 * without that. Throws StartError if there is no build.
 */
export function uiFilesIn(dir: string): UiFiles {
  if (!existsSync(join(dir, INDEX))) throw notBuilt(dir, `it has no ${INDEX}`);
  return once(() => loadUiFiles(dir));
}

/**
 * Reads the built renderer into memory (about 7 MB, and 5 MB in the given codings, by default all), by path relative to
 * its folder with `/` between names. Only these files are served, so a build while the node runs does not mix two
 * versions. Throws StartError if there is no build.
 */
export function loadUiFiles(dir: string, codings: readonly Coding[] = CODINGS): ReadonlyMap<string, UiFile> {
  const files = new Map<string, UiFile>();
  try {
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const contentType = CONTENT_TYPES[extname(entry.name)];
      if (contentType === undefined) continue;
      const name = relative(dir, path).split(sep).join('/');
      const bytes = readFileSync(path);
      const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
      files.set(name, {
        bytes,
        contentType,
        isImmutable: HASHED.test(name),
        hash,
        encoded: readEncoded(path, codings),
      });
    }
  } catch (error) {
    throw notBuilt(dir, (error as Error).message);
  }
  const index = files.get(INDEX);
  if (index === undefined) throw notBuilt(dir, `it has no ${INDEX}`);
  const scripts = [...files]
    .filter(([name]) => name.endsWith('.js'))
    .map(([name, { bytes }]) => [name, bytes] as const);
  const { html, source } = pinScripts(index.bytes.toString('utf8'), new Map(scripts));
  files.set(INDEX, { ...index, bytes: Buffer.from(html), inlineSource: source, encoded: {} });
  return files;
}

function readEncoded(path: string, codings: readonly Coding[]): UiFile['encoded'] {
  const there = codings.filter((coding) => existsSync(path + EXTENSIONS[coding]));
  return Object.fromEntries(there.map((coding) => [coding, readFileSync(path + EXTENSIONS[coding])]));
}

function notBuilt(dir: string, why: string): StartError {
  return new StartError(`the owner's view can't be read from ${dir} (${why}); run npm run build first`);
}

import { isIP } from 'node:net';
import { wordlist } from '@scure/bip39/wordlists/english.js';

// Patterns of data that is recognizably private by its form.

/** Home folders of any user, in paths and file URLs of any system. */
const HOMES = /(?:\/home|\/Users|\/root(?=\/|$)|[A-Za-z]:[\\/]+Users)(?:(?<=root)|[\\/]+[^\\/\s"'<>|:;,)]+)/g;
const MAC = /(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![0-9A-Za-z])/g;
const HEX = /(?<![0-9A-Za-z])(?:0x)?[0-9A-Fa-f]{12,}(?![0-9A-Za-z])/g;
/** 64-bit values, such as a location, in decimal; a time in milliseconds is shorter. */
const LONG_NUMBER = /(?<![0-9A-Za-z.])[0-9]{15,}(?![0-9A-Za-z])/g;
const SECRET = /(?<![A-Za-z0-9_+-])[A-Za-z0-9_+-]{32,}={0,2}/g;
const PADDED_BASE64 = /(?:[A-Za-z0-9+/]{4}){8,}[A-Za-z0-9+/]{2,3}={1,2}/g;
const ADDRESS =
  /(?<![0-9A-Za-z.])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7})(?![0-9A-Za-z])/g;
/** The user name and password in a URL. */
const LOGIN = /(?<=[A-Za-z][A-Za-z0-9+.-]*:\/\/)[^\s/?#"'<>]+(?=@)/g;
/** The last label consists of letters: `fastify@5.12.8` is a package. */
const MAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?![\p{L}\p{N}])/gu;

/** A part of a path. A part with spaces must be followed by a separator. */
const PART = String.raw`(?:[^\\/\s"'<>|:;,()]+(?: [^\\/\s"'<>|:;,()]+){0,4}(?=[\\/])|[^\\/\s"'<>|:;,()]+)`;
/** An absolute path or the path of a file URL; it can't follow a stand-in, a home or a word. */
const UNIX_PATH = String.raw`(?:(?<=file:\/\/)|(?<![\p{L}\p{N}.~>\\/_-]))\/${PART}(?:\/+${PART})*`;
const WINDOWS_PATH = String.raw`(?:(?<![\p{L}\p{N}])[A-Za-z]:|(?<![\p{L}\p{N}:\\/])\\(?=\\))[\\/]+${PART}(?:[\\/]+${PART})*`;
const PATH = new RegExp(`${UNIX_PATH}|${WINDOWS_PATH}`, 'gu');
/** Folders that every system has, and the node's own routes: they are useful for support and not private. */
const KNOWN =
  /^(?:\/(?:usr|bin|sbin|lib|lib64|etc|proc|sys|dev|opt|boot|snap|nix|System|Library|Applications|v1|ui|health|openapi\.json|assets)(?=\/|$)|[A-Za-z]:[\\/]+(?:Windows|Program Files(?: \(x86\))?|ProgramData)(?=[\\/]|$))/i;
/** From here on, a path is the program's own. */
const CODE = /[\\/](?:app\.asar|node_modules|out[\\/]+(?:main|preload|renderer)|src[\\/]+main)(?:\.unpacked)?[\\/].*$/;

/** Replaces absolute paths, except for the known ones, by the result of `standIn`. */
function withoutPaths(text: string, standIn: (path: string) => string): string {
  return text.replace(PATH, (found) => {
    if (KNOWN.test(found)) return found;
    const code = CODE.exec(found)?.[0] ?? '';
    return standIn(found.slice(0, found.length - code.length)) + code;
  });
}

/** The private strings of this machine that are not recognizable by their form. */
export interface Private {
  /** Paths and their replacements; a longer path comes before the paths that contain it. */
  readonly paths: readonly (readonly [path: string, label: string])[];
  /** Names of devices, owners, hosts and users: everything that a person chose. */
  readonly names: readonly string[];
}

const WORDS = new Set(wordlist);
const PHRASE_WORDS = 12;
const OWN_ADDRESSES = new Set(['0.0.0.0', '::', '::1']);

/**
 * Removes private data from texts. The same data always gets the same stand-in, such as `<id-2>`, so that a log can
 * still be followed.
 */
export class Redactor {
  readonly #private: Private;
  readonly #names: readonly RegExp[];
  readonly #shortNames: ReadonlySet<string>;
  readonly #standIns = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(known: Private) {
    this.#private = known;
    const names = [...new Set(known.names.map((name) => name.trim()))].sort((a, b) => b.length - a.length);
    this.#shortNames = new Set(names.filter((name) => name.length < 3));
    this.#names = names
      .filter((name) => name.length >= 3)
      .map((name) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, 'giu'));
  }

  /** Redacts a text. */
  text(text: string): string {
    if (this.#shortNames.has(text.trim())) return this.#standIn('name', text.trim());
    let redacted = text;
    for (const [path, label] of this.#private.paths) redacted = redacted.replaceAll(path, label);
    redacted = redacted
      .replace(LOGIN, (found) => this.#standIn('login', found))
      .replace(MAIL, (found) => this.#standIn('mail', found))
      .replace(HOMES, '~');
    redacted = withoutPaths(redacted, (path) => this.#standIn('path', path));
    for (const name of this.#names) redacted = redacted.replace(name, (found) => this.#standIn('name', found));
    redacted = redacted
      .replace(MAC, (found) => this.#standIn('mac', found))
      .replace(HEX, (found) => (/[A-Fa-f]/.test(found) || found.length > 20 ? this.#standIn('id', found) : found))
      .replace(LONG_NUMBER, (found) => this.#standIn('number', found))
      .replace(PADDED_BASE64, (found) => this.#standIn('secret', found))
      .replace(SECRET, (found) => this.#standIn('secret', found))
      .replace(ADDRESS, (found) => (isForeign(found) ? this.#standIn('address', found) : found));
    return withoutPhrases(redacted);
  }

  /** Redacts a JSON value: its texts, and the names of its members. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [this.text(name), this.value(inner)]));
  }

  /**
   * Redacts lines of a log. JSON lines are parsed, because their texts may contain escapes; other lines are treated as
   * text.
   */
  lines(text: string): string {
    return text
      .split('\n')
      .map((line) => {
        try {
          return JSON.stringify(this.value(JSON.parse(line)));
        } catch {
          return this.text(line);
        }
      })
      .join('\n');
  }

  #standIn(kind: string, original: string): string {
    const key = `${kind} ${original.toLowerCase()}`;
    let standIn = this.#standIns.get(key);
    if (standIn === undefined) {
      const count = (this.#counts.get(kind) ?? 0) + 1;
      this.#counts.set(kind, count);
      standIn = `<${kind}-${count}>`;
      this.#standIns.set(key, standIn);
    }
    return standIn;
  }
}

/** Returns a pattern that matches the text literally. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function isForeign(text: string): boolean {
  return isIP(text) !== 0 && !OWN_ADDRESSES.has(text) && !text.startsWith('127.');
}

/** Replaces twelve words of the list in a row, which are a phrase or close to one. */
function withoutPhrases(text: string): string {
  return text.replace(/[a-z]{3,8}(?:[\s,]+[a-z]{3,8}){11,}/g, (run) => {
    const words = run.split(/[\s,]+/);
    let inRow = 0;
    for (const word of words) {
      inRow = WORDS.has(word) ? inRow + 1 : 0;
      if (inRow === PHRASE_WORDS) return '<phrase>';
    }
    return run;
  });
}

import { isIP } from 'node:net';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { ADDRESS, HEX, HOMES, LOGIN, LONG_NUMBER, MAC, MAIL, PADDED_BASE64, SECRET, withoutPaths } from './shapes.ts';

/** What is private on this machine, besides what is told by its shape. */
export interface Private {
  /** Paths and what stands for them, the longer before those that they lie in. */
  readonly paths: readonly (readonly [path: string, label: string])[];
  /** Names of devices, owners, hosts, users: whatever somebody chose. */
  readonly names: readonly string[];
}

const WORDS = new Set(wordlist);
const PHRASE_WORDS = 12;
const OWN_ADDRESSES = new Set(['0.0.0.0', '::', '::1']);

/**
 * Takes what is private out of texts. The same thing gets the same stand-in each time, such as `<id-2>`, so that a log
 * can still be followed.
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

  /** One text. */
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

  /** Any JSON value: its texts, and the names of its members. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [this.text(name), this.value(inner)]));
  }

  /** Lines of a log: JSON by its members, since a text within it may be written with escapes; others as they are. */
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

/** A text as a pattern for itself. */
function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function isForeign(text: string): boolean {
  return isIP(text) !== 0 && !OWN_ADDRESSES.has(text) && !text.startsWith('127.');
}

/** Twelve words of the list in a row are a phrase, or as good as one. */
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

import { hostPort } from './host-port.ts';

/** The path at which a code is exchanged for a token. Open to anyone who reaches the door. */
export const PAIR_PATH = '/ui/api/pair';
/** The path at which a browser asks whether the owner has ended its token. */
export const ENDED_PATH = '/ui/api/pairing-ended';

// The link that pairs a phone or an app with a node:
// `https://<address>:<port>/ui/#/pair?code=<code>&fingerprint=<hex>`. A fragment is never sent, so no log has the code.
// This module uses no schema library, because the first page needs none.

/** Letters and digits that can't be confused: no 0 O D Q, 1 I L J, 2 Z, 5 S, 8 B, U V. */
export const PAIRING_CODE_ALPHABET = '34679ACEFGHKMNPRTWXY';
export const PAIRING_CODE_LENGTH = 8;

/** The contents of a pairing link. */
export interface PairingLink {
  /** The address of the door, such as `https://192.168.1.5:3443`. */
  readonly origin: string;
  /** Eight characters, without the hyphen. */
  readonly code: string;
  /** SHA-256 of the last certificate of the door's chain, in lowercase hex. */
  readonly fingerprint: string;
}

/** Letters of other alphabets that look like those of a code. Keyboards of other languages write them. */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [...'АСЕНКМРТХУ'].map((letter, at) => [letter, 'ACEHKMPTXY'[at]!]),
);

/** Why a text is not a code. */
export type PairingCodeFault =
  | { readonly kind: 'length'; readonly length: number }
  /** Characters that are in no code, each once. */
  | { readonly kind: 'characters'; readonly characters: readonly string[] };

/**
 * Reads typed text as a code, whatever its case, dashes, dots and spaces, or returns its problem. Finds the code in a
 * whole link too.
 */
export function typedPairingCode(text: string): { readonly code: string } | PairingCodeFault {
  const typed = /[?&]code=([^&\s]*)/.exec(text)?.[1] ?? text;
  const characters = [
    ...typed
      .normalize('NFKC')
      .toUpperCase()
      .replace(/[\s\p{Pd}\p{Pc}.−]/gu, ''),
  ].map((character) => LOOKALIKES[character] ?? character);
  const foreign = characters.filter((character) => !PAIRING_CODE_ALPHABET.includes(character));
  if (foreign.length > 0) return { kind: 'characters', characters: [...new Set(foreign)] };
  if (characters.length !== PAIRING_CODE_LENGTH) return { kind: 'length', length: characters.length };
  return { code: characters.join('') };
}

/** Returns the code in a typed text; null if it has none. */
export function readPairingCode(text: string): string | null {
  const typed = typedPairingCode(text);
  return 'code' in typed ? typed.code : null;
}

/** Returns a code in its shown form. */
export function showPairingCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/**
 * Returns a SHA-256 fingerprint (hex, in any case) in its shown form: capitals in groups of two digits, as browsers and
 * phones show it.
 */
export function showFingerprint(fingerprint: string): string {
  return fingerprint.toUpperCase().match(/../g)?.join(':') ?? '';
}

/** Returns the origin of a door at an address. */
export function doorOrigin(address: string, port: number): string {
  return `https://${hostPort(address, port)}`;
}

/** Returns the link for a QR code. */
export function pairingLink({ origin, code, fingerprint }: PairingLink): string {
  return `${origin}/ui/#/pair?code=${showPairingCode(code)}&fingerprint=${fingerprint}`;
}

const LINK = /^(https:\/\/[^/?#@\s]+)\/ui\/?#\/pair\?(\S+)$/i;

/** Returns the contents of a link; null if it is not a pairing link. */
export function readPairingLink(text: string): PairingLink | null {
  const [, origin, query = ''] = LINK.exec(text.trim()) ?? [];
  const said = readPairingQuery(query);
  return origin === undefined || said === null ? null : { origin: origin.toLowerCase(), ...said };
}

/** Reads the part of a link after `?`. Returns null if it is not one. */
export function readPairingQuery(query: string): Omit<PairingLink, 'origin'> | null {
  const said = (name: string) => new RegExp(`(?:^|&)${name}=([^&]*)`).exec(query)?.[1] ?? '';
  const code = readPairingCode(said('code'));
  const fingerprint = said('fingerprint').toLowerCase();
  return code === null || !/^[0-9a-f]{64}$/.test(fingerprint) ? null : { code, fingerprint };
}

import { hostPort } from './host-port.ts';

/** Where a code is given for a token. Open to whoever reaches the door. */
export const PAIR_PATH = '/ui/api/pair';

// The link that pairs a phone or an app with a node: `https://<address>:<port>/ui/#/pair?code=<code>&fingerprint=<hex>`.
// A fragment is never sent, so the code is in no log. Without a library for schemas: the first page needs none.

/** Letters and digits that are not taken for each other: no 0 O D Q, 1 I L J, 2 Z, 5 S, 8 B, U V. */
export const PAIRING_CODE_ALPHABET = '34679ACEFGHKMNPRTWXY';
export const PAIRING_CODE_LENGTH = 8;

/** What a pairing link says. */
export interface PairingLink {
  /** Where the door is, such as `https://192.168.1.5:3443`. */
  readonly origin: string;
  /** Eight characters, without the hyphen. */
  readonly code: string;
  /** SHA-256 of the last certificate of the door's chain, in lowercase hex. */
  readonly fingerprint: string;
}

/** The code in what somebody typed, whatever its case, hyphens and spaces; null where that is none. */
export function readPairingCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[\s-]/g, '');
  if (code.length !== PAIRING_CODE_LENGTH) return null;
  return [...code].every((character) => PAIRING_CODE_ALPHABET.includes(character)) ? code : null;
}

/** A code as it is shown. */
export function showPairingCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/**
 * A SHA-256 fingerprint (hex, in any case) in the one form that people are shown: capitals, two digits at a time, as browsers
 * and phones show it.
 */
export function showFingerprint(fingerprint: string): string {
  return fingerprint.toUpperCase().match(/../g)?.join(':') ?? '';
}

/** Where a door at an address is. */
export function doorOrigin(address: string, port: number): string {
  return `https://${hostPort(address, port)}`;
}

/** The link for a QR code. */
export function pairingLink({ origin, code, fingerprint }: PairingLink): string {
  return `${origin}/ui/#/pair?code=${showPairingCode(code)}&fingerprint=${fingerprint}`;
}

const LINK = /^(https:\/\/[^/?#@\s]+)\/ui\/?#\/pair\?(\S+)$/i;

/** What a link says; null where it is none. */
export function readPairingLink(text: string): PairingLink | null {
  const [, origin, query = ''] = LINK.exec(text.trim()) ?? [];
  const said = readPairingQuery(query);
  return origin === undefined || said === null ? null : { origin: origin.toLowerCase(), ...said };
}

/** The part of a link after `?`; null where it is none. */
export function readPairingQuery(query: string): Omit<PairingLink, 'origin'> | null {
  const said = (name: string) => new RegExp(`(?:^|&)${name}=([^&]*)`).exec(query)?.[1] ?? '';
  const code = readPairingCode(said('code'));
  const fingerprint = said('fingerprint').toLowerCase();
  return code === null || !/^[0-9a-f]{64}$/.test(fingerprint) ? null : { code, fingerprint };
}

import { bytesToHex, hexToBytes } from '../crypto/hex.ts';
import { FIELD_NAMES, type FieldName } from '../protocol/fields.ts';
import {
  MAX_CIPHER_BYTES,
  MAX_KEY_VERSION,
  MAX_RAW_BYTES,
  MIN_CIPHER_BYTES,
  NONCE_BYTES,
  SIGNATURE_BYTES,
} from '../protocol/limits.ts';
import { isUint64Text } from '../protocol/uint64.ts';
import { parseSize } from './note.ts';

/**
 * The text of entries of a store's log. Each entry has exactly one form; docs/proof.md has the format. The bytes of the
 * text are hashed, so nothing here may change for existing entries.
 */

/** The entry of a reading. */
export interface ReadingEntry {
  readonly kind: 'reading';
  /** Lowercase hex. */
  readonly device: string;
  /** Unsigned 64-bit decimals. */
  readonly seq: string;
  readonly timestamp: string;
  /** Unix milliseconds, as first recorded. */
  readonly receivedAt: number;
  /** The clock of the time of reception; 0 for a clock that was known to be right. */
  readonly clock: number;
  readonly keyVersion: number;
  /** null if the signature is not stored. */
  readonly signed: { readonly signature: Uint8Array; readonly raw: Uint8Array } | null;
  /** Numbers are plain values, bytes are encrypted ones (nonce, then cipher and tag); absent fields are left out. */
  readonly fields: ReadonlyMap<FieldName, number | Uint8Array>;
}

/** Says that all times by one clock are to be read as later by some milliseconds, and as times by another clock. */
export interface CorrectionEntry {
  readonly kind: 'correction';
  readonly clock: number;
  readonly next: number;
  readonly by: number;
  /** When the correction was made, in Unix milliseconds. */
  readonly at: number;
}

/** The ways in which a device is registered. */
export const REGISTRATION_WAYS = ['gate', 'local', 'public', 'adopted', 'imported'] as const;
export type RegistrationWay = (typeof REGISTRATION_WAYS)[number];

/** The registration under which a device was accepted. */
export interface RegistrationEntry {
  readonly kind: 'registration';
  /** Lowercase hex. */
  readonly device: string;
  /** When it was accepted, in Unix milliseconds, as first recorded. */
  readonly at: number;
  readonly way: RegistrationWay;
  /**
   * The name of the pairing that adopted it, as JSON; null if it was somebody at the machine itself, or if nobody
   * adopted it.
   */
  readonly by: string | null;
  /** The registration that the device sent, as JSON; null if it was adopted before it sent any. */
  readonly received: string | null;
}

/** An entry whose content was deleted before it was hashed. */
export interface MissingEntry {
  readonly kind: 'missing';
}

export type LogEntry = ReadingEntry | CorrectionEntry | RegistrationEntry | MissingEntry;

const DOUBLE_BYTES = 8;
const [MIN_SEALED_BYTES, MAX_SEALED_BYTES] = [NONCE_BYTES + MIN_CIPHER_BYTES, NONCE_BYTES + MAX_CIPHER_BYTES];

/** Returns the text of an entry. */
export function entryText(entry: LogEntry): string {
  switch (entry.kind) {
    case 'reading':
      return readingText(entry);
    case 'correction':
      return `correction\nclock ${entry.clock}\nnext ${entry.next}\nby ${entry.by}\nat ${entry.at}\n`;
    case 'registration':
      return registrationText(entry);
    case 'missing':
      return 'missing\n';
  }
}

/** Returns the start of the text of a device's registration. No other entry starts like this. */
export function registrationStart(device: string): string {
  return `registration\ndevice ${device}\n`;
}

function registrationText({ device, at, way, by, received }: RegistrationEntry): string {
  let text = `${registrationStart(device)}at ${at}\nway ${way}\n`;
  if (by !== null) text += `by ${by}\n`;
  if (received !== null) text += `received ${received}\n`;
  return text;
}

function readingText({ device, seq, timestamp, receivedAt, clock, keyVersion, signed, fields }: ReadingEntry): string {
  let text = `reading\ndevice ${device}\nseq ${seq}\ntimestamp ${timestamp}\nreceived ${receivedAt}\n`;
  text += `clock ${clock}\nkey-version ${keyVersion}\n`;
  if (signed !== null) text += `signature ${bytesToHex(signed.signature)}\nsigned ${bytesToHex(signed.raw)}\n`;
  for (const name of FIELD_NAMES) {
    const value = fields.get(name);
    if (typeof value === 'number') text += `plain ${name} ${doubleHex(value)}\n`;
    else if (value !== undefined) text += `sealed ${name} ${bytesToHex(value)}\n`;
  }
  return text;
}

/** Returns the entry of a text; null if it is not an entry, or not in the one allowed form. */
export function parseEntry(text: string): LogEntry | null {
  const entry = readEntry(text);
  return entry !== null && entryText(entry) === text ? entry : null;
}

function readEntry(text: string): LogEntry | null {
  if (!text.endsWith('\n')) return null;
  const [kind, ...lines] = text.slice(0, -1).split('\n');
  if (kind === 'missing') return lines.length === 0 ? { kind } : null;
  if (kind === 'registration') return readRegistration(lines);
  const members = lines.map((line) => line.split(' '));
  if (kind === 'correction') return readCorrection(members);
  return kind === 'reading' ? readReading(members) : null;
}

function readRegistration(lines: readonly string[]): RegistrationEntry | null {
  const values = new Map(lines.map((line) => [line.split(' ', 1)[0], line.slice(line.indexOf(' ') + 1)]));
  const [device, way] = [values.get('device') ?? '', REGISTRATION_WAYS.find((each) => each === values.get('way'))];
  const at = parseSize(values.get('at') ?? '');
  if (!/^[0-9a-f]{64}$/.test(device) || at === null || way === undefined) return null;
  const [by, received] = [values.get('by') ?? null, values.get('received') ?? null];
  if (by === '' || received === '' || (by !== null && way !== 'adopted')) return null;
  // Only an adopted or imported device can be without its registration.
  if (received === null && way !== 'adopted' && way !== 'imported') return null;
  return { kind: 'registration', device, at, way, by, received };
}

function readCorrection(members: readonly string[][]): CorrectionEntry | null {
  const [clock, next, by, at] = ['clock', 'next', 'by', 'at'].map((name, index) => memberOf(members, index, name));
  const numbers = [clock, next, at].map((value) => parseSize(value ?? ''));
  const sign = by?.startsWith('-') === true ? -1 : 1;
  const amount = parseSize((by ?? '').replace(/^-/, ''));
  if (numbers.includes(null) || amount === null || members.length !== 4) return null;
  return { kind: 'correction', clock: numbers[0]!, next: numbers[1]!, by: amount * sign + 0, at: numbers[2]! };
}

function readReading(members: readonly string[][]): ReadingEntry | null {
  const [device, seq, timestamp] = ['device', 'seq', 'timestamp'].map((name, index) => memberOf(members, index, name));
  const [receivedAt, clock, keyVersion] = ['received', 'clock', 'key-version'].map((name, index) =>
    parseSize(memberOf(members, index + 3, name) ?? ''),
  );
  if (device === undefined || !/^[0-9a-f]{64}$/.test(device)) return null;
  if (![seq, timestamp].every((value) => value !== undefined && isUint64Text(value))) return null;
  if (receivedAt == null || clock == null || keyVersion == null || keyVersion > MAX_KEY_VERSION) return null;
  const hasSignature = members[6]?.[0] === 'signature';
  const signature = bytesOf(memberOf(members, 6, 'signature'));
  const raw = bytesOf(memberOf(members, 7, 'signed'));
  if (hasSignature && (signature?.length !== SIGNATURE_BYTES || raw === null || raw.length > MAX_RAW_BYTES))
    return null;
  const fields = new Map<FieldName, number | Uint8Array>();
  for (const [form, name, value, ...rest] of members.slice(hasSignature ? 8 : 6)) {
    const bytes = bytesOf(value);
    if (bytes === null || rest.length > 0 || !isFieldName(name) || fields.has(name)) return null;
    if (form === 'plain' && bytes.length === DOUBLE_BYTES && Number.isFinite(doubleOf(bytes))) {
      fields.set(name, doubleOf(bytes));
    } else if (form === 'sealed' && bytes.length >= MIN_SEALED_BYTES && bytes.length <= MAX_SEALED_BYTES) {
      fields.set(name, bytes);
    } else return null;
  }
  const signed = hasSignature ? { signature: signature!, raw: raw! } : null;
  const rest = { signed, fields };
  return { kind: 'reading', device, seq: seq!, timestamp: timestamp!, receivedAt, clock, keyVersion, ...rest };
}

/** Returns the value of the member at a place; undefined if another member is there. */
function memberOf(members: readonly string[][], place: number, name: string): string | undefined {
  const [found, value, ...rest] = members[place] ?? [];
  return found === name && rest.length === 0 ? value : undefined;
}

function isFieldName(name: string | undefined): name is FieldName {
  return (FIELD_NAMES as readonly (string | undefined)[]).includes(name);
}

function bytesOf(hex: string | undefined): Uint8Array | null {
  return hex !== undefined && hex.length % 2 === 0 && /^[0-9a-f]*$/.test(hex) ? hexToBytes(hex) : null;
}

const double = new DataView(new ArrayBuffer(DOUBLE_BYTES));
const doubleBytes = new Uint8Array(double.buffer);

function doubleHex(value: number): string {
  double.setFloat64(0, value);
  return bytesToHex(doubleBytes);
}

function doubleOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0);
}

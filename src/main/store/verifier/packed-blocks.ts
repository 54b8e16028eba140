import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import {
  MAX_CIPHER_BYTES,
  MAX_RAW_BYTES,
  NONCE_BYTES,
  PUBLIC_KEY_BYTES,
  SIGNATURE_BYTES,
} from '../../../shared/protocol/limits.ts';
import type { BlockReading, Reading, SignatureCheck, StoredField } from '../reading.ts';

/**
 * The form in which threads exchange a block: its fate, the input of its signature check, and the reading to store.
 * Numbers are little-endian.
 *
 *     length u16 · fate u8 · kind of reading u8 · public key 32 · signature 64 · message length u16 · message
 *     and with a reading: seq u64 · timestamp u64 · received at f64 · key version u32 · clock u32 · the fields
 *
 * A field is its form (u8), followed by an f64 if it is plain, or by its length (u16) and bytes if it is sealed.
 */
const FATE = 2;
const KIND = 3;
const KEY = 4;
const SIGNATURE = KEY + PUBLIC_KEY_BYTES;
const MESSAGE_LENGTH = SIGNATURE + SIGNATURE_BYTES;
const MESSAGE = MESSAGE_LENGTH + 2;
/** Offsets from the end of the message. */
const SEQ = 0;
const TIMESTAMP = 8;
const RECEIVED_AT = 16;
const KEY_VERSION = 24;
const CLOCK = 28;
const FIELDS = 32;
/** Whether a block has a reading, and whether its signature and message are stored with it. */
const Kind = { NO_READING: 0, READING: 1, SIGNED_READING: 2 } as const;
const Form = { ABSENT: 0, PLAIN: 1, SEALED: 2 } as const;
const LARGEST_FIELD = 3 + NONCE_BYTES + MAX_CIPHER_BYTES;

/** The maximum size of a block, in bytes. */
export const LARGEST_BLOCK = MESSAGE + MAX_RAW_BYTES + FIELDS + FIELD_NAMES.length * LARGEST_FIELD;

/** Returns the bytes that a block without a reading takes. */
export function packedLength({ message }: SignatureCheck): number {
  return MESSAGE + message.length / 2;
}

/** The state of a block so far, or its outcome. */
export const Fate = {
  /** Its signature has not been checked yet. */
  UNCHECKED: 0,
  /** Its signature is good. For a block without a reading, this is the final outcome. */
  GOOD: 1,
  BAD_SIGNATURE: 2,
  STORED: 3,
  /** Its reading was already stored. */
  DUPLICATE: 4,
  /** Its device is not registered in the store. */
  UNKNOWN_DEVICE: 5,
  /** The store refused writes. */
  NOT_STORED: 6,
  /** It could not be checked or stored because of a bug of this program. */
  FAILED: 7,
} as const;
export type Fate = (typeof Fate)[keyof typeof Fate];

/** Packed blocks in a piece of memory, each identified by its offset. */
export class PackedBlocks {
  readonly bytes: Buffer;
  readonly #view: DataView;

  constructor(memory: ArrayBufferLike, offset: number, length: number) {
    this.bytes = Buffer.from(memory as ArrayBuffer, offset, length);
    this.#view = new DataView(memory, offset, length);
  }

  /** Writes a block without a reading, with fate UNCHECKED. Returns the offset of its end. */
  writeCheck(at: number, { publicKey, signature, message }: SignatureCheck): number {
    const { bytes } = this;
    bytes[at + FATE] = Fate.UNCHECKED;
    bytes[at + KIND] = Kind.NO_READING;
    bytes.set(publicKey, at + KEY);
    bytes.write(signature, at + SIGNATURE, 'hex');
    const messageBytes = bytes.write(message, at + MESSAGE, 'hex');
    this.#view.setUint16(at + MESSAGE_LENGTH, messageBytes, true);
    return this.#end(at, at + MESSAGE + messageBytes);
  }

  /** Adds a reading to the block that was written last. Returns the new offset of its end. */
  writeReading(at: number, reading: BlockReading): number {
    const { seq, timestamp, receivedAt, keyVersion, clock, fields, keepsSigned } = reading;
    const view = this.#view;
    const from = this.#readingAt(at);
    this.bytes[at + KIND] = keepsSigned ? Kind.SIGNED_READING : Kind.READING;
    this.#writeUint64(from + SEQ, seq);
    this.#writeUint64(from + TIMESTAMP, timestamp);
    view.setFloat64(from + RECEIVED_AT, receivedAt, true);
    view.setUint32(from + KEY_VERSION, keyVersion, true);
    view.setUint32(from + CLOCK, clock, true);
    let end = from + FIELDS;
    for (const name of FIELD_NAMES) end = this.#writeField(end, fields[name]);
    return this.#end(at, end);
  }

  /** Returns the offset of the block's end, where the next block begins. */
  endOf(at: number): number {
    return at + this.#view.getUint16(at, true);
  }

  fateOf(at: number): Fate {
    return this.bytes[at + FATE] as Fate;
  }

  setFate(at: number, fate: Fate): void {
    this.bytes[at + FATE] = fate;
  }

  hasReading(at: number): boolean {
    return this.bytes[at + KIND] !== Kind.NO_READING;
  }

  /** Returns whether its signature and message are stored with its reading. */
  keepsSigned(at: number): boolean {
    return this.bytes[at + KIND] === Kind.SIGNED_READING;
  }

  publicKeyOf(at: number): Buffer {
    return this.bytes.subarray(at + KEY, at + SIGNATURE);
  }

  /** Returns its public key in lowercase hex. */
  deviceIdOf(at: number): string {
    return this.bytes.toString('hex', at + KEY, at + SIGNATURE);
  }

  signatureOf(at: number): Buffer {
    return this.bytes.subarray(at + SIGNATURE, at + MESSAGE_LENGTH);
  }

  messageOf(at: number): Buffer {
    return this.bytes.subarray(at + MESSAGE, this.#readingAt(at));
  }

  /** Returns public key, signature and message in one string, one character per byte. */
  checkText(at: number): string {
    return this.bytes.toString('latin1', at + KEY, this.#readingAt(at));
  }

  /** Returns a number if that is exact, as for all everyday values. */
  seqOf(at: number): number | bigint {
    return this.#readUint64(this.#readingAt(at) + SEQ);
  }

  timestampOf(at: number): number | bigint {
    return this.#readUint64(this.#readingAt(at) + TIMESTAMP);
  }

  receivedAtOf(at: number): number {
    return this.#view.getFloat64(this.#readingAt(at) + RECEIVED_AT, true);
  }

  setReceivedAt(at: number, receivedAt: number): void {
    this.#view.setFloat64(this.#readingAt(at) + RECEIVED_AT, receivedAt, true);
  }

  keyVersionOf(at: number): number {
    return this.#view.getUint32(this.#readingAt(at) + KEY_VERSION, true);
  }

  /** Returns the number of the clock; 0: the clock was known to be right. */
  clockOf(at: number): number {
    return this.#view.getUint32(this.#readingAt(at) + CLOCK, true);
  }

  /**
   * Appends the fields in their order to a list. Sealed ones are views of this memory, valid as long as the block is.
   */
  readFields(at: number, into: unknown[]): void {
    const view = this.#view;
    let from = this.#readingAt(at) + FIELDS;
    for (let field = 0; field < FIELD_NAMES.length; field += 1) {
      const form = this.bytes[from]!;
      if (form === Form.ABSENT) {
        into.push(null);
        from += 1;
      } else if (form === Form.PLAIN) {
        into.push(view.getFloat64(from + 1, true));
        from += 9;
      } else {
        const end = from + 3 + view.getUint16(from + 1, true);
        into.push(this.bytes.subarray(from + 3, end));
        from = end;
      }
    }
  }

  /** Returns the whole reading, as a copy. */
  readingOf(at: number): Reading {
    const values: StoredField[] = [];
    this.readFields(at, values);
    const fields = {} as Record<FieldName, StoredField>;
    for (const [index, name] of FIELD_NAMES.entries()) {
      const value = values[index]!;
      fields[name] = value === null || typeof value === 'number' ? value : new Uint8Array(value);
    }
    return {
      seq: BigInt(this.seqOf(at)),
      timestamp: BigInt(this.timestampOf(at)),
      receivedAt: this.receivedAtOf(at),
      keyVersion: this.keyVersionOf(at),
      fields,
    };
  }

  #readingAt(at: number): number {
    return at + MESSAGE + this.#view.getUint16(at + MESSAGE_LENGTH, true);
  }

  #end(at: number, end: number): number {
    this.#view.setUint16(at, end - at, true);
    return end;
  }

  #writeField(at: number, value: StoredField): number {
    if (value === null) {
      this.bytes[at] = Form.ABSENT;
      return at + 1;
    }
    if (typeof value === 'number') {
      this.bytes[at] = Form.PLAIN;
      this.#view.setFloat64(at + 1, value, true);
      return at + 9;
    }
    this.bytes[at] = Form.SEALED;
    this.#view.setUint16(at + 1, value.length, true);
    this.bytes.set(value, at + 3);
    return at + 3 + value.length;
  }

  #writeUint64(at: number, text: string): void {
    if (text.length > DIGITS_OF_EXACT) this.#view.setBigUint64(at, BigInt(text), true);
    else {
      const value = Number(text);
      this.#view.setUint32(at, value % TWO_TO_32, true);
      this.#view.setUint32(at + 4, Math.floor(value / TWO_TO_32), true);
    }
  }

  #readUint64(at: number): number | bigint {
    const high = this.#view.getUint32(at + 4, true);
    if (high >= TWO_TO_21) return this.#view.getBigUint64(at, true);
    return high * TWO_TO_32 + this.#view.getUint32(at, true);
  }
}

/** Decimal numbers with at most this many digits are below 2^53. */
const DIGITS_OF_EXACT = 15;
const TWO_TO_21 = 2 ** 21;
const TWO_TO_32 = 2 ** 32;

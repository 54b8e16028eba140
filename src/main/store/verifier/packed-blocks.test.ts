import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import type { BlockReading, SignatureCheck, StoredField } from '../reading.ts';
import { Fate, LARGEST_BLOCK, PackedBlocks, packedLength } from './packed-blocks.ts';

const bytes = (min: number, max: number) => fc.uint8Array({ minLength: min, maxLength: max });
const hex = (min: number, max: number) => bytes(min, max).map((value) => Buffer.from(value).toString('hex'));
const uint64 = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  // The limit of exact numbers, and the limit at which text is read as a bigint.
  fc.constantFrom(
    0n,
    2n ** 32n,
    2n ** 53n - 1n,
    2n ** 53n,
    2n ** 53n + 1n,
    10n ** 16n + 1n,
    10n ** 15n - 1n,
    10n ** 15n,
    2n ** 63n,
    2n ** 64n - 1n,
  ),
);
const field: fc.Arbitrary<StoredField> = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  bytes(28, 268),
);
const check: fc.Arbitrary<SignatureCheck> = fc.record({
  publicKey: bytes(32, 32),
  signature: hex(64, 64),
  message: hex(0, 1024),
});

function allFields<T>(value: T): Record<FieldName, T> {
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, value])) as Record<FieldName, T>;
}

const reading: fc.Arbitrary<BlockReading> = fc.record({
  seq: uint64.map(String),
  timestamp: uint64.map(String),
  receivedAt: fc.nat({ max: 8_640_000_000_000 }),
  keyVersion: fc.nat({ max: 0xffff_ffff }),
  clock: fc.nat({ max: 0xffff_ffff }),
  fields: fc.record(allFields(field)),
  keepsSigned: fc.boolean(),
});

function memoryFor(blocks: number): PackedBlocks {
  const size = blocks * LARGEST_BLOCK;
  // At an unaligned offset.
  return new PackedBlocks(new SharedArrayBuffer(size + 3), 3, size);
}

it('reads the packed content, block by block', () => {
  const block = fc.tuple(check, fc.option(reading), fc.constantFrom(...Object.values(Fate)));
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), (blocks) => {
      const packed = memoryFor(blocks.length);
      const begins: number[] = [];
      let at = 0;
      for (const [signed, kept, fate] of blocks) {
        begins.push(at);
        let end = packed.writeCheck(at, signed);
        if (kept !== null) end = packed.writeReading(at, kept);
        expect(packed.fateOf(at)).toBe(Fate.UNCHECKED);
        packed.setFate(at, fate);
        at = end;
      }
      let next = 0;
      for (const [index, [signed, kept, fate]] of blocks.entries()) {
        expect(next).toBe(begins[index]);
        expect(packed.fateOf(next)).toBe(fate);
        expect(packed.publicKeyOf(next)).toEqual(Buffer.from(signed.publicKey));
        expect(packed.deviceIdOf(next)).toBe(Buffer.from(signed.publicKey).toString('hex'));
        expect(packed.signatureOf(next).toString('hex')).toBe(signed.signature);
        expect(packed.messageOf(next).toString('hex')).toBe(signed.message);
        expect(packed.hasReading(next)).toBe(kept !== null);
        if (kept !== null) {
          const { seq, timestamp, clock, keepsSigned, ...rest } = kept;
          expect(packed.clockOf(next)).toBe(clock);
          expect(packed.keepsSigned(next)).toBe(keepsSigned);
          expect(packed.readingOf(next)).toEqual({ ...rest, seq: BigInt(seq), timestamp: BigInt(timestamp) });
          expect([BigInt(packed.seqOf(next)), BigInt(packed.timestampOf(next))]).toEqual([
            BigInt(seq),
            BigInt(timestamp),
          ]);
          expect([packed.receivedAtOf(next), packed.keyVersionOf(next)]).toEqual([kept.receivedAt, kept.keyVersion]);
        }
        next = packed.endOf(next);
      }
      expect(next).toBe(at);
    }),
  );
});

it('reads only exact numbers as numbers', () => {
  fc.assert(
    fc.property(check, reading, (signed, kept) => {
      const packed = memoryFor(1);
      packed.writeCheck(0, signed);
      packed.writeReading(0, kept);
      expect(typeof packed.seqOf(0)).toBe(BigInt(kept.seq) < 2n ** 53n ? 'number' : 'bigint');
    }),
  );
});

it('two checks have the same text only if key, signature and message are equal', () => {
  fc.assert(
    fc.property(check, check, (one, other) => {
      const packed = memoryFor(3);
      const second = packed.writeCheck(0, one);
      const third = packed.writeCheck(second, other);
      packed.writeCheck(third, { ...one, signature: one.signature.toUpperCase() });
      const same = JSON.stringify([...one.publicKey, one.signature, one.message]);
      const isSame = same === JSON.stringify([...other.publicKey, other.signature, other.message]);
      expect(packed.checkText(0) === packed.checkText(second)).toBe(isSame);
      expect(packed.checkText(third)).toBe(packed.checkText(0));
    }),
  );
});

it('the largest block has the documented size', () => {
  const packed = memoryFor(1);
  packed.writeCheck(0, { publicKey: Buffer.alloc(32), signature: '00'.repeat(64), message: '00'.repeat(1024) });
  const largest = {
    seq: '1',
    timestamp: '1',
    receivedAt: 1,
    keyVersion: 1,
    clock: 1,
    fields: allFields(Buffer.alloc(12 + 256)),
    keepsSigned: true,
  };
  expect(packed.writeReading(0, largest)).toBe(LARGEST_BLOCK);
});

it('a returned reading does not change when the memory is used again', () => {
  const packed = memoryFor(1);
  const signed = { publicKey: Buffer.alloc(32), signature: '00'.repeat(64), message: '' };
  const fields = allFields(Buffer.alloc(28, 7));
  packed.writeCheck(0, signed);
  packed.writeReading(0, {
    seq: '1',
    timestamp: '1',
    receivedAt: 1,
    keyVersion: 1,
    clock: 1,
    fields,
    keepsSigned: true,
  });
  const read = packed.readingOf(0);
  packed.bytes.fill(0);
  expect(read.fields.ph).toEqual(new Uint8Array(28).fill(7));
});

describe('a block in memory that was used before', () => {
  const signed = { publicKey: Buffer.alloc(32, 1), signature: '02'.repeat(64), message: '030405' };
  const fields = { ...allFields<StoredField>(null), ph: 6.5, ec: Buffer.alloc(28, 9) };
  const kept = { seq: '6', timestamp: '7', receivedAt: 8.5, keyVersion: 10, clock: 11, fields, keepsSigned: false };
  /** Where the block begins, behind another one. */
  const AT = 100;
  const used = () => {
    const packed = memoryFor(2);
    packed.bytes.fill(0xff);
    return packed;
  };

  it('has the documented form', () => {
    const packed = used();
    const end = packed.writeCheck(AT, signed);
    expect(end - AT).toBe(packedLength(signed));
    const check = `${'01'.repeat(32)}${'02'.repeat(64)}0300030405`;
    expect(packed.bytes.toString('hex', AT, end)).toBe(`69000000${check}`);
    expect(packed.bytes.subarray(0, AT).every((byte) => byte === 0xff)).toBe(true);
    const whole = packed.writeReading(AT, kept);
    const uint64 = (value: number) => value.toString(16).padStart(2, '0').padEnd(16, '0');
    const reading = `${uint64(6)}${uint64(7)}00000000000021400a0000000b000000`;
    const length = (whole - AT).toString(16);
    expect(packed.bytes.toString('hex', AT, whole)).toBe(
      `${length.padEnd(4, '0')}0001${check}${reading}010000000000001a40021c00${'09'.repeat(28)}00000000`,
    );
    expect(packed.bytes.subarray(whole).every((byte) => byte === 0xff)).toBe(true);
  });

  it('may get another time of arrival', () => {
    const packed = used();
    packed.writeCheck(AT, signed);
    packed.writeReading(AT, kept);
    const before = Buffer.from(packed.bytes);
    packed.setReceivedAt(AT, 1_760_000_000_000.25);
    expect(packed.receivedAtOf(AT)).toBe(1_760_000_000_000.25);
    packed.setReceivedAt(AT, 8.5);
    expect(packed.bytes.equals(before)).toBe(true);
  });

  it('adds its fields to a list', () => {
    const packed = used();
    packed.writeCheck(AT, signed);
    packed.writeReading(AT, kept);
    const into: unknown[] = ['before'];
    packed.readFields(AT, into);
    expect(into).toEqual(['before', 6.5, Buffer.alloc(28, 9), null, null, null, null]);
    packed.bytes.fill(7);
    expect(into[2]).toEqual(Buffer.alloc(28, 7));
  });

  it.each([
    ['999999999999999', 999_999_999_999_999],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', 2n ** 53n],
    ['4294967295', 4_294_967_295],
    ['4294967296', 4_294_967_296],
    ['18446744073709551615', 2n ** 64n - 1n],
  ])('has the number %s', (text, value) => {
    const packed = used();
    packed.writeCheck(AT, signed);
    packed.writeReading(AT, { ...kept, seq: text, timestamp: text });
    expect([packed.seqOf(AT), packed.timestampOf(AT)]).toEqual([value, value]);
  });

  it('has the text of its key, signature and message, whatever reading it has', () => {
    const packed = used();
    packed.writeCheck(AT, signed);
    packed.writeReading(AT, { ...kept, keepsSigned: true });
    const text = Buffer.from(`${'01'.repeat(32)}${'02'.repeat(64)}0300030405`, 'hex').toString('latin1');
    expect(packed.checkText(AT)).toBe(text);
    expect([packed.keepsSigned(AT), packed.hasReading(AT)]).toEqual([true, true]);
    packed.writeCheck(AT, signed);
    expect([packed.keepsSigned(AT), packed.hasReading(AT), packed.endOf(AT)]).toEqual([false, false, AT + 105]);
  });
});

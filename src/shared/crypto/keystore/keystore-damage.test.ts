import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createKeystore, type OpenKeystore, openKeystore, unlockWithDataKey, withOsWrap } from './keystore.ts';
import { emptyContents } from './keystore-contents.ts';
import { encodeFile, isIntact, MAX_OS_WRAP_BYTES, parseFile } from './keystore-format.ts';

const PASSPHRASE = 'a well in the orchard';
const HEADER_BYTES = 121;
const wrong = (reason: string) => ({ ok: false, reason });

/** Returns a changed file with a recomputed checksum, as an attacker would write it. */
function withChecksum(bytes: Uint8Array): Uint8Array {
  return encodeFile(bytes.slice(0, -32), new Uint8Array());
}

let bytes: Uint8Array;
let keystore: OpenKeystore;
beforeAll(async () => {
  ({ bytes, keystore } = await createKeystore(PASSPHRASE, emptyContents(), { cost: { n: 2 ** 15, r: 8, p: 1 } }));
});

describe('damage', () => {
  it('of any single byte is reported as damage, before a passphrase is tried', async () => {
    for (let at = 0; at < bytes.length; at += 1) {
      for (const flip of [0x01, 0x80, 0xff]) {
        const damaged = bytes.with(at, bytes[at]! ^ flip);
        expect(unlockWithDataKey(damaged, keystore.dataKey)).toEqual(wrong('damaged'));
        // The same check comes first here: scrypt does not run, or this test would take minutes.
        expect(await openKeystore(damaged, PASSPHRASE)).toEqual(wrong('damaged'));
      }
    }
  });

  it('is reported if the wrap of the system has more than 4 KiB', () => {
    const withWrap = (length: number) => {
      const header = bytes.slice(0, HEADER_BYTES);
      header.set([length >> 8, length & 0xff], HEADER_BYTES - 2);
      return encodeFile(Buffer.concat([header, Buffer.alloc(length)]), bytes.slice(HEADER_BYTES, -32));
    };
    expect(parseFile(withWrap(MAX_OS_WRAP_BYTES))).toMatchObject({ ok: true });
    expect(parseFile(withWrap(MAX_OS_WRAP_BYTES + 1))).toEqual(wrong('damaged'));
  });

  it('is reported if another program’s file has a right checksum', () => {
    const other = withChecksum(bytes.with(0, bytes[0]! ^ 1));
    expect([isIntact(other), parseFile(other)]).toEqual([false, wrong('damaged')]);
    expect(isIntact(bytes)).toBe(true);
  });

  it('is reported if the payload is shorter than nonce and tag', () => {
    const withPayload = (length: number) => encodeFile(bytes.slice(0, HEADER_BYTES), new Uint8Array(length));
    expect(parseFile(withPayload(40))).toMatchObject({ ok: true });
    expect(parseFile(withPayload(39))).toEqual(wrong('damaged'));
  });

  it('of any length is reported as damage', async () => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(await openKeystore(bytes.slice(0, length), PASSPHRASE)).toEqual(wrong('damaged'));
    }
    expect(await openKeystore(Buffer.concat([bytes, bytes]), PASSPHRASE)).toEqual(wrong('damaged'));
    expect(await openKeystore(Buffer.concat([bytes, Buffer.of(0)]), PASSPHRASE)).toEqual(wrong('damaged'));
  });

  it('of any kind never crashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), fc.boolean(), async (any, hasMagic) => {
        const file = hasMagic ? Buffer.concat([bytes.subarray(0, 9), any]) : any;
        expect(await openKeystore(file, PASSPHRASE)).toEqual(wrong('damaged'));
      }),
    );
  });

  it('made by somebody who also recomputed the checksum never opens either, at any byte', () => {
    const reasons = new Map<string, number>();
    for (let at = 0; at < bytes.length - 32; at += 1) {
      const outcome = unlockWithDataKey(withChecksum(bytes.with(at, bytes[at]! ^ 0x01)), keystore.dataKey);
      expect(outcome.ok, `byte ${at}`).toBe(false);
      if (!outcome.ok) reasons.set(outcome.reason, (reasons.get(outcome.reason) ?? 0) + 1);
    }
    // Magic, kdf, N (2^15 with a changed bit is 2^14), r, p (0), and a length that the file does not have, or version
    // 0.
    expect([...reasons.keys()].sort()).toEqual(['damaged', 'newer_version', 'wrong_key']);
  });

  it('of only the payload is reported as damage with the right passphrase', async () => {
    const at = bytes.length - 100;
    expect(await openKeystore(withChecksum(bytes.with(at, bytes[at]! ^ 1)), PASSPHRASE)).toEqual(wrong('damaged'));
  });

  it('of the header: a header of another payload never opens', () => {
    const other = withOsWrap(keystore, Uint8Array.of(1, 2, 3));
    const spliced = Buffer.concat([bytes.subarray(0, HEADER_BYTES), other.bytes.subarray(HEADER_BYTES + 3)]);
    expect(unlockWithDataKey(withChecksum(spliced), keystore.dataKey)).toEqual(wrong('wrong_key'));
  });
});

describe('a newer version', () => {
  it('of the format is reported, with anything after its version', async () => {
    const newer = encodeFile(bytes.slice(0, 9), Buffer.concat([Buffer.of(0, 2), Buffer.from('anything at all')]));
    expect(await openKeystore(newer, PASSPHRASE)).toEqual(wrong('newer_version'));
    expect(isIntact(newer)).toBe(true);
    expect(isIntact(newer.with(20, 0))).toBe(false);
  });

  it.each([
    [{ version: 3, secrets: 'elsewhere' }, 'newer_version'],
    [{ version: 2, secrets: 'elsewhere' }, 'damaged'],
    [{ version: 1, secrets: 'elsewhere' }, 'damaged'],
    [{ version: 0 }, 'damaged'],
    [null, 'damaged'],
    [7, 'damaged'],
  ])('of the contents is reported: %j is %s', (json, reason) => {
    const header = bytes.slice(0, HEADER_BYTES);
    const nonce = new Uint8Array(24);
    const sealed = xchacha20poly1305(keystore.dataKey, nonce, header).encrypt(Buffer.from(JSON.stringify(json)));
    const file = encodeFile(header, Buffer.concat([nonce, sealed]));
    expect(unlockWithDataKey(file, keystore.dataKey)).toEqual(wrong(reason));
  });
});

import { expect, it } from 'vitest';
import { MAX_KEY_VERSION } from '../../protocol/limits.ts';
import { createKeystore, openKeystore, saveContents, withOsWrap } from './keystore.ts';
import { emptyContents, type KeystoreContents } from './keystore-contents.ts';
import { MAX_FIELD_KEYS, MAX_KEYSTORE_BYTES, MAX_LABEL_LENGTH, MAX_SECRETS } from './keystore-limits.ts';

const hex = (bytes: number, number: number) => number.toString(16).padStart(bytes * 2, '0');

it('all allowed contents fit into the largest file', async () => {
  const time = 8_640_000_000_000_000;
  const words = 24;
  const contents: KeystoreContents = {
    ...emptyContents(),
    secrets: Array.from({ length: MAX_SECRETS }, (_, index) => ({
      id: hex(16, index),
      // A control character takes six bytes of JSON.
      label: '\u0001'.repeat(MAX_LABEL_LENGTH),
      createdAt: time,
      kind: 'phrase' as const,
      phrase: Array.from({ length: words }, () => '\u0001'.repeat(40)).join(' '),
      language: 'portuguese' as const,
    })),
    fieldKeys: Array.from({ length: MAX_FIELD_KEYS }, (_, index) => ({
      deviceId: hex(32, index),
      keyVersion: MAX_KEY_VERSION,
      keyHex: hex(32, index),
      source: 'generated' as const,
      addedAt: time,
    })),
  };
  const cost = { n: 2 ** 15, r: 8, p: 1 };
  const { keystore } = await createKeystore('any passphrase', emptyContents(), { cost });
  const full = withOsWrap(saveContents(keystore, contents).keystore, new Uint8Array(4096));
  expect(full.bytes.length).toBeLessThanOrEqual(MAX_KEYSTORE_BYTES);
  const outcome = await openKeystore(full.bytes, 'any passphrase');
  expect(outcome.ok && outcome.keystore.contents.fieldKeys.length).toBe(MAX_FIELD_KEYS);
});

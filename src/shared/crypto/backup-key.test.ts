import { hkdfSync } from 'node:crypto';
import { bech32 } from '@scure/base';
import { identityToRecipient } from 'age-encryption';
import { describe, expect, it } from 'vitest';
import { isBackupIdentity, isBackupRecipient } from './age-keys.ts';
import { backupIdentity } from './backup-key.ts';
import { standardSeed } from './phrase/phrase.ts';

/** The known answers of docs/backup.md. Debian's `age-keygen -y` made the recipients from the identities. */
const KNOWN = [
  {
    phrase: 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
    identity: 'AGE-SECRET-KEY-1ECXDZ6RNFK2WU56W8285KJYN8LSGU8TPLZGJVT0FD2E6CRT2ASZQE6U22L',
    recipient: 'age14dejs4qje7hefdeylcddcf78jce864n5tzvn0xe07zmq5ctg6ees9r0lcc',
  },
  {
    phrase: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
    identity: 'AGE-SECRET-KEY-13PRNF9JCVN9VFZX9J4S24GLVF0PMAPZQ84L7X7MVNHHPCF5HL7DSAKE69M',
    recipient: 'age1n6qqzdusjuz5pdrts5ku3hg63ragz5akfxzfhf27d3m6h5yv2uaqhfhpj9',
  },
];

describe('backupIdentity', () => {
  it.each(KNOWN)('of "$phrase" is the known one', async ({ phrase, identity, recipient }) => {
    const made = backupIdentity(standardSeed(phrase));
    expect(made).toBe(identity);
    expect(await identityToRecipient(made)).toBe(recipient);
    expect(isBackupIdentity(made)).toBe(true);
    expect(isBackupRecipient(recipient)).toBe(true);
  });

  it('is HKDF-SHA-256 of the seed, without a salt, under a label of its own', () => {
    const seed = new Uint8Array(32).fill(7);
    const key = Buffer.from(hkdfSync('sha256', seed, new Uint8Array(0), 'wellhouse/backup-key/v1', 32));
    expect(key.toString('hex')).toBe('10e560c389b93e62ac9f983c7f812dad2583f6307556ccb1c99952a8984a4d37');
    expect(backupIdentity(seed)).toBe('AGE-SECRET-KEY-1ZRJKPSUFHYLX9TYLNQ78LQFD45JC8A3SW4TVEVWFN9F23XZ2F5MSS0U723');
  });

  it('accepts only 32 bytes', () => {
    expect(() => backupIdentity(new Uint8Array(31))).toThrow();
  });
});

describe('age keys', () => {
  it('are distinguished from other texts', () => {
    const [{ identity, recipient }] = KNOWN as [(typeof KNOWN)[0]];
    for (const text of ['', 'age1', recipient.toUpperCase(), `${recipient}q`, identity, 'age1pq1qqqq']) {
      expect(isBackupRecipient(text), text).toBe(false);
    }
    for (const text of ['', identity.toLowerCase(), recipient, identity.slice(0, -1)]) {
      expect(isBackupIdentity(text), text).toBe(false);
    }
  });

  it('are distinguished from age keys of another kind or length', () => {
    const key = (prefix: string, bytes = 32) => bech32.encodeFromBytes(prefix, new Uint8Array(bytes).fill(7));
    expect(isBackupRecipient(key('age'))).toBe(true);
    for (const text of [key('age', 31), key('age', 33), key('age1tag'), key('ag'), key('age1yubikey', 33)]) {
      expect(isBackupRecipient(text), text).toBe(false);
    }
    const identity = (prefix: string, bytes = 32) => key(prefix, bytes).toUpperCase();
    expect(isBackupIdentity(identity('age-secret-key-'))).toBe(true);
    for (const text of [
      identity('age-secret-key-', 31),
      identity('age-secret-key-', 33),
      identity('age-secret-key-pq-'),
    ]) {
      expect(isBackupIdentity(text), text).toBe(false);
    }
  });
});

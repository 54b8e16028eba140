import { sha256 } from '@noble/hashes/sha2.js';
import { backupIdentity } from '../../../shared/crypto/backup-key.ts';
import { bytesToHex, hexToBytes } from '../../../shared/crypto/hex.ts';
import { openField } from '../../../shared/crypto/keyring/field-cipher.ts';
import { deriveFieldKey } from '../../../shared/crypto/keyring/field-key.ts';
import { deviceKeyText } from '../../../shared/crypto/keyring/keyring.ts';
import { openReadings, openSealed } from '../../../shared/crypto/keyring/opening.ts';
import {
  changePassphrase,
  createKeystore,
  openKeystore,
  osWrapOf,
  unlockWithDataKey,
  withOsWrap,
} from '../../../shared/crypto/keystore/keystore.ts';
import { emptyContents } from '../../../shared/crypto/keystore/keystore-contents.ts';
import { parseFile } from '../../../shared/crypto/keystore/keystore-format.ts';
import { shownWords } from '../../../shared/crypto/phrase/languages.ts';
import { deriveOwner, matchOwner, wipeOwner } from '../../../shared/crypto/phrase/owner-key.ts';
import { openEntries } from '../../../shared/proof/opened.ts';
import type { KeyDevice } from '../types.ts';
import { CHANGES } from './changes.ts';
import { PhraseDrafts, readTyped, usableSecret } from './phrases.ts';
import type { DrillResult, OperationName, Operations, RevealedSecret, Staged, TypedSecret } from './protocol.ts';
import { Vault } from './vault.ts';

type Answer<N extends OperationName> = Operations[N]['output'];
type Operation<N extends OperationName> = (
  input: Operations[N]['input'],
  onProgress: (done: number) => void,
) => Promise<Answer<N>> | Answer<N>;

const vault = new Vault();
const drafts = new PhraseDrafts();

/**
 * The implementation of every call that the page may make. A stranger may sit at an unlocked page, so calls that show a
 * secret or can't be undone ask for the passphrase.
 */
export const OPERATIONS: { readonly [N in OperationName]: Operation<N> } = {
  inspect: ({ bytes }) => {
    const parsed = parseFile(bytes);
    return { state: parsed.ok ? 'intact' : parsed.reason, osWrap: osWrapOf(bytes) };
  },
  create: async ({ passphrase }, onProgress) =>
    vault.stage(await createKeystore(passphrase, emptyContents(), { onProgress }), null),
  open: async ({ bytes, passphrase }, onProgress) =>
    vault.take(bytes, await openKeystore(bytes, passphrase, { onProgress })),
  openWithKey: ({ bytes, dataKey }) => vault.take(bytes, unlockWithDataKey(bytes, dataKey)),
  reopen: ({ bytes }) => vault.take(bytes, unlockWithDataKey(bytes, vault.keystore.dataKey)),
  file: () => vault.bytes,
  change: async ({ name, input }) => {
    const make = CHANGES[name] as (
      vault: Vault,
      input: unknown,
      drafts: PhraseDrafts,
    ) => Staged<unknown> | Promise<Staged<unknown>>;
    return make(vault, input, drafts);
  },
  changePassphrase: async ({ current, next }, onProgress) => {
    await vault.mustOpen(current, (done) => onProgress(done / 2));
    const written = await changePassphrase(vault.keystore, next, { onProgress: (done) => onProgress((1 + done) / 2) });
    return vault.stage(written, null);
  },
  dataKey: () => vault.keystore.dataKey.slice(),
  setOsWrap: ({ wrapped }) => vault.stage(withOsWrap(vault.keystore, wrapped), null),
  settle: ({ isWritten }) => vault.settle(isWritten),
  createPhrase: ({ language, words }) => drafts.create(language, words),
  checkDraft: ({ draftId, answers }) => drafts.check(draftId, answers),
  dropDraft: ({ draftId }) => {
    drafts.drop(draftId);
    return null;
  },
  readPhrase: ({ text, language }) => readTyped(text, language),
  reveal: async ({ secretId, passphrase }, onProgress) => {
    await vault.mustOpen(passphrase, onProgress);
    return revealed(secretId);
  },
  drill: (input) => drill(vault, input),
  backupKey: ({ secret }) => backupKey(secret),
  keptBackupKeys: () => vault.owners.map(({ keys }) => backupIdentity(keys[0]!.seed)),
  openReadings: ({ device, readings }) => openReadings(readings, keysOf(device), vault.noncesOf(device.id)),
  openForProof: ({ device, entries }) => {
    const { match } = matchOwner(vault.owners, device.ownerPubkey);
    if (match === null) return null;
    const [keys, nonces] = [keysOf(device), vault.noncesOf(device.id)];
    return openEntries(entries, { seed: match.key.seed, keysOf: keys, nonces, sha256 });
  },
  openSealed: ({ device, items }) => openSealed(items, keysOf(device), vault.noncesOf(device.id)),
  resolveKeys: ({ device, versions }) =>
    versions.flatMap((keyVersion) =>
      vault.keysFor(device, keyVersion).map(({ fingerprint, source }) => ({ keyVersion, fingerprint, source })),
    ),
  deviceKeyText: async ({ device, keyVersion, passphrase }, onProgress) => {
    await vault.mustOpen(passphrase, onProgress);
    const [resolved] = vault.keysFor(device, keyVersion);
    if (resolved === undefined) return null;
    return deviceKeyText({ deviceId: device.id, keyVersion, keyHex: bytesToHex(resolved.key) });
  },
  forgetNonces: ({ deviceId }) => {
    vault.forgetNonces(deviceId);
    return null;
  },
};

function keysOf(device: KeyDevice): (keyVersion: number) => Uint8Array[] {
  return (keyVersion) => vault.keysFor(device, keyVersion).map(({ key }) => key);
}

function revealed(secretId: string): RevealedSecret {
  const secret = vault.secret(secretId);
  return secret.kind === 'phrase'
    ? { kind: 'phrase', words: shownWords(secret.phrase) }
    : { kind: 'seed', seedHex: secret.seedHex };
}

/** Returns the backup key of a typed phrase or seed. A phrase uses its standard derivation. */
async function backupKey(secret: TypedSecret): Promise<Operations['backupKey']['output']> {
  const owner = deriveOwner('typed', await usableSecret(secret));
  try {
    const identity = backupIdentity(owner.keys[0]!.seed);
    const { identityToRecipient } = await import('age-encryption');
    return { identity, recipient: await identityToRecipient(identity) };
  } finally {
    wipeOwner(owner);
  }
}

/**
 * Tests a typed phrase: derives its keys, compares them with those of the stored one, and opens sealed values of
 * devices with field keys derived from the typed phrase alone.
 */
async function drill(vault: Vault, { secretId, secret, devices }: Operations['drill']['input']): Promise<DrillResult> {
  const kept = vault.secret(secretId);
  const typed = deriveOwner('typed', await usableSecret(secret));
  const keys = typed.keys.map(({ derivation, publicKey }) => ({ derivation, publicKey }));
  const keptKeys = vault.ownerOf(kept).keys;
  const isSame = keys.length === keptKeys.length && keys.every((key, at) => key.publicKey === keptKeys[at]!.publicKey);
  const found = devices.flatMap(({ id, ownerPubkey, sealed }) => {
    const { match } = matchOwner([typed], ownerPubkey);
    if (match === null) return [];
    const opened = sealed.filter(({ keyVersion, cipher, nonce }) => {
      const key = deriveFieldKey(match.key.seed, hexToBytes(id), keyVersion);
      return openField(key, hexToBytes(cipher), hexToBytes(nonce)).ok;
    });
    return [{ id, opened: opened.length, sealed: sealed.length }];
  });
  wipeOwner(typed);
  return { isSame, keys, devices: found };
}

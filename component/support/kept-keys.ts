import { page } from 'vitest/browser';
import { FakeDevice } from '../../scripts/fake-node/devices.ts';
import { bytesToBase64 } from '../../src/shared/crypto/base64.ts';
import { createKeystore } from '../../src/shared/crypto/keystore/keystore.ts';
import { emptyContents, newSecretId, type StoredSecret } from '../../src/shared/crypto/keystore/keystore-contents.ts';
import { type OpenedPage, type OpenOptions, openPage } from './open-page.tsx';
import { readings } from './page-parts.ts';

/** Strong enough for the form; protects nothing. */
export const PASSPHRASE = 'orchard valve morning ledger';

/** Publicly known phrases with a right checksum. */
export const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
export const OTHER_PHRASE = 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above';

/** Returns an English phrase as a keystore has it. */
export function phraseSecret(phrase: string, label: string): StoredSecret {
  return { id: newSecretId(), label, createdAt: Date.now(), kind: 'phrase', phrase, language: 'english' };
}

/** Returns a keystore with these phrases. */
export async function keystoreOf(secrets: readonly StoredSecret[]): Promise<Uint8Array> {
  return (await createKeystore(PASSPHRASE, { ...emptyContents(), secrets: [...secrets] })).bytes;
}

/**
 * Returns a device with some encrypted readings: unlocked keys decrypt all that the page shows, and forty days of them
 * would take seconds.
 */
function fewReadings(): FakeDevice[] {
  const sent = readings({ count: 30, sealed: ['ph', 'ec'] });
  return [new FakeDevice({ name: 'Nursery', encrypt: ['ph', 'ec'], sent })];
}

/** Opens a page of a fake node with these phrases, by default the page of the keys. They are locked. */
export async function openLocked(
  secrets: readonly StoredSecret[],
  hash = '#/keys',
  devices: readonly FakeDevice[] = fewReadings(),
): Promise<OpenedPage> {
  return openWithKeystore(await keystoreOf(secrets), hash, devices);
}

/** Opens a page of a fake node with this keystore. */
export function openWithKeystore(
  bytes: Uint8Array,
  hash: string,
  devices: readonly FakeDevice[] = fewReadings(),
  options: OpenOptions = {},
): Promise<OpenedPage> {
  return openPage(hash, {
    ...options,
    devices,
    answers: (fake) => {
      fake.writeKeystore({ blob: bytesToBase64(bytes), expectedRevision: null, replaceDamaged: false });
      return {};
    },
  });
}

/** Types the passphrase into the visible form. */
export async function typePassphrase(passphrase = PASSPHRASE): Promise<void> {
  await page.getByLabelText('Passphrase', { exact: true }).fill(passphrase);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
}

/** Opens the keys' page of a fake node with these phrases, and unlocks it. */
export async function openKeys(secrets: readonly StoredSecret[]): Promise<OpenedPage> {
  const opened = await openLocked(secrets);
  await typePassphrase();
  return opened;
}

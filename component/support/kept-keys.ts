import { page } from 'vitest/browser';
import { FakeDevice } from '../../scripts/fake-node/devices.ts';
import { bytesToBase64 } from '../../src/shared/crypto/base64.ts';
import { createKeystore } from '../../src/shared/crypto/keystore/keystore.ts';
import { emptyContents, newSecretId, type StoredSecret } from '../../src/shared/crypto/keystore/keystore-contents.ts';
import { type OpenedPage, type OpenOptions, openPage } from './open-page.tsx';
import { readings } from './page-parts.ts';

/** Strong enough for the form; of no value anywhere. */
export const PASSPHRASE = 'orchard valve morning ledger';
/** The least that a keystore may cost. */
const LEAST_COST = { n: 2 ** 15, r: 8, p: 1 };

/** Phrases whose checksum is right, known to everybody. */
export const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
export const OTHER_PHRASE = 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above';

/** An English phrase as a keystore holds it. */
export function phraseSecret(phrase: string, label: string): StoredSecret {
  return { id: newSecretId(), label, createdAt: Date.now(), kind: 'phrase', phrase, language: 'english' };
}

/** A keystore that keeps these phrases. */
export async function keystoreOf(secrets: readonly StoredSecret[]): Promise<Uint8Array> {
  const contents = { ...emptyContents(), secrets: [...secrets] };
  return (await createKeystore(PASSPHRASE, contents, { cost: LEAST_COST })).bytes;
}

/** A device with some sealed readings: unlocked keys open all that the page shows, and forty days of them take seconds. */
function fewReadings(): FakeDevice[] {
  const sent = readings({ count: 30, sealed: ['ph', 'ec'] });
  return [new FakeDevice({ name: 'Nursery', encrypt: ['ph', 'ec'], sent })];
}

/** Opens a page of a fake node that keeps these phrases, the keys' page by default; they are locked. */
export async function openLocked(
  secrets: readonly StoredSecret[],
  hash = '#/keys',
  devices: readonly FakeDevice[] = fewReadings(),
): Promise<OpenedPage> {
  return openWithKeystore(await keystoreOf(secrets), hash, devices);
}

/** The same of a fake node that has this keystore. */
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

/** Types the passphrase into the form at hand. */
export async function typePassphrase(passphrase = PASSPHRASE): Promise<void> {
  await page.getByLabelText('Passphrase', { exact: true }).fill(passphrase);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
}

/** Opens the keys' page of a fake node that keeps these phrases, and unlocks it. */
export async function openKeys(secrets: readonly StoredSecret[]): Promise<OpenedPage> {
  const opened = await openLocked(secrets);
  await typePassphrase();
  return opened;
}

import type { OpenedLines } from '../../../shared/proof/opened.ts';
import type {
  KeyDevice,
  KeysView,
  OpenedReadings,
  PublicOwnerKey,
  ResolvedKeyView,
  SealedReading,
  SecretView,
} from '../types.ts';
import type { KeySession } from './key-session.ts';

/**
 * Opens the sealed fields of a device's readings in the worker. `overturned` names values of earlier calls that were
 * found to be copies and must be shown as such. Rejects with KeySessionError (`locked`), or the signal's reason.
 */
export function openReadings(
  session: KeySession,
  device: KeyDevice,
  readings: readonly SealedReading[],
  signal?: AbortSignal,
): Promise<OpenedReadings> {
  const { id, ownerPubkey } = device;
  const parts = readings.map(({ seq, receivedAt, keyVersion, fields }) => ({ seq, receivedAt, keyVersion, fields }));
  return session.ask('openReadings', { device: { id, ownerPubkey }, readings: parts }, signal);
}

/**
 * Opens entries of a device's readings in the worker. Each becomes a line of a proof, signed by the owner's key. null
 * if no secret here is that of the device's owner. Rejects with KeySessionError (`locked`), or the signal's reason.
 */
export function openForProof(
  session: KeySession,
  { id, ownerPubkey }: KeyDevice,
  entries: readonly string[],
  signal?: AbortSignal,
): Promise<OpenedLines | null> {
  return session.ask('openForProof', { device: { id, ownerPubkey }, entries }, signal);
}

/** Returns the keys to try for a device at these versions, in order. A version without a key has no entry. */
export function resolveKeys(
  session: KeySession,
  { id, ownerPubkey }: KeyDevice,
  versions: readonly number[],
): Promise<readonly ResolvedKeyView[]> {
  return session.ask('resolveKeys', { device: { id, ownerPubkey }, versions });
}

/**
 * Returns a field key in clear, as one line for the device (text and QR code); null if there is none. Rejects with
 * KeySessionError `wrong_passphrase` if the passphrase is wrong.
 */
export function deviceKeyText(
  session: KeySession,
  { id, ownerPubkey }: KeyDevice,
  keyVersion: number,
  passphrase: string,
): Promise<string | null> {
  return session.ask('deviceKeyText', { device: { id, ownerPubkey }, keyVersion, passphrase });
}

/** Forgets which nonces of a device were seen. Call it after all opened values of the device were dropped. */
export async function forgetNonces(session: KeySession, deviceId: string): Promise<void> {
  await session.ask('forgetNonces', { deviceId });
}

/** Returns the secret and key of a device's owner; null if they are not in the keystore. */
export function ownerOf(
  view: KeysView,
  ownerPubkey: string,
): { readonly secret: SecretView; readonly key: PublicOwnerKey } | null {
  for (const secret of view.secrets) {
    const key = secret.keys.find(({ publicKey }) => publicKey === ownerPubkey);
    if (key !== undefined) return { secret, key };
  }
  return null;
}

import { keySession } from './page-keys.ts';
import type {
  KeyDevice,
  KeysView,
  OpenedBatch,
  OpenedReadings,
  PublicOwnerKey,
  ResolvedKeyView,
  SealedItem,
  SealedReading,
  SecretView,
} from './types.ts';

/**
 * Opens the sealed fields of a device's readings, in the worker. `overturned` names values of earlier calls that now
 * prove to be copies: show them as such. Rejects with KeySessionError (`locked`), or the signal's reason.
 */
export function openReadings(
  device: KeyDevice,
  readings: readonly SealedReading[],
  signal?: AbortSignal,
): Promise<OpenedReadings> {
  const { id, ownerPubkey } = device;
  const parts = readings.map(({ seq, receivedAt, keyVersion, fields }) => ({ seq, receivedAt, keyVersion, fields }));
  return keySession.ask('openReadings', { device: { id, ownerPubkey }, readings: parts }, signal);
}

/** The same for single values, such as the newest of each field. */
export function openSealed(
  { id, ownerPubkey }: KeyDevice,
  items: readonly SealedItem[],
  signal?: AbortSignal,
): Promise<OpenedBatch> {
  return keySession.ask('openSealed', { device: { id, ownerPubkey }, items }, signal);
}

/** The keys that would be tried for a device at these versions, in order; none for a version without a key. */
export function resolveKeys(
  { id, ownerPubkey }: KeyDevice,
  versions: readonly number[],
): Promise<readonly ResolvedKeyView[]> {
  return keySession.ask('resolveKeys', { device: { id, ownerPubkey }, versions });
}

/** A field key in clear, as one line for the device (text and QR); null where there is none. */
export function deviceKeyText({ id, ownerPubkey }: KeyDevice, keyVersion: number): Promise<string | null> {
  return keySession.ask('deviceKeyText', { device: { id, ownerPubkey }, keyVersion });
}

/** Forgets which nonces of a device were seen: none of its values is shown any more, or it was forgotten. */
export async function forgetNonces(deviceId: string): Promise<void> {
  await keySession.ask('forgetNonces', { deviceId });
}

/** The secret and the key that a device belongs to; null where none of those kept fits. */
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

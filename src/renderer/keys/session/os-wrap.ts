import type { Unwrapped } from '../../../shared/desktop-api.ts';
import { desktop } from '../../api/desktop.ts';
import { KeySessionError } from '../types.ts';
import type { OpenAnswer, Staged } from '../worker/protocol.ts';
import type { KeysWorker } from './worker-client.ts';

// On the desktop the keystore can also be unlocked without its passphrase: the system's key storage encrypts the data
// key for the current account, and the keystore's header keeps the result.

/**
 * Opens the keystore with the key that the system remembers. `isStale`: the system asks to wrap the key again.
 * Rejects with KeySessionError `wrong_key` if it remembers none.
 */
export async function openWithSystem(
  worker: KeysWorker,
  bytes: Uint8Array,
): Promise<{ answer: OpenAnswer; isStale: boolean }> {
  const { dataKey, advice } = await remembered(worker, bytes);
  if (dataKey === null) throw new KeySessionError('wrong_key');
  const answer = worker.ask('openWithKey', { bytes, dataKey });
  dataKey.fill(0);
  return { answer: await answer, isStale: advice !== 'keep' };
}

/**
 * Makes the system remember or forget the data key, and stages the open keystore with the result. Rejects with
 * KeySessionError `not_remembered` if the system refuses.
 */
export async function stageRemembered(worker: KeysWorker, on: boolean): Promise<Staged<null>> {
  const wrapped = on ? await sealedKey(worker) : null;
  if (on && wrapped === null) throw new KeySessionError('not_remembered');
  return worker.ask('setOsWrap', { wrapped });
}

/**
 * Stages the open keystore with its key wrapped again, or no longer wrapped, as the system advises. Otherwise there is
 * nothing to write.
 */
export async function stageRenewed(worker: KeysWorker, bytes: Uint8Array): Promise<Staged<null>> {
  const { dataKey, advice } = await remembered(worker, bytes);
  dataKey?.fill(0);
  const wrapped = advice === 'keep' ? null : await sealedKey(worker);
  if (wrapped === null && advice !== 'drop') return { bytes: null, result: null };
  return worker.ask('setOsWrap', { wrapped });
}

const NOTHING: Unwrapped = { dataKey: null, advice: 'keep' };

async function remembered(worker: KeysWorker, bytes: Uint8Array): Promise<Unwrapped> {
  const { osWrap } = await worker.ask('inspect', { bytes });
  return osWrap === null ? NOTHING : ((await desktop?.osWrap.unwrap(osWrap)) ?? NOTHING);
}

async function sealedKey(worker: KeysWorker): Promise<Uint8Array | null> {
  const dataKey = await worker.ask('dataKey', {});
  try {
    return (await desktop?.osWrap.wrap(dataKey)) ?? null;
  } finally {
    dataKey.fill(0);
  }
}

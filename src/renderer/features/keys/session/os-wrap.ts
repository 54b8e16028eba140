import type { Unwrapped } from '../../../../shared/desktop-api.ts';
import { getOsWrap } from '../../../api/client.ts';
import type { OpenAnswer, Staged } from '../worker/protocol.ts';
import { KeySessionError } from './types.ts';
import type { KeysWorker } from './worker-client.ts';

// The desktop's second way into the keystore: its key storage seals the keystore's data key for the account at hand. What
// it gives is kept in the keystore's header and is all that it gets to open it again.

/**
 * Opens the keystore with what the system remembers; `isStale`: that is to be remembered anew. Rejects with
 * KeySessionError `wrong_key` where it remembers nothing.
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
 * The open keystore with its data key remembered by the system, or forgotten. Rejects with KeySessionError
 * `not_remembered` where the system refuses.
 */
export async function stageRemembered(worker: KeysWorker, on: boolean): Promise<Staged<null>> {
  const wrapped = on ? await sealedKey(worker) : null;
  if (on && wrapped === null) throw new KeySessionError('not_remembered');
  return worker.ask('setOsWrap', { wrapped });
}

/** The open keystore, remembered anew or no more where the system says so; nothing to write where all is well. */
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
  return osWrap === null ? NOTHING : ((await getOsWrap()?.unwrap(osWrap)) ?? NOTHING);
}

async function sealedKey(worker: KeysWorker): Promise<Uint8Array | null> {
  const dataKey = await worker.ask('dataKey', {});
  try {
    return (await getOsWrap()?.wrap(dataKey)) ?? null;
  } finally {
    dataKey.fill(0);
  }
}

import { getOsWrap } from '../../../api/client.ts';
import type { OpenAnswer, Staged } from '../worker/protocol.ts';
import { KeySessionError } from './types.ts';
import type { KeysWorker } from './worker-client.ts';

// The desktop's second way into the keystore: its key storage seals the keystore's data key for the account at hand. What
// it gives is kept in the keystore's header and is all that it gets to open it again.

/** Opens the keystore with what the system remembers. Rejects with KeySessionError `wrong_key` where that is nothing. */
export async function openWithSystem(worker: KeysWorker, bytes: Uint8Array): Promise<OpenAnswer> {
  const dataKey = await rememberedKey(worker, bytes);
  if (dataKey === null) throw new KeySessionError('wrong_key');
  const answer = worker.ask('openWithKey', { bytes, dataKey });
  dataKey.fill(0);
  return answer;
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

/** The open keystore, remembered anew where the system no longer opens it; nothing to write where it does, or can't. */
export async function stageRenewed(worker: KeysWorker, bytes: Uint8Array): Promise<Staged<null>> {
  const dataKey = await rememberedKey(worker, bytes);
  dataKey?.fill(0);
  const wrapped = dataKey === null ? await sealedKey(worker) : null;
  return wrapped === null ? { bytes: null, result: null } : worker.ask('setOsWrap', { wrapped });
}

async function rememberedKey(worker: KeysWorker, bytes: Uint8Array): Promise<Uint8Array | null> {
  const { osWrap } = await worker.ask('inspect', { bytes });
  return osWrap === null ? null : ((await getOsWrap()?.unwrap(osWrap)) ?? null);
}

async function sealedKey(worker: KeysWorker): Promise<Uint8Array | null> {
  const dataKey = await worker.ask('dataKey', {});
  try {
    return (await getOsWrap()?.wrap(dataKey)) ?? null;
  } finally {
    dataKey.fill(0);
  }
}

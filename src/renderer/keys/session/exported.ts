import { useSyncExternalStore } from 'react';
import { KeptState } from '../../kept-state.ts';
import { useKeySession } from './page-keys.ts';

/** When a copy of the keystore was last saved from this browser, Unix milliseconds; null: never. */
const exported = new KeptState<number | null>('wellhouse.keys-exported', (text) => {
  const at = Number(text ?? Number.NaN);
  return Number.isFinite(at) && at > 0 ? at : null;
});

/** To be called when a copy was saved. */
export function noteExport(): void {
  exported.set(Date.now());
}

/** Whether there is a keystore of which this browser never saved a copy. */
export function useHasOnlyKeys(): boolean {
  const at = useSyncExternalStore(exported.subscribe, exported.get);
  const { status } = useKeySession();
  return at === null && (status === 'locked' || status === 'unlocking' || status === 'unlocked');
}

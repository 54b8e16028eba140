import { useEffect, useRef } from 'react';
import type { KeyCopies } from '../../../shared/owner-api/choices.ts';
import { useKnownChoices, useSetOwnerChoices } from '../../api/queries/choices.ts';
import { useKeySession, useKeys } from './page-keys.ts';
import type { KeysView } from './types.ts';

// The keystore knows what no copy has, but tells it only while it is open, and takes no note of an export while it is
// locked. The node keeps both for every browser.

/** How many secrets and field keys no copy has. */
export interface OnlyHere {
  readonly secrets: number;
  readonly fieldKeys: number;
}

function onlyHere({ notBackedUp: { secrets, fieldKeys } }: KeysView, copies: KeyCopies | undefined): OnlyHere {
  const exportedAt = copies?.exportedAt ?? -1;
  const since = (times: readonly number[]) => times.filter((time) => time > exportedAt).length;
  return { secrets: since(secrets), fieldKeys: since(fieldKeys) };
}

function isLacking({ secrets, fieldKeys }: OnlyHere): boolean {
  return secrets + fieldKeys > 0;
}

/** How many secrets and field keys of the open keystore no copy has. */
export function useOnlyHere(view: KeysView): OnlyHere {
  return onlyHere(view, useKnownChoices()?.keyCopies);
}

/** Whether there are keys that no copy has, as far as is known. */
export function useHasOnlyKeys(): boolean {
  const copies = useKnownChoices()?.keyCopies;
  const session = useKeySession();
  if (session.status === 'unlocked') return isLacking(onlyHere(session.view, copies));
  return copies?.isLacking === true && (session.status === 'locked' || session.status === 'unlocking');
}

/** What takes note that a copy was saved just now: in the keystore where it is open, and with the node. */
export function useNoteExport(): () => Promise<void> {
  const keys = useKeys();
  const { mutate } = useSetOwnerChoices();
  return async () => {
    const exportedAt = Date.now();
    if (keys.view() !== null) await keys.change('exported', {});
    mutate({ keyCopies: { exportedAt, isLacking: false } });
  };
}

/** Tells the node whether the open keystore has keys that no copy has. */
export function useCopiesTold(): void {
  const copies = useKnownChoices()?.keyCopies;
  const session = useKeySession();
  const { mutate } = useSetOwnerChoices();
  const view = session.status === 'unlocked' && session.problem === null ? session.view : null;
  // Once for each state: a store that takes no writes is not asked again and again.
  const told = useRef<{ readonly view: KeysView; readonly isLacking: boolean } | null>(null);
  useEffect(() => {
    if (view === null || copies === undefined) return;
    const lacks = isLacking(onlyHere(view, copies));
    if (lacks === copies.isLacking || (told.current?.view === view && told.current.isLacking === lacks)) return;
    told.current = { view, isLacking: lacks };
    mutate({ keyCopies: { ...copies, isLacking: lacks } });
  }, [view, copies, mutate]);
}

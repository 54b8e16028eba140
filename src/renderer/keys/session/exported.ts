import { useEffect, useRef } from 'react';
import type { Output } from '../../../shared/owner-api/contract.ts';
import type { KeyCopies } from '../../../shared/owner-data/choices.ts';
import { useMe } from '../../api/me.tsx';
import { useTellKeysExported } from '../../api/queries/audit.ts';
import { useKeystoreBackup } from '../../api/queries/backups.ts';
import { useKnownChoices, useSetOwnerChoices } from '../../api/queries/choices.ts';
import type { KeysView } from '../types.ts';
import { useKeySession, useKeys } from './page-keys.ts';

// The open keystore knows which of its keys are not in an export. While it is locked, it neither tells that nor records
// an export. So the node keeps both for every browser.

/** The number of secrets and field keys that are in no copy. */
export interface OnlyHere {
  readonly secrets: number;
  readonly fieldKeys: number;
}

/** The keystore in a verified backup is also a copy. */
type InBackup = Output<'keystoreBackup'>;

/** Exported for its test. */
export function onlyHere(
  { notBackedUp: { secrets, fieldKeys } }: Pick<KeysView, 'notBackedUp'>,
  copies: KeyCopies | undefined,
  inBackup: InBackup | undefined,
): OnlyHere {
  const copiedAt = Math.max(copies?.exportedAt ?? -1, inBackup?.at ?? -1);
  const since = (times: readonly number[]) => times.filter((time) => time > copiedAt).length;
  return { secrets: since(secrets), fieldKeys: since(fieldKeys) };
}

function isLacking({ secrets, fieldKeys }: OnlyHere): boolean {
  return secrets + fieldKeys > 0;
}

/** Returns how many secrets and field keys of the open keystore are in no copy. */
export function useOnlyHere(view: KeysView): OnlyHere {
  return onlyHere(view, useKnownChoices()?.keyCopies, useInBackup());
}

/** Returns whether some keys are in no copy, as far as that is known. */
export function useHasOnlyKeys(): boolean {
  const copies = useKnownChoices()?.keyCopies;
  const session = useKeySession();
  const inBackup = useInBackup();
  if (session.status === 'unlocked') return isLacking(onlyHere(session.view, copies, inBackup));
  return (
    copies?.isLacking === true &&
    inBackup?.isCurrent !== true &&
    (session.status === 'locked' || session.status === 'unlocking')
  );
}

function useInBackup(): InBackup | undefined {
  return useKeystoreBackup(useKeySession().status, useMe().role === 'owner').data;
}

/** Records that a copy was saved just now: in the keystore if it is open, and at the node. */
export function useNoteExport(): () => Promise<void> {
  const keys = useKeys();
  const { mutate } = useSetOwnerChoices();
  const { mutate: tell } = useTellKeysExported();
  return async () => {
    const exportedAt = Date.now();
    if (keys.view() !== null) await keys.change('exported', {});
    mutate({ keyCopies: { exportedAt, isLacking: false } });
    tell('keystore');
  };
}

/** Tells the node whether the open keystore has keys that are in no copy. */
export function useCopiesTold(): void {
  const copies = useKnownChoices()?.keyCopies;
  const session = useKeySession();
  const inBackup = useInBackup();
  const { mutate } = useSetOwnerChoices();
  const view = session.status === 'unlocked' && session.problem === null ? session.view : null;
  // Only once for each state: a store that refuses the write is not asked repeatedly.
  const told = useRef<{ readonly view: KeysView; readonly isLacking: boolean } | null>(null);
  useEffect(() => {
    if (view === null || copies === undefined) return;
    const lacks = isLacking(onlyHere(view, copies, inBackup));
    if (lacks === copies.isLacking || (told.current?.view === view && told.current.isLacking === lacks)) return;
    told.current = { view, isLacking: lacks };
    mutate({ keyCopies: { ...copies, isLacking: lacks } });
  }, [view, copies, inBackup, mutate]);
}

import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useKeys } from '../session/page-keys.ts';
import type { KeysView } from '../types.ts';
import { Fault } from './messages.tsx';
import { useAction } from './use-action.ts';

/** The choices in minutes; the keystore's own value is added. */
const LOCK_AFTER = [1, 5, 15, 30, 60, 240, 0];

/**
 * The choice of the idle minutes until the keys are locked. It is stored in the keystore, so it can be changed only
 * while the keystore is unlocked.
 */
export function LockAfter({ view, label }: { view: KeysView; label?: string }) {
  const { t } = useTranslation('keys');
  const keySession = useKeys();
  const action = useAction();
  const lockAfter = view.lockAfterMinutes;
  const choices = LOCK_AFTER.includes(lockAfter) ? LOCK_AFTER : [lockAfter, ...LOCK_AFTER];
  return (
    <>
      <NativeSelect
        size="sm"
        {...(label === undefined ? { label: t('lock.after') } : { 'aria-label': label })}
        value={String(lockAfter)}
        onChange={(event) => {
          const minutes = Number(event.currentTarget.value);
          action.run(() => keySession.change('lockAfter', { minutes }).then(() => {}));
        }}
        data={choices.map((minutes) => ({
          value: String(minutes),
          label: minutes === 0 ? t('lock.never') : t('lock.minutes', { count: minutes }),
        }))}
      />
      <Fault error={action.error} />
    </>
  );
}

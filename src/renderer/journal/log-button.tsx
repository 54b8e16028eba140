import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNode } from '../api/node-connection.ts';
import { Icon } from '../components/icon.tsx';
import type { NamedDevice } from './entry-form.tsx';

const LogDialog = lazy(() => import('./log-dialog.tsx'));

interface Props {
  /** A new entry is about the only one, or about one that is chosen. */
  readonly devices: readonly NamedDevice[];
  /** The name of the device or the group. */
  readonly name: string;
  /** The crop cycle of a group whose entries are of the whole group at first. */
  readonly cycle?: string | undefined;
  readonly className: string;
}

/** A button that opens the log of a device or a group. For one device, a second tap writes an entry of a kind that needs no details. */
export function LogButton({ devices, name, cycle, className }: Props) {
  const { t } = useTranslation('app');
  const { clock } = useNode();
  const [at, setAt] = useState<number | null>(null);
  return (
    <>
      <Button
        className={className}
        variant="default"
        size="compact-sm"
        leftSection={<Icon name="edit" size={14} />}
        aria-label={t('card.logOf', { name })}
        onClick={() => setAt(clock.now())}
      >
        {t('card.log')}
      </Button>
      {at === null ? null : (
        <Suspense fallback={null}>
          <LogDialog entry={null} at={at} devices={devices} cycle={cycle} onClose={() => setAt(null)} />
        </Suspense>
      )}
    </>
  );
}

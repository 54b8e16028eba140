import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNode } from '../api/node-connection.ts';
import { Icon } from '../components/icon.tsx';

const LogDialog = lazy(() => import('./log-dialog.tsx'));

interface Props {
  /** The device's id and name. */
  readonly id: string;
  readonly name: string;
  readonly className: string;
}

/** A button that opens the log of a device. A second tap writes an entry of a kind that needs no details. */
export function LogButton({ id, name, className }: Props) {
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
          <LogDialog entry={null} at={at} devices={[{ id, name }]} onClose={() => setAt(null)} />
        </Suspense>
      )}
    </>
  );
}

import { Button } from '@mantine/core';
import { errorCode } from '../api/errors.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { EmptyState } from './empty-state.tsx';
import { Icon } from './icon.tsx';

/** Says in words what a failed call means, with a way to try again. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation('app');
  const code = errorCode(error);
  return (
    <div role="alert">
      <EmptyState
        icon={code === 'disconnected' ? 'unlink' : 'alert'}
        title={t(`error.${code}.title`)}
        action={
          onRetry === undefined ? undefined : (
            <Button variant="default" size="xs" mt="xs" leftSection={<Icon name="refresh" />} onClick={onRetry}>
              {t('common.retry')}
            </Button>
          )
        }
      >
        {t(`error.${code}.text`)}
      </EmptyState>
    </div>
  );
}

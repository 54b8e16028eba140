import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getDesktop } from '../../api/client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';

/** Tries to start the node once more, as things are now. */
export function RetryButton() {
  const { t } = useTranslation('startup');
  const retry = useMutation({ mutationFn: async () => getDesktop()?.call('startNode', {}) });
  return (
    <Button size="sm" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
      {t('retry')}
    </Button>
  );
}

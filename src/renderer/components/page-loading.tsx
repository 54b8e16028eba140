import { Skeleton, Stack } from '@mantine/core';
import { useTranslation } from '../i18n/use-translation.ts';

/** The shape of a page while it is on its way. */
export function PageLoading() {
  const { t } = useTranslation('app');
  return (
    <Stack gap="md" p="lg" role="status" aria-label={t('common.loading')}>
      <Skeleton height={28} width={220} />
      <Skeleton height={64} />
      <Skeleton height={320} />
    </Stack>
  );
}

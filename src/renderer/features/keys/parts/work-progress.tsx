import { Progress } from '@mantine/core';
import { useTranslation } from '../../../i18n/use-translation.ts';

/** How far the work of deriving a key from a passphrase is, from 0 to 1. */
export function WorkProgress({ done }: { done: number }) {
  const { t } = useTranslation('keys');
  return <Progress value={done * 100} size="sm" aria-label={t('unlock.working')} transitionDuration={0} />;
}

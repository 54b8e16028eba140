import { Button, Progress, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { MoveProgress } from '../../../shared/node-state.ts';
import { useCancelMove } from '../../api/queries/moving.ts';
import { useFormat } from '../../format/format.ts';
import classes from './startup.module.css';
import { StartupFrame } from './startup-frame.tsx';

/** Shows the progress of moving the data folder. */
export default function MovingPage({ progress }: { progress: MoveProgress }) {
  const { t } = useTranslation('startup');
  const format = useFormat();
  const cancel = useCancelMove();
  const { to, phase, doneBytes, totalBytes } = progress;
  const share = totalBytes === 0 ? 0 : (100 * doneBytes) / totalBytes;
  return (
    <StartupFrame>
      <Title order={1} size="h3">
        {t('moving.title')}
      </Title>
      <p className={classes.said}>{to}</p>
      <div>
        <Text size="sm" mb={6} aria-live="polite">
          {t(`moving.${phase}`)}
        </Text>
        <Progress value={share} aria-label={t('moving.title')} />
        <Text size="xs" c="dimmed" mt={6}>
          {t('moving.progress', { done: format.bytes(doneBytes), total: format.bytes(totalBytes) })}
        </Text>
      </div>
      <p className={classes.advice}>{t('devices')}</p>
      <div className={classes.actions}>
        <Button
          size="sm"
          variant="default"
          disabled={cancel.isPending || cancel.isSuccess}
          onClick={() => cancel.mutate()}
        >
          {t('moving.cancel')}
        </Button>
      </div>
    </StartupFrame>
  );
}

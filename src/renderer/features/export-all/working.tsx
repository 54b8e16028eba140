import { Button, Group, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ExportsView } from '../../../shared/owner-api/exports.ts';
import { useCancelExport } from '../../api/queries/exports.ts';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './export-page.module.css';

/** Shows the progress of an export, with a button that cancels it. */
export function Working({ work }: { work: NonNullable<ExportsView['work']> }) {
  const { t } = useTranslation('export');
  const { integer } = useFormat();
  const cancel = useCancelExport();
  const { format, folder, file, readings, total } = work;
  const text =
    format === 'sqlite' && file !== null
      ? t('copying', { file })
      : total === 0
        ? t('counting')
        : t('done', { count: total, done: integer(readings), total: integer(total) });
  return (
    <Card title={t('working')}>
      <Group justify="space-between" gap="xs">
        <span role="status">{text}</span>
        <Button
          size="compact-xs"
          variant="default"
          loading={cancel.isPending || cancel.isSuccess}
          onClick={() => cancel.mutate()}
        >
          {t('cancel')}
        </Button>
      </Group>
      <Progress
        value={total === 0 ? 100 : (100 * readings) / total}
        aria-label={t('progress')}
        animated={total === 0}
        striped={total === 0}
      />
      <span className={classes.path}>{folder}</span>
      <p className={classes.note}>{t('goOn')}</p>
    </Card>
  );
}

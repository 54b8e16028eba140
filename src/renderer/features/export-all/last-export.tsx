import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ExportsView } from '../../../shared/owner-api/exports.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './export-page.module.css';
import { useFaultText } from './fault-text.ts';

/** Shows the result of the latest export: its folder, or why it failed. */
export function LastExport({ last }: { last: NonNullable<ExportsView['last']> }) {
  const { t } = useTranslation('export');
  const format = useFormat();
  const { ofFault } = useFaultText();
  const { problem, folder, at, files, readings, bytes } = last;
  if (problem?.fault === 'cancelled') {
    return (
      <Alert color="gray" variant="light" icon={<Icon name="alert" />} title={t('stopped')} role="status">
        <p>{t('nothingLeft')}</p>
      </Alert>
    );
  }
  if (problem !== null) {
    return (
      <Alert color="red" variant="light" icon={<Icon name="alert" />} title={t('failed')} role="alert">
        <p>
          {ofFault(problem.fault)} {t('nothingLeft')}
        </p>
        <p className={classes.note} lang="en">
          {problem.message}
        </p>
      </Alert>
    );
  }
  const said = {
    files: t('files', { count: files, number: format.integer(files) }),
    size: format.bytes(bytes),
    time: format.dateTime(at),
  };
  return (
    <Alert color="green" variant="light" icon={<Icon name="check" />} title={t('finished')} role="status">
      <p>
        {readings === null
          ? t('finishedCopy', said)
          : t('finishedCount', { count: readings, number: format.integer(readings), ...said })}
      </p>
      <p className={classes.path}>{folder}</p>
      <p>{t('private')}</p>
    </Alert>
  );
}

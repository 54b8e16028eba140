import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BackupsView } from '../../../shared/owner-api/backups.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './backups.module.css';
import { useFaultText } from './fault-text.ts';

/** How the latest check or restore ended, with what the backup holds. */
export function OpenedAlert({ opened }: { opened: NonNullable<BackupsView['opened']> }) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  const { ofFault } = useFaultText();
  const { kind, path, contents, problem, aside } = opened;
  if (problem !== null || contents === null) {
    return (
      <Alert color="red" variant="light" icon={<Icon name="alert" />} title={t(`opened.failed.${kind}`)} role="alert">
        <p>{ofFault(problem?.fault ?? 'refused')}</p>
        <p className={classes.path}>{path}</p>
        <p className={classes.note} lang="en">
          {problem?.message}
        </p>
      </Alert>
    );
  }
  const stores = [['private', contents.private] as const, ['public', contents.public] as const];
  return (
    <Alert color="green" variant="light" icon={<Icon name="check" />} title={t(`opened.done.${kind}`)} role="status">
      <p className={classes.path}>{path}</p>
      <dl className={classes.facts}>
        <div>
          <dt>{t('contents.made')}</dt>
          <dd>{t('contents.madeBy', { at: format.dateTime(contents.madeAt), program: contents.program })}</dd>
        </div>
        <div>
          <dt>{t('contents.on')}</dt>
          <dd>
            <bdi>
              {contents.host}: {contents.dataDir}
            </bdi>
          </dd>
        </div>
        {stores.map(([store, held]) =>
          held === null ? null : (
            <div key={store}>
              <dt>{t(`contents.${store}`)}</dt>
              <dd>
                {t('contents.held', {
                  count: held.readings,
                  readings: format.integer(held.readings),
                  devices: format.integer(held.devices),
                })}
              </dd>
            </div>
          ),
        )}
      </dl>
      {contents.isOlder ? <p>{t('contents.older')}</p> : null}
      {aside === null ? null : (
        <p>
          {t('restore.aside')} <bdi className={classes.path}>{aside}</bdi>
        </p>
      )}
    </Alert>
  );
}

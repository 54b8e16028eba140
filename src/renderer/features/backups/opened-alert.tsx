import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BackupsView } from '../../../shared/owner-api/backups.ts';
import { useFaultText } from '../../backups/fault-text.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './backups.module.css';

type Opened = NonNullable<BackupsView['opened']>;

/** Shows the result of the latest check, restore or undo, and the contents of the backup. */
export function OpenedAlert({ opened }: { opened: Opened }) {
  const { t } = useTranslation('backups');
  const { ofFault } = useFaultText();
  const { kind, path, contents, problem, aside, health } = opened;
  if (problem !== null) {
    return (
      <Alert color="red" variant="light" icon={<Icon name="alert" />} title={t(`opened.failed.${kind}`)} role="alert">
        <p>{ofFault(problem.fault)}</p>
        <p className={classes.path}>{path}</p>
        <p className={classes.note} lang="en">
          {problem.message}
        </p>
      </Alert>
    );
  }
  const isIll = health !== null && health.state !== 'healthy';
  return (
    <Alert
      color={isIll ? 'red' : 'green'}
      variant="light"
      icon={<Icon name={isIll ? 'alert' : 'check'} />}
      title={t(`opened.done.${kind}`)}
      role={isIll ? 'alert' : 'status'}
    >
      <p className={classes.path}>{path}</p>
      {contents === null ? null : <Contents contents={contents} />}
      {aside === null ? null : (
        <p>
          {t('restore.aside')} <bdi className={classes.path}>{aside}</bdi>
        </p>
      )}
      {health === null ? null : <p>{t(`health.${health.state}`)}</p>}
      {isIll ? (
        <p className={classes.note} lang="en">
          {health.message}
        </p>
      ) : null}
    </Alert>
  );
}

function Contents({ contents }: { contents: NonNullable<Opened['contents']> }) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  const stores = [['private', contents.private] as const, ['public', contents.public] as const];
  return (
    <>
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
      {contents.active.length === 0 ? null : (
        <>
          <p>{t('contents.active')}</p>
          <ul>
            {contents.active.map(({ id, kind, detail }) => (
              <li key={id}>
                {t(`heldBack.kind.${kind}`)} <bdi className={classes.path}>{detail}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      {contents.isOlder ? <p>{t('contents.older')}</p> : null}
    </>
  );
}

import { Alert, Button, Group, Progress } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupsView } from '../../../shared/owner-api/backups.ts';
import { useCancelCare, useCare } from '../../api/queries/backups.ts';
import { useFaultText } from '../../backups/fault-text.ts';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './backups.module.css';
import { PassphraseDialog } from './passphrase-dialog.tsx';

/** Shows when the last backup was made and why the latest attempt failed, and makes one on demand. */
export function StatusCard({ view }: { view: BackupsView }) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  const { ofFault, ofError } = useFaultText();
  const make = useCare('makeBackup');
  const { last, files, failure, folderProblem, doubt, elsewhere, nextAt, plan, work } = view;
  // A folder in doubt has its own notice.
  const problem = doubt === null ? (failure ?? folderProblem) : null;
  const [isAsked, setAsked] = useState(false);
  const isOff = plan.folder === null || work !== null;
  return (
    <Card
      title={t('status.title')}
      action={
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={isOff} onClick={() => setAsked(true)}>
            {t('passphrase.button')}
          </Button>
          <Button
            size="xs"
            leftSection={<Icon name="database" />}
            disabled={isOff}
            loading={make.isPending}
            onClick={() => make.mutate({ passphrase: null })}
          >
            {t('status.now')}
          </Button>
        </Group>
      }
    >
      {isAsked ? <PassphraseDialog onClose={() => setAsked(false)} /> : null}
      {plan.folder === null ? (
        <Alert color="yellow" variant="light" icon={<Icon name="alert" />} role="status">
          {t('status.noFolder')}
        </Alert>
      ) : null}
      <Doubt view={view} />
      {view.isOnDataDisk ? (
        <Alert color="yellow" variant="light" icon={<Icon name="alert" />} role="status">
          {t('status.sameDisk')}
        </Alert>
      ) : null}
      {problem === null ? null : (
        <Alert color="red" variant="light" icon={<Icon name="alert" />} title={t('status.failed')} role="alert">
          <p>{ofFault(problem.fault)}</p>
          <p className={classes.note} lang="en">
            {problem.message}
          </p>
        </Alert>
      )}
      <Failure>{make.isError ? ofError(make.error) : null}</Failure>
      {work === null ? null : <Working work={work} />}
      <dl className={classes.facts}>
        <div>
          <dt>{t('status.last')}</dt>
          <dd>
            {last !== null
              ? format.dateTime(last.at)
              : files[0] === undefined
                ? t('status.never')
                : `${format.dateTime(files[0].madeAt)}, ${t('files.unverified')}`}
          </dd>
        </div>
        {last === null ? null : (
          <>
            <div>
              <dt>{t('status.size')}</dt>
              <dd>
                {t('status.sizeIn', {
                  size: format.bytes(last.bytes),
                  seconds: format.rounded(last.durationMs / 1000, 1),
                })}
              </dd>
            </div>
            <div>
              <dt>{t('status.encryption')}</dt>
              <dd>{t(`encryption.${last.encryption}`)}</dd>
            </div>
          </>
        )}
        <div>
          <dt>{t('status.next')}</dt>
          <dd>{nextAt === null ? t('status.none') : format.dateTime(nextAt)}</dd>
        </div>
        {elsewhere.length === 0 ? null : (
          <div>
            <dt>{t('status.elsewhere')}</dt>
            {elsewhere.map(({ at, path }) => (
              <dd key={path}>
                {format.dateTime(at)} <bdi className={classes.path}>{path}</bdi>
              </dd>
            ))}
          </div>
        )}
      </dl>
    </Card>
  );
}

/** Asks the owner to confirm the folder before the node uses it. */
function Doubt({ view: { doubt, plan, restored } }: { view: BackupsView }) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  const { ofError } = useFaultText();
  const confirm = useCare('confirmBackupFolder');
  if (doubt === null || plan.folder === null) return null;
  const { folder } = plan;
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="alert" />} title={t(`doubt.${doubt}.title`)} role="alert">
      {doubt === 'node' && restored !== null ? (
        <p>
          {t('doubt.node.restored', {
            at: format.dateTime(Date.parse(restored.restoredAt)),
            madeAt: format.dateTime(Date.parse(restored.madeAt)),
          })}{' '}
          {t('restored.where')}{' '}
          <bdi className={classes.path}>
            {restored.host}: {restored.dataDir}
          </bdi>
          . {t('restored.twins')}
        </p>
      ) : null}
      <p>{t(`doubt.${doubt}.text`)}</p>
      <p className={classes.path}>{folder}</p>
      <Failure>{confirm.isError ? ofError(confirm.error) : null}</Failure>
      <Button
        size="xs"
        mt={8}
        variant="default"
        loading={confirm.isPending}
        onClick={() => confirm.mutate({ confirm: folder })}
      >
        {t(`doubt.${doubt}.action`)}
      </Button>
    </Alert>
  );
}

function Working({ work }: { work: NonNullable<BackupsView['work']> }) {
  const { t } = useTranslation('backups');
  const cancel = useCancelCare();
  const { kind, phase, doneBytes, totalBytes } = work;
  const part = totalBytes === 0 ? 0 : Math.min(100, (doneBytes / totalBytes) * 100);
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <span role="status">
          {t(`work.${kind}`)} {phase === null ? '' : t(`phase.${phase}`)}
        </span>
        <Button size="compact-xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('work.cancel')}
        </Button>
      </Group>
      <Progress value={part} aria-label={t(`work.${kind}`)} animated={totalBytes === 0} />
    </div>
  );
}

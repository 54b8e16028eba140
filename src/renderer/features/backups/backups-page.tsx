import { Alert, Button } from '@mantine/core';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupsView } from '../../../shared/owner-api/backups.ts';
import { useLink } from '../../api/node-connection.ts';
import { useBackups, useDismissRestored } from '../../api/queries/backups.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { PlanCard } from '../../backups/plan-card.tsx';
import { Icon } from '../../components/icon.tsx';
import { Card } from '../../components/layout/card.tsx';
import { LeadPage } from '../../components/layout/lead-page.tsx';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { useFormat } from '../../format/format.ts';
import { useTitle } from '../../router/title.ts';
import { UndoRestore } from '../../settings/undo-restore.tsx';
import classes from './backups.module.css';
import { FilesCard } from './files-card.tsx';
import { HeldBackCard } from './held-back-card.tsx';
import { OpenedAlert } from './opened-alert.tsx';
import { StatusCard } from './status-card.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces(['backups', 'keys']);

/** The page of backups: their state, where they are written, and the keys that open them. */
export default function BackupsPage() {
  const { t } = useTranslation('backups');
  useTitle(t('title'));
  const { data: view, error, refetch } = useBackups();
  // On an empty node the owner wants to restore a backup, so the files come first: a phrase typed into the plan would
  // not open a backup.
  const overview = useOverview().data;
  const [isEmpty] = useState(() => overview?.devices.length === 0);
  if (view === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return (
    <LeadPage title={t('title')} lead={t('lead')} className={classes.page}>
      {view.restored === null || view.doubt === 'node' ? null : <Restored restored={view.restored} />}
      <HeldBackCard items={view.heldBack} />
      <Away view={view} />
      {view.opened === null ? null : <OpenedAlert opened={view.opened} />}
      {isEmpty ? <FilesCard view={view} /> : null}
      <StatusCard view={view} />
      <PlanCard key={JSON.stringify(view.plan)} view={view} />
      {isEmpty ? null : <FilesCard view={view} />}
      <KeptCard view={view} />
    </LeadPage>
  );
}

/** The notice that the node has stopped for a restore. If it then fails to start, a browser cannot show that. */
function Away({ view: { work } }: { view: BackupsView }) {
  const { t } = useTranslation('backups');
  const link = useLink();
  if (link.state !== 'lost' || work?.kind !== 'restore') return null;
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="alert" />} title={t('away.title')} role="status">
      <p>{t('away.text')}</p>
    </Alert>
  );
}

/** Warns that two nodes with one identity must not run, until the owner dismisses it. */
function Restored({ restored }: { restored: NonNullable<BackupsView['restored']> }) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  const dismiss = useDismissRestored();
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="alert" />} title={t('restored.title')} role="status">
      <p>
        {t('restored.text', {
          at: format.dateTime(Date.parse(restored.restoredAt)),
          madeAt: format.dateTime(Date.parse(restored.madeAt)),
        })}
      </p>
      <p>
        <strong>{t('restored.twins')}</strong> {t('restored.where')}{' '}
        <bdi className={classes.path}>
          {restored.host}: {restored.dataDir}
        </bdi>
      </p>
      <Button size="xs" mt={8} variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
        {t('restored.seen')}
      </Button>
    </Alert>
  );
}

/** Shows the data that a restore set aside. It can be put back; it uses disk space until the owner deletes it. */
function KeptCard({ view: { kept, work } }: { view: BackupsView }) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  if (kept === null) return null;
  return (
    <Card title={t('undo.heading')} action={<UndoRestore path={kept.path} isBusy={work !== null} />}>
      <p>{t('undo.kept', { at: format.dateTime(kept.at) })}</p>
      <p className={classes.path}>{kept.path}</p>
    </Card>
  );
}

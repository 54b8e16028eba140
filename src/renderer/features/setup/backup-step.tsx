import { useTranslation } from 'react-i18next';
import { useBackups } from '../../api/queries/backups.ts';
import { PlanCard } from '../../backups/plan-card.tsx';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { linkTo } from '../../router/router.ts';
import classes from './setup.module.css';

/** Asks for a backup folder on another disk. */
export function BackupStep() {
  const { t } = useTranslation(['setup', 'backups']);
  const { data: view, error, refetch } = useBackups();
  if (view === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <p>{t(view.plan.folder === null ? 'backup.text' : 'backup.done')}</p>
      {view.isOnDataDisk ? (
        <p className={classes.failed} role="status">
          {t('backups:status.sameDisk')}
        </p>
      ) : null}
      <PlanCard key={JSON.stringify(view.plan)} view={view} />
      <p className={classes.note}>
        <a href={linkTo({ page: 'backups' })}>{t('backup.restore')}</a>
      </p>
    </>
  );
}

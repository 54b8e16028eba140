import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useBackups } from '../../api/queries/backups.ts';
import { useExports } from '../../api/queries/exports.ts';
import { LeadPage } from '../../components/layout/lead-page.tsx';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { useTitle } from '../../router/title.ts';
import { ExportForm } from './export-form.tsx';
import classes from './export-page.module.css';
import { LastExport } from './last-export.tsx';
import { Working } from './working.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces(['export', 'charts', 'device']);

/** All data in open formats, into a folder on the node's machine. */
export default function ExportPage() {
  const { t } = useTranslation('export');
  useTitle(t('title'));
  const exports = useExports();
  const backups = useBackups();
  const error = exports.error ?? backups.error;
  if (exports.data === undefined || backups.data === undefined) {
    const retry = () => void Promise.all([exports.refetch(), backups.refetch()]);
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={retry} />;
  }
  const { work, last } = exports.data;
  return (
    <LeadPage title={t('title')} lead={t('lead')} className={classes.page}>
      {work === null ? null : <Working work={work} />}
      {last === null ? null : <LastExport last={last} />}
      {work === null ? <ExportForm folder={backups.data.plan.folder ?? ''} /> : null}
    </LeadPage>
  );
}

import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useExports } from '../../api/queries/exports.ts';
import { LeadPage } from '../../components/layout/lead-page.tsx';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { useTitle } from '../../router/title.ts';
import { ExportForm } from './export-form.tsx';
import classes from './export-page.module.css';
import { LastExport } from './last-export.tsx';
import { VerifyProof } from './verify-proof.tsx';
import { Working } from './working.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces(['export', 'charts', 'device']);

/** The page that exports all data in open formats to a folder on the node's machine. */
export default function ExportPage() {
  const { t } = useTranslation('export');
  useTitle(t('title'));
  const { data, error, refetch } = useExports();
  if (data === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const { work, last, suggestedFolder } = data;
  return (
    <LeadPage title={t('title')} lead={t('lead')} className={classes.page}>
      {work === null ? null : <Working work={work} />}
      {last === null ? null : <LastExport last={last} />}
      {work === null ? <ExportForm suggested={suggestedFolder ?? ''} /> : null}
      <VerifyProof />
    </LeadPage>
  );
}

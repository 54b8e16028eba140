import { useTranslation } from 'react-i18next';
import { useBackups } from '../../api/queries/backups.ts';
import { useFormat } from '../../format/format.ts';
import { UndoRestore } from '../../settings/undo-restore.tsx';

/** After a restore, offers to put back the previous data. This never happens automatically. */
export function RestoredData() {
  const { t } = useTranslation('startup');
  const format = useFormat();
  const { data: view } = useBackups();
  if (view === undefined || view.restored === null || view.kept === null) return null;
  const { restoredAt, madeAt } = view.restored;
  return (
    <section aria-label={t('restored.label')}>
      <p style={{ marginBottom: 10 }}>
        {t('restored.text', {
          at: format.dateTime(Date.parse(restoredAt)),
          madeAt: format.dateTime(Date.parse(madeAt)),
        })}
      </p>
      <UndoRestore path={view.kept.path} isBusy={view.work !== null} />
    </section>
  );
}

import { useTranslation } from 'react-i18next';
import type { BackupsView } from '../../../shared/owner-api/backups.ts';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import { UndoRestore } from '../../settings/undo-restore.tsx';
import classes from './backups.module.css';

/** Shows the data that a restore set aside. It can be put back; it uses disk space until the owner deletes it. */
export function KeptCard({ view: { kept, work } }: { view: BackupsView }) {
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

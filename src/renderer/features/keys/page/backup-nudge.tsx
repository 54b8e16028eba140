import { useTranslation } from 'react-i18next';
import { Caution } from '../../../keys/parts/messages.tsx';
import { useOnlyHere } from '../../../keys/session/exported.ts';
import type { KeysView } from '../../../keys/session/types.ts';
import { ExportButton } from './export-button.tsx';
import classes from './keys.module.css';

/** Says what exists in this keystore alone: neither exported since it was added nor tried from paper. */
export function BackupNudge({ view }: { view: KeysView }) {
  const { secrets, fieldKeys } = useOnlyHere(view);
  const { t } = useTranslation('keys');
  if (secrets + fieldKeys === 0) return null;
  return (
    <section className={classes.card} aria-labelledby="keys-backup">
      <h2 id="keys-backup">{t('backup.title')}</h2>
      <Caution role="status">
        {[
          secrets === 0 ? '' : t('backup.secrets', { count: secrets }),
          fieldKeys === 0 ? '' : t('backup.fieldKeys', { count: fieldKeys }),
          t('backup.text'),
        ]
          .filter((part) => part !== '')
          .join(' ')}
      </Caution>
      <div>
        <ExportButton />
      </div>
    </section>
  );
}

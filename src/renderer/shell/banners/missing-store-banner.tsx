import { CloseButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DamagedFile } from '../../../shared/owner-api/damaged-files.ts';
import { useDismissDamagedFile } from '../../api/queries/damaged-files.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import { linkTo } from '../../router/router.ts';
import classes from './storage-banner.module.css';

/**
 * A banner about a store that existed and is missing. It is as noticeable as that of a store that refuses writes. It
 * stays until the owner dismisses it, to go on with a new store.
 */
export default function MissingStoreBanner({ file: { id, file, at } }: { file: DamagedFile }) {
  const { t } = useTranslation('startup');
  const format = useFormat();
  const dismiss = useDismissDamagedFile();
  return (
    <div role="alert" className={classes.banner}>
      <Icon name="alert" size={22} />
      <div>
        <strong>{t('damaged.missing.title', { file, time: format.shortDateTime(at) })}</strong>{' '}
        {t('damaged.missing.text')}
      </div>
      <a href={linkTo({ page: 'backups' })}>{t('damaged.missing.restore')}</a>
      <CloseButton
        variant="transparent"
        c="white"
        aria-label={t('damaged.dismiss', { file })}
        disabled={dismiss.isPending}
        onClick={() => dismiss.mutate(id)}
      />
    </div>
  );
}

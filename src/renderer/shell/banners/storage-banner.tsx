import { useTranslation } from 'react-i18next';
import { useStorage } from '../../api/queries/overview.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import { linkTo } from '../../router/router.ts';
import classes from './storage-banner.module.css';

/** On every page, for as long as a store takes no writes: nothing that devices send is kept meanwhile. */
export function StorageBanner() {
  const { t } = useTranslation('app');
  const format = useFormat();
  const { data } = useStorage();
  const refusing = (data?.stores ?? []).flatMap(({ store, refusing: why }) =>
    why === null ? [] : [{ store, ...why }],
  );
  if (refusing.length === 0) return null;
  return (
    <div role="alert">
      {refusing.map(({ store, since, cause }) => (
        <div key={store} className={classes.banner}>
          <Icon name="alert" size={22} />
          <div>
            <strong>{t(`storage.refuses.${store}`, { time: format.shortDateTime(since) })}</strong>{' '}
            {t(`storage.cause.${cause}`)} {t('storage.meanwhile')}
          </div>
          <a href={linkTo({ page: 'node' })}>{t('storage.toNode')}</a>
        </div>
      ))}
    </div>
  );
}

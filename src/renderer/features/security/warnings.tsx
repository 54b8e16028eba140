import { useTranslation } from 'react-i18next';
import type { SecurityView } from '../../../shared/owner-api/security.ts';
import { linkTo } from '../../router/router.ts';
import { Warning } from './warning.tsx';

/** Shows warnings about access for strangers. Renders nothing if all is well. */
export function Warnings({ view }: { view: SecurityView }) {
  const { t } = useTranslation('security');
  const { hosts, exposedAt, hasReadToken, isLogWhole } = view;
  const carried = hosts.filter(({ isLetIn }) => isLetIn).map(({ host }) => host);
  const refused = hosts.filter(({ isLetIn }) => !isLetIn).map(({ host }) => host);
  return (
    <>
      {exposedAt.length === 0 ? null : (
        <Warning title={t('warning.exposed', { addresses: exposedAt.join(', ') })}>{t('warning.exposedText')}</Warning>
      )}
      {carried.length === 0 ? null : (
        <Warning title={t('warning.carried', { hosts: carried.join(', ') })}>
          {t('warning.carriedText')} {hasReadToken ? null : t('warning.token')}
        </Warning>
      )}
      {refused.length === 0 ? null : (
        <Warning title={t('warning.refused', { hosts: refused.join(', ') })}>
          {t('warning.refusedText')} <a href={linkTo({ page: 'settings' })}>{t('warning.toSettings')}</a>
        </Warning>
      )}
      {isLogWhole ? null : (
        <Warning title={t('warning.log')}>
          {t('warning.logText')} <a href={linkTo({ page: 'audit' })}>{t('allActions')}</a>
        </Warning>
      )}
    </>
  );
}

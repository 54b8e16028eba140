import { useTranslation } from 'react-i18next';
import { useNodeInfo } from '../../api/queries/overview.ts';
import { Icon } from '../../components/icon.tsx';
import { linkTo } from '../../router/router.ts';
import classes from './sleep-banner.module.css';

/** On every page, for as long as the clock of the node's machine is surely wrong: times are not what they seem. */
export function ClockBanner() {
  const { t } = useTranslation('app');
  if (useNodeInfo().data?.clock.state !== 'unset') return null;
  return (
    <div role="status" className={classes.banner}>
      <Icon name="clock" />
      <div>
        <p>
          <strong>{t('clock.title')}</strong> {t('clock.text')}{' '}
          <a href={linkTo({ page: 'node' })}>{t('clock.toNode')}</a>
        </p>
      </div>
    </div>
  );
}

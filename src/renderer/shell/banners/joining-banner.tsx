import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCloseJoining, useGate } from '../../api/queries/gate.ts';
import { Icon } from '../../components/icon.tsx';
import { TimeLeft } from '../../devices/connect/time-left.tsx';
import { linkTo } from '../../router/router.ts';
import classes from './joining-banner.module.css';

/** On every page, for as long as devices may join. */
export function JoiningBanner() {
  const { t } = useTranslation('app');
  const { data } = useGate();
  const close = useCloseJoining();
  if (data === undefined || data.closesAt === null) return null;
  return (
    <section className={classes.banner} aria-label={t('gate.isOpen')}>
      <Icon name="unlock" size={18} />
      <div>
        {t('gate.isOpen')} <TimeLeft until={data.closesAt} />
      </div>
      <a href={linkTo({ page: 'connect' })}>{t('connect.title')}</a>
      <Button variant="default" size="compact-sm" loading={close.isPending} onClick={() => close.mutate()}>
        {t('gate.close')}
      </Button>
    </section>
  );
}

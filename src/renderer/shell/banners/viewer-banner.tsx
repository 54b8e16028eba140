import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.tsx';
import { useLeave } from '../../api/queries/door.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './joining-banner.module.css';

/** On every page of a viewer: what is not here is not for them. */
export function ViewerBanner() {
  const { t } = useTranslation('app');
  const { role, name, isBounded } = useMe();
  const leave = useLeave();
  if (role === 'owner') return null;
  return (
    <section className={classes.banner} aria-label={t('viewer.label')}>
      <Icon name="eye" size={18} />
      <div>{t(isBounded ? 'viewer.bounded' : 'viewer.text', { name: name ?? '' })}</div>
      <Button variant="subtle" size="compact-sm" loading={leave.isPending} onClick={() => leave.mutate()}>
        {t('viewer.leave')}
      </Button>
    </section>
  );
}

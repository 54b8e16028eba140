import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSetOwnerChoices } from '../../api/queries/choices.ts';
import { Icon } from '../../components/icon.tsx';
import { linkTo } from '../../router/router.ts';
import { useSetup } from '../../setup/use-setup.ts';
import classes from './overview.module.css';

/** Shows the number of remaining setup steps in one line, until all are done or the owner dismisses it. */
export function SetupLine() {
  const { t } = useTranslation('app');
  const setup = useSetup();
  const { mutate } = useSetOwnerChoices();
  // An owner who only looks at the demo sets up nothing yet.
  if (setup === undefined || setup.devices.length === 0) return null;
  if (setup.left.length === 0 || setup.choices.setup.isOver) return null;
  return (
    <div className={classes.demo}>
      <Icon name="info" />
      <a href={linkTo({ page: 'setup' })}>{t('setup.left', { count: setup.left.length })}</a>
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => mutate(({ setup: kept }) => ({ setup: { ...kept, isOver: true } }))}
      >
        {t('setup.over')}
      </Button>
    </div>
  );
}

import { useTranslation } from 'react-i18next';
import { useUnwatched, useUnwatchedNames } from '../../../alerts/rules/use-unwatched.ts';
import { nameOf } from '../../../devices/names.ts';
import { linkTo } from '../../../router/router.ts';
import classes from '../overview.module.css';

const ALERTS = linkTo({ page: 'alerts', id: null });

/** Says in one sentence which values no rule watches, with a link to where ranges are set. It is not an alarm. */
export function UnwatchedNote() {
  const { t } = useTranslation('app');
  const unwatched = useUnwatched();
  const namesOf = useUnwatchedNames();
  const [first] = unwatched;
  if (first === undefined) return null;
  const count = unwatched.length;
  return (
    <p className={classes.count}>
      {count === 1
        ? t('unwatched.one', { name: nameOf(first.device), fields: namesOf(first) })
        : t('unwatched.devices', { count })}{' '}
      <a href={count === 1 ? linkTo({ page: 'device', id: first.device.id }) : ALERTS}>
        {t(count === 1 ? 'unwatched.set' : 'unwatched.see')}
      </a>
    </p>
  );
}

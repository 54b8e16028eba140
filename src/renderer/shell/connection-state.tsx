import { useConnection } from '../api/connection.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import classes from './connection.module.css';

/** Whether new readings appear by themselves just now. */
export function ConnectionState() {
  const { t } = useTranslation('app');
  const { state } = useConnection();
  return (
    <span className={classes.state} data-state={state}>
      <span className={classes.dot} aria-hidden="true" />
      {t(`connection.${state}`)}
    </span>
  );
}

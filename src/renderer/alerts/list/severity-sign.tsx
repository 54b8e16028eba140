import { useTranslation } from 'react-i18next';
import type { Severity } from '../../../shared/alerts/rule.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './alert-list.module.css';

/** The severity, as a shape and a colour. */
export function SeveritySign({ severity, size = 18 }: { severity: Severity; size?: number }) {
  const { t } = useTranslation('app');
  return (
    <span className={classes.sign} data-severity={severity} title={t(`severity.${severity}`)}>
      <Icon name={severity === 'critical' ? 'critical' : 'alert'} size={size} label={t(`severity.${severity}`)} />
    </span>
  );
}

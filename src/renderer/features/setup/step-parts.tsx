import { useTranslation } from 'react-i18next';
import { errorCode } from '../../api/errors.ts';
import classes from './setup.module.css';

/** So many devices are asked about at a time. */
export const FIRST_SHOWN = 6;

/** Says why a step has nothing to ask about yet. */
export function NoDevice() {
  const { t } = useTranslation('setup');
  return <p className={classes.note}>{t('noDevice')}</p>;
}

/** How many devices are asked about after the ones that are shown. */
export function MoreDevices({ of }: { of: readonly unknown[] }) {
  const { t } = useTranslation('app');
  if (of.length <= FIRST_SHOWN) return null;
  return <p className={classes.note}>{t('common.more', { count: of.length - FIRST_SHOWN })}</p>;
}

/** Why an answer was not kept. */
export function Failed({ error }: { error: unknown }) {
  const { t } = useTranslation('app');
  if (error === null) return null;
  return (
    <p className={classes.failed} role="alert">
      {t(`error.${errorCode(error)}.title`)}
    </p>
  );
}

import { useTranslation } from 'react-i18next';
import { errorCode } from '../../api/errors.ts';
import classes from './setup.module.css';

/** The number of devices asked about at a time. */
export const FIRST_SHOWN = 6;

/** Says that a step needs a device first. */
export function NoDevice() {
  const { t } = useTranslation('setup');
  return <p className={classes.note}>{t('noDevice')}</p>;
}

/** Shows how many devices will be asked about later. */
export function MoreDevices({ of }: { of: readonly unknown[] }) {
  const { t } = useTranslation('app');
  if (of.length <= FIRST_SHOWN) return null;
  return <p className={classes.note}>{t('common.more', { count: of.length - FIRST_SHOWN })}</p>;
}

/** Shows why an answer was not saved. */
export function Failed({ error }: { error: unknown }) {
  const { t } = useTranslation('app');
  if (error === null) return null;
  return (
    <p className={classes.failed} role="alert">
      {t(`error.${errorCode(error)}.title`)}
    </p>
  );
}

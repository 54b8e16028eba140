import { CloseButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Wake } from '../../../shared/desktop-api.ts';
import { desktop } from '../../api/desktop.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import { missedIn } from './missed.ts';
import classes from './sleep-banner.module.css';

/** A banner about the machine's last sleep and the readings that were lost. It stays until the owner dismisses it. */
export default function SleepBanner({ wake, onDismiss }: { wake: Wake; onDismiss: () => void }) {
  const { t } = useTranslation('startup');
  const format = useFormat();
  const { data } = useOverview();
  // Computed once, before new readings change the usual intervals.
  const [missed, setMissed] = useState<{ devices: number; readings: number } | null>(null);
  useEffect(() => {
    if (data !== undefined) setMissed((before) => before ?? missedIn(data.devices, wake.to - wake.from));
  }, [data, wake]);
  const dismiss = (): void => {
    onDismiss();
    desktop?.app.call('dismissWake', {}).catch(() => {});
  };
  return (
    <div role="status" className={classes.banner}>
      <Icon name="moon" />
      <div>
        <p>
          {t('sleep.slept', {
            from: format.dateTime(wake.from),
            to: format.time(wake.to),
            span: format.duration(wake.to - wake.from),
          })}{' '}
          {missed === null
            ? null
            : missed.devices === 0
              ? t('sleep.none')
              : t('sleep.missed', { count: missed.devices, readings: format.integer(missed.readings) })}
        </p>
        {missed !== null && missed.devices > 0 ? <p className={classes.advice}>{t('sleep.advice')}</p> : null}
      </div>
      <CloseButton size="sm" aria-label={t('sleep.dismiss')} onClick={dismiss} />
    </div>
  );
}

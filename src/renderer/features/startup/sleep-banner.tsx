import { CloseButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Wake } from '../../../shared/desktop-api.ts';
import { getDesktop } from '../../api/client.ts';
import { useOverview } from '../../api/queries.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { missedIn } from './missed.ts';
import classes from './startup.module.css';

/** Tells of the last sleep of the machine and what it cost, until the owner waves it away. */
export default function SleepBanner({ wake, onDismiss }: { wake: Wake; onDismiss: () => void }) {
  const { t } = useTranslation('startup');
  const format = useFormat();
  const { data } = useOverview();
  // Counted once, before the readings that now arrive change what is usual.
  const [missed, setMissed] = useState<{ devices: number; readings: number } | null>(null);
  useEffect(() => {
    if (data !== undefined) setMissed((before) => before ?? missedIn(data.devices, wake.to - wake.from));
  }, [data, wake]);
  const dismiss = (): void => {
    onDismiss();
    void getDesktop()
      ?.call('dismissWake', {})
      .catch(() => {});
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

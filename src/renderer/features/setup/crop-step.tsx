import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { useSetOwnerChoices } from '../../api/queries/choices.ts';
import { nameOf } from '../../devices/names.ts';
import type { Setup } from '../../setup/use-setup.ts';
import classes from './setup.module.css';
import { Failed, FIRST_SHOWN, MoreDevices, NoDevice } from './step-parts.tsx';

const PresetDialog = lazy(() => import('../../alerts/presets/preset-dialog.tsx'));

/** Asks what grows at each device, to set its ranges. The owner may also answer that nothing is watched there. */
export function CropStep({ setup: { devices, unasked, choices } }: { setup: Setup }) {
  const { t } = useTranslation('setup');
  const choose = useSetOwnerChoices();
  const [asked, setAsked] = useState<DeviceSummary | null>(null);
  if (devices.length === 0) return <NoDevice />;
  const watchNothing = (id: string): void =>
    choose.mutate(({ setup }) => ({ setup: { ...setup, unwatched: [...setup.unwatched, id] } }));
  const unwatched = devices.filter(({ id }) => choices.setup.unwatched.includes(id)).map(nameOf);
  return (
    <>
      <p>{t(unasked.length === 0 ? 'crop.done' : 'crop.text')}</p>
      <ul className={classes.list}>
        {unasked.slice(0, FIRST_SHOWN).map((device) => (
          <li key={device.id} className={classes.row}>
            <span className={classes.name}>
              <bdi>{nameOf(device)}</bdi>
              {device.lastReceivedAt === null ? <span className={classes.note}>{t('crop.noReading')}</span> : null}
            </span>
            <Button
              size="xs"
              disabled={device.lastReceivedAt === null}
              aria-label={t('crop.chooseOf', { name: nameOf(device) })}
              onClick={() => setAsked(device)}
            >
              {t('crop.choose')}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={t('crop.nothingOf', { name: nameOf(device) })}
              onClick={() => watchNothing(device.id)}
            >
              {t('crop.nothing')}
            </Button>
          </li>
        ))}
      </ul>
      <MoreDevices of={unasked} />
      {unwatched.length === 0 ? null : (
        <p className={classes.note}>{t('crop.unwatched', { names: unwatched.join(', ') })}</p>
      )}
      <Failed error={choose.error} />
      <Suspense fallback={null}>
        {asked === null ? null : <PresetDialog device={asked} rules={[]} onClose={() => setAsked(null)} />}
      </Suspense>
    </>
  );
}

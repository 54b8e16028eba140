import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useKnownChoices, useSetOwnerChoices } from '../../api/queries/choices.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { CallFailure } from '../../components/failure.tsx';
import { Card } from '../../components/layout/card.tsx';
import { nameOf } from '../../devices/names.ts';
import { useFormat } from '../../format/format.ts';
import classes from './connections.module.css';

/** Chooses the devices that are published at the broker. */
export function ShownDevicesCard() {
  const { t } = useTranslation(['connections', 'app']);
  const format = useFormat();
  const choices = useKnownChoices();
  const save = useSetOwnerChoices();
  const devices = useOverview().data?.devices.filter(({ mine }) => mine);
  if (choices === undefined || devices === undefined) return null;
  const leftOut = new Set(choices.bridge.leftOut);
  const show = (id: string, isShown: boolean): void =>
    save.mutate(({ bridge }) => ({
      bridge: { leftOut: [...bridge.leftOut.filter((each) => each !== id), ...(isShown ? [] : [id])] },
    }));
  const shown = devices.filter(({ id }) => !leftOut.has(id)).length;
  return (
    <Card
      title={t('shown.title')}
      action={
        <span className={classes.note}>
          {t('shown.count', { shown: format.integer(shown), all: format.integer(devices.length) })}
        </span>
      }
    >
      <div className={classes.body}>
        <p className={classes.text}>{t('shown.text')}</p>
        <ul className={classes.devices} aria-label={t('shown.title')}>
          {devices.map((device) => (
            <li key={device.id}>
              <Checkbox
                size="sm"
                label={<bdi>{nameOf(device)}</bdi>}
                checked={!leftOut.has(device.id)}
                onChange={(event) => show(device.id, event.currentTarget.checked)}
              />
            </li>
          ))}
        </ul>
        <CallFailure error={save.error} />
      </div>
    </Card>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../shared/display-text.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { errorCode } from '../../api/errors.ts';
import { useSetNotes } from '../../api/queries/devices.ts';
import { Icon } from '../../components/icon.tsx';
import { nameOf } from '../../devices/names.ts';
import { useFormat } from '../../format/format.ts';
import { linkTo } from '../../router/router.ts';
import classes from './overview.module.css';

function HiddenDevice({ device }: { device: DeviceSummary }) {
  const { t } = useTranslation('app');
  const save = useSetNotes();
  const name = nameOf(device);
  return (
    <li>
      <a className={classes.claimName} href={linkTo({ page: 'device', id: device.id })} title={name}>
        <bdi>{name}</bdi>
      </a>
      <span className={classes.note}>
        <code title={device.id}>{shortId(device.id)}</code>
      </span>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={t('hidden.showName', { name })}
        loading={save.isPending}
        onClick={() => save.mutate({ id: device.id, change: { isHidden: false } })}
      >
        {t('hidden.show')}
      </Button>
      {save.isError ? (
        <span role="alert" className={classes.failed}>
          {t('hidden.failed', { name, reason: t(`error.${errorCode(save.error)}.title`) })}
        </span>
      ) : null}
    </li>
  );
}

/** Lists the devices that the owner hid, collapsed, each with a button that shows it again. */
export function HiddenDevices({ devices }: { devices: readonly DeviceSummary[] }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  if (devices.length === 0) return null;
  return (
    <section className={classes.others}>
      <h2>
        <button type="button" className={classes.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
          {t('hidden.title', { count: devices.length, number: format.integer(devices.length) })}
        </button>
      </h2>
      {isOpen ? (
        <>
          <p className={classes.note}>{t('hidden.text')}</p>
          <ul className={classes.claimList}>
            {devices.map((device) => (
              <HiddenDevice key={device.id} device={device} />
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { displayText, shortId } from '../../../shared/display-text.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { errorCode } from '../../api/errors.ts';
import { useSetNotes } from '../../api/queries/devices.ts';
import { Icon } from '../../components/icon.tsx';
import { nameOf } from '../../devices/names.ts';
import { linkTo } from '../../router/router.ts';
import classes from './overview.module.css';

const FIRST_SHOWN = 3;

function Claim({ device }: { device: DeviceSummary }) {
  const { t } = useTranslation('app');
  const save = useSetNotes();
  const name = nameOf(device);
  // A device of somebody else is hidden from the lists. The owner finds it among the hidden devices.
  const answer = (mine: boolean): void => save.mutate({ id: device.id, change: { mine, isHidden: !mine } });
  return (
    <li>
      <a className={classes.claimName} href={linkTo({ page: 'device', id: device.id })} title={name}>
        <bdi>{name}</bdi>
      </a>
      <span className={classes.note}>
        <code title={device.id}>{shortId(device.id)}</code> · {displayText(device.mac)}
      </span>
      <span className={classes.answers}>
        <Button variant="default" size="compact-xs" loading={save.isPending} onClick={() => answer(true)}>
          {t('claims.yes')}
        </Button>
        <Button variant="default" size="compact-xs" disabled={save.isPending} onClick={() => answer(false)}>
          {t('claims.no')}
        </Button>
      </span>
      {save.isError ? (
        <span role="alert" className={classes.failed}>
          {t('claims.failed', { name, reason: t(`error.${errorCode(save.error)}.title`) })}
        </span>
      ) : null}
    </li>
  );
}

/** Lists devices of the public endpoint that claim the owner's key. Anyone can claim it, so the owner is asked. */
export function Claims({ devices, unlisted }: { devices: readonly DeviceSummary[]; unlisted: number }) {
  const { t } = useTranslation('app');
  const [all, setAll] = useState(false);
  if (devices.length === 0) return null;
  const count = devices.length + unlisted;
  const shown = all ? devices : devices.slice(0, FIRST_SHOWN);
  return (
    <section className={classes.claims} aria-labelledby="claims">
      <h2 id="claims" className={classes.claimsTitle}>
        <Icon name="key" />
        {t('claims.title', { count })}
      </h2>
      <p className={classes.advice}>{t('claims.text')}</p>
      <ul className={classes.claimList}>
        {shown.map((device) => (
          <Claim key={device.id} device={device} />
        ))}
      </ul>
      {devices.length > FIRST_SHOWN ? (
        <Button variant="subtle" size="compact-xs" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('common.less') : t('common.more', { count: devices.length - FIRST_SHOWN })}
        </Button>
      ) : null}
      {unlisted > 0 ? <p className={classes.note}>{t('claims.unlisted', { count: unlisted })}</p> : null}
    </section>
  );
}

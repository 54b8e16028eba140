import { Badge, Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DoorView, PairingView } from '../../../shared/owner-api/door.ts';
import { useRevokePairing } from '../../api/queries/door.ts';
import { CallFailure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './people.module.css';

/** Lists those who have access, when each last connected, and a button that ends the access. */
export function PairedCard({ view }: { view: DoorView }) {
  const { t } = useTranslation('door');
  return (
    <Card isFlush title={t('paired.title')}>
      {view.pairings.length === 0 ? <p className={`${classes.row} ${classes.none}`}>{t('paired.none')}</p> : null}
      <ul className={classes.list} aria-label={t('paired.title')}>
        {view.pairings.map((pairing) => (
          <Paired key={pairing.id} pairing={pairing} />
        ))}
      </ul>
    </Card>
  );
}

function Paired({ pairing }: { pairing: PairingView }) {
  const { t } = useTranslation(['door', 'app']);
  const format = useFormat();
  const revoke = useRevokePairing();
  const [isSure, setSure] = useState(false);
  const { id, name, role, devices, kind, mayUnlock, mayLog, lastUsedAt, lastAddress, endsAt, isThis } = pairing;
  return (
    <li className={classes.row}>
      <div>
        <p className={classes.name}>
          <bdi>{name}</bdi>
        </p>
        <p className={classes.note}>
          {t(`kind.${kind}`)}
          {' · '}
          {lastUsedAt === null
            ? t('paired.never')
            : t('paired.last', { at: format.dateTime(lastUsedAt), address: lastAddress ?? '' })}
          {endsAt === null ? null : ` · ${t('paired.ends', { at: format.dateTime(endsAt) })}`}
        </p>
        <CallFailure error={revoke.error} />
      </div>
      {isThis ? (
        <Badge variant="light" tt="none">
          {t('paired.this')}
        </Badge>
      ) : null}
      <Badge variant="default" tt="none">
        {devices === null ? t(`role.${role}`) : t('role.viewerOf', { count: devices.length })}
      </Badge>
      {mayLog ? <Icon name="edit" label={t('add.mayLog')} /> : null}
      {mayUnlock ? <Icon name="key" label={t('add.mayUnlock')} /> : null}
      <Button
        variant={isSure ? 'filled' : 'default'}
        color="red"
        size="xs"
        aria-label={t('paired.revokeOf', { name })}
        loading={revoke.isPending}
        onClick={() => (isSure ? revoke.mutate(id) : setSure(true))}
        onBlur={() => setSure(false)}
      >
        {t(isSure ? 'paired.revokeSure' : 'paired.revoke')}
      </Button>
    </li>
  );
}

import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../shared/display-text.ts';
import { type Gate, useCloseJoining, useOpenJoining } from '../../api/queries/gate.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { Icon } from '../../components/icon.tsx';
import { linkTo } from '../../router/router.ts';
import { nameOf } from '../names.ts';
import classes from './connect.module.css';
import { JoinRequests } from './join-requests.tsx';
import { TimeLeft } from './time-left.tsx';

/** Opens and closes joining. Lists the devices that joined, wait, or tried and were refused. */
export function Joining({ gate }: { gate: Gate }) {
  const { closesAt, joining } = gate;
  const { t } = useTranslation('app');
  const names = new Map(useOverview().data?.devices.map((device) => [device.id, nameOf(device)]));
  const open = useOpenJoining();
  const close = useCloseJoining();
  const [closesAfterOne, setClosesAfterOne] = useState(true);
  return (
    <div className={classes.joining}>
      {closesAt === null ? (
        <>
          <Button
            size="sm"
            leftSection={<Icon name="unlock" />}
            loading={open.isPending}
            onClick={() => open.mutate(closesAfterOne)}
          >
            {t('gate.open')}
          </Button>
          <Checkbox
            size="sm"
            label={t('gate.afterOne')}
            checked={closesAfterOne}
            onChange={(event) => setClosesAfterOne(event.currentTarget.checked)}
          />
        </>
      ) : (
        <p className={`${classes.standing} ${classes.row}`} data-state="listening" role="status">
          <Icon name="clock" size={16} />
          <span>
            {t('gate.isOpen')} <TimeLeft until={closesAt} />
          </span>
          <Button variant="default" size="compact-sm" loading={close.isPending} onClick={() => close.mutate()}>
            {t('gate.close')}
          </Button>
        </p>
      )}
      {joining.joined.length === 0 ? null : (
        <p className={`${classes.standing} ${classes.row}`} data-state="listening">
          <Icon name="check" size={16} />
          <span>
            {t('gate.joined', { count: joining.joined.length })}{' '}
            {joining.joined.slice(0, 3).map((id) => (
              <a key={id} href={linkTo({ page: 'device', id })}>
                {names.get(id) ?? shortId(id)}{' '}
              </a>
            ))}
          </span>
        </p>
      )}
      <JoinRequests gate={gate} />
    </div>
  );
}

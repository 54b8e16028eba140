import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../shared/display-text.ts';
import type { UnregisteredDevice } from '../../../shared/owner-api.ts';
import { Age } from '../../components/age.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format.ts';
import classes from './overview.module.css';

const FIRST_SHOWN = 3;

/** Devices that send readings without being registered, newest first, with what makes them register. */
export function Knocking({ unregistered }: { unregistered: readonly UnregisteredDevice[] }) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const [all, setAll] = useState(false);
  if (unregistered.length === 0) return null;
  const newestFirst = unregistered.toSorted((a, b) => b.lastAt - a.lastAt);
  const shown = all ? newestFirst : newestFirst.slice(0, FIRST_SHOWN);
  return (
    <section className={classes.knocking} aria-labelledby="knocking">
      <h2 id="knocking" className={classes.knockingTitle}>
        <Icon name="alert" />
        {t('knocking.title', { count: unregistered.length })}
      </h2>
      <p className={classes.advice}>{t('knocking.advice', { count: unregistered.length })}</p>
      <ul className={classes.knocks}>
        {shown.map((device) => (
          <li key={`${device.endpoint} ${device.id}`}>
            <code title={device.id}>{shortId(device.id)}</code>
            <CopyButton text={device.id} label={t('knocking.copyId')} />
            <span className={classes.note}>
              {t('knocking.attempts', { count: device.attempts, number: format.integer(device.attempts) })} ·{' '}
              {t(`endpoint.${device.endpoint}`)} · <Age at={device.lastAt} />
            </span>
          </li>
        ))}
      </ul>
      {newestFirst.length > FIRST_SHOWN ? (
        <Button variant="subtle" size="compact-xs" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('common.less') : t('common.more', { count: newestFirst.length - FIRST_SHOWN })}
        </Button>
      ) : null}
    </section>
  );
}

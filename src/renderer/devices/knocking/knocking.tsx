import { Button } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../shared/display-text.ts';
import type { UnregisteredDevice } from '../../../shared/owner-api/overview.ts';
import { useGate } from '../../api/queries/gate.ts';
import { CopyButton } from '../../components/codes/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Age } from '../../components/values/age.tsx';
import { useFormat } from '../../format/format.ts';
import { linkTo } from '../../router/router.ts';
import { AdoptButton } from '../connect/adopt-button.tsx';
import { dismissKnocks, hideKnock, showHiddenKnocks, useHiddenKnocks, useNotDismissed } from './dismissed-knocks.ts';
import classes from './knocking.module.css';

const FIRST_SHOWN = 3;

/**
 * Returns whether the owner can register the device here. That is possible only in the private store, as the public one
 * is open to everyone.
 */
function isLetIn({ stores }: UnregisteredDevice): boolean {
  return stores.includes('private');
}

interface NoticeProps {
  readonly devices: readonly UnregisteredDevice[];
  readonly kind: 'ours' | 'strangers';
  readonly onDismiss: () => void;
}

function Notice({ devices, kind, onDismiss }: NoticeProps) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const titleId = useId();
  // Strangers are only counted at first; a button shows them.
  const first = kind === 'ours' ? FIRST_SHOWN : 0;
  const [all, setAll] = useState(false);
  const shown = all ? devices : devices.slice(0, first);
  const count = devices.length;
  const toLetIn = devices.filter(isLetIn).length;
  return (
    <section className={classes.knocking} data-kind={kind} aria-labelledby={titleId}>
      <div className={classes.knockingHead}>
        <h2 id={titleId} className={classes.knockingTitle}>
          <Icon name={kind === 'ours' ? 'alert' : 'info'} />
          {t(kind === 'ours' ? 'knocking.title' : 'knocking.strangers', { count })}
        </h2>
        {first === 0 ? (
          <Button variant="subtle" size="compact-xs" aria-expanded={all} onClick={() => setAll(!all)}>
            {t(all ? 'knocking.hide' : 'knocking.show')}
          </Button>
        ) : null}
        <Button
          className={classes.dismiss ?? ''}
          variant="subtle"
          size="compact-xs"
          title={t('knocking.dismissText')}
          onClick={onDismiss}
        >
          {t('knocking.dismiss')}
        </Button>
      </div>
      {kind === 'strangers' && all ? (
        <p className={classes.advice}>{t('knocking.strangersAdvice', { count })}</p>
      ) : null}
      {kind === 'ours' && toLetIn > 0 ? (
        <p className={classes.advice}>{t('knocking.advice', { count: toLetIn })}</p>
      ) : null}
      {kind === 'ours' && toLetIn < count ? (
        <p className={classes.advice}>{t('knocking.publicAdvice', { count: count - toLetIn })}</p>
      ) : null}
      {shown.length > 0 ? (
        <ul className={classes.knocks}>
          {shown.map((device) => (
            <li key={device.id}>
              <code title={device.id}>{shortId(device.id)}</code>
              <CopyButton text={device.id} label={t('knocking.copyId')} />
              <span className={classes.note}>
                {t('knocking.attempts', { count: device.attempts, number: format.integer(device.attempts) })} ·{' '}
                {device.stores.map((store) => t(`knocking.at.${store}`)).join(', ')} · <Age at={device.lastAt} />
              </span>
              <span className={classes.answers}>
                {isLetIn(device) ? <LetIn id={device.id} /> : null}
                <Button
                  variant="subtle"
                  size="compact-xs"
                  aria-label={t('knocking.notMineOf', { id: shortId(device.id) })}
                  onClick={() => hideKnock(device.id)}
                >
                  {t('knocking.notMine')}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {first > 0 && count > first ? (
        <Button variant="subtle" size="compact-xs" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('common.less') : t('common.more', { count: count - first })}
        </Button>
      ) : null}
    </section>
  );
}

/**
 * The button that registers an unknown device. If several registrations have its id, the owner has to choose one on
 * another page.
 */
function LetIn({ id }: { id: string }) {
  const { t } = useTranslation('app');
  const { attempts: tried = [], pending = [] } = useGate().data ?? {};
  const attempts = [...pending, ...tried].filter((attempt) => attempt.id === id);
  if (attempts.length > 1) return <a href={linkTo({ page: 'connect', from: 'network' })}>{t('gate.several')}</a>;
  return <AdoptButton id={id} attempt={attempts[0] ?? null} />;
}

function useKnocking(unregistered: readonly UnregisteredDevice[], isOurs: boolean): readonly UnregisteredDevice[] {
  return useNotDismissed(unregistered)
    .filter((device) => device.isOurs === isOurs)
    .toSorted((a, b) => b.lastAt - a.lastAt);
}

interface Props {
  readonly unregistered: readonly UnregisteredDevice[];
}

/**
 * The owner's devices that send readings but are not registered, the newest first, with a button that registers them.
 * `only` limits them to some ids.
 */
export function KnockingOurs({ unregistered, only }: Props & { readonly only?: readonly string[] }) {
  const ours = useKnocking(unregistered, true).filter(({ id }) => only?.includes(id) ?? true);
  if (ours.length === 0) return null;
  return <Notice kind="ours" devices={ours} onDismiss={() => dismissKnocks(ours, unregistered)} />;
}

/** Devices that only the public endpoint has seen. They are no reason for an alert. */
export function KnockingStrangers({ unregistered }: Props) {
  const strangers = useKnocking(unregistered, false);
  if (strangers.length === 0) return null;
  return <Notice kind="strangers" devices={strangers} onDismiss={() => dismissKnocks(strangers, unregistered)} />;
}

/** Both notices, and a button that shows the hidden devices. */
export function Knocking({ unregistered }: Props) {
  const { t } = useTranslation('app');
  const hidden = useHiddenKnocks(unregistered);
  return (
    <>
      {hidden === 0 ? null : (
        <p className={classes.note}>
          {t('knocking.hidden', { count: hidden })}{' '}
          <Button variant="subtle" size="compact-xs" onClick={showHiddenKnocks}>
            {t('knocking.show')}
          </Button>
        </p>
      )}
      <KnockingOurs unregistered={unregistered} />
      <KnockingStrangers unregistered={unregistered} />
    </>
  );
}

import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Wake } from '../../../shared/desktop-api.ts';
import { desktop } from '../../api/desktop.ts';
import { useMe } from '../../api/me.tsx';
import { useDamagedFiles } from '../../api/queries/damaged-files.ts';
import { useLeave } from '../../api/queries/door.ts';
import { useCloseJoining, useGate } from '../../api/queries/gate.ts';
import { useNodeInfo, useStorage } from '../../api/queries/overview.ts';
import { Icon } from '../../components/icon.tsx';
import { TimeLeft } from '../../devices/connect/time-left.tsx';
import { useFormat } from '../../format/format.ts';
import { linkTo } from '../../router/router.ts';
import strip from './joining-banner.module.css';
import notice from './sleep-banner.module.css';
import alarm from './storage-banner.module.css';

// The banners above every page. Those that are rarely shown are loaded when needed.
const DamagedBanner = lazy(() => import('./damaged-banner.tsx'));
const MissingStoreBanner = lazy(() => import('./missing-store-banner.tsx'));
const SleepBanner = lazy(() => import('./sleep-banner.tsx'));

/** Shown on every page while the local endpoint can be reached from other machines. */
export function ExposureBanner() {
  const { t } = useTranslation('app');
  const addresses = useNodeInfo().data?.exposedAt ?? [];
  if (addresses.length === 0) return null;
  return (
    <div role="alert" className={alarm.banner}>
      <Icon name="alert" size={22} />
      <div>
        <strong>{t('exposure.title', { addresses: addresses.join(', ') })}</strong> {t('exposure.text')}
      </div>
    </div>
  );
}

/** Shown on every page while a store refuses writes. Readings that devices send then are not stored. */
export function StorageBanner() {
  const { t } = useTranslation('app');
  const format = useFormat();
  const { data } = useStorage();
  const refusing = (data?.stores ?? []).flatMap(({ store, refusing: why }) =>
    why === null ? [] : [{ store, ...why }],
  );
  if (refusing.length === 0) return null;
  return (
    <div role="alert">
      {refusing.map(({ store, since, cause }) => (
        <div key={store} className={alarm.banner}>
          <Icon name="alert" size={22} />
          <div>
            <strong>{t(`storage.refuses.${store}`, { time: format.shortDateTime(since) })}</strong>{' '}
            {t(`storage.cause.${cause}`)} {t('storage.meanwhile')}
          </div>
          <a href={linkTo({ page: 'node' })}>{t('storage.toNode')}</a>
        </div>
      ))}
    </div>
  );
}

/** Shown on every page while the clock of the node's machine is certainly wrong, as displayed times are wrong too. */
export function ClockBanner() {
  const { t } = useTranslation('app');
  if (useNodeInfo().data?.clock.state !== 'unset') return null;
  return (
    <div role="status" className={notice.banner}>
      <Icon name="clock" />
      <div>
        <p>
          <strong>{t('clock.title')}</strong> {t('clock.text')}{' '}
          <a href={linkTo({ page: 'node' })}>{t('clock.toNode')}</a>
        </p>
      </div>
    </div>
  );
}

/** Shown on every page while devices may join. */
export function JoiningBanner() {
  const { t } = useTranslation('app');
  const { data } = useGate();
  const close = useCloseJoining();
  if (data === undefined || data.closesAt === null) return null;
  return (
    <section className={strip.banner} aria-label={t('gate.isOpen')}>
      <Icon name="unlock" size={18} />
      <div>
        {t('gate.isOpen')} <TimeLeft until={data.closesAt} />
      </div>
      <a href={linkTo({ page: 'connect' })}>{t('connect.title')}</a>
      <Button variant="default" size="compact-sm" loading={close.isPending} onClick={() => close.mutate()}>
        {t('gate.close')}
      </Button>
    </section>
  );
}

/** Shown on every page of a viewer: explains that some things are hidden. */
export function ViewerBanner() {
  const { t } = useTranslation('app');
  const { role, name, isBounded } = useMe();
  const leave = useLeave();
  if (role === 'owner') return null;
  return (
    <section className={strip.banner} aria-label={t('viewer.label')}>
      <Icon name="eye" size={18} />
      <div>{t(isBounded ? 'viewer.bounded' : 'viewer.text', { name: name ?? '' })}</div>
      <Button variant="subtle" size="compact-sm" loading={leave.isPending} onClick={() => leave.mutate()}>
        {t('viewer.leave')}
      </Button>
    </section>
  );
}

/** Shown on every page of the owner: a banner for each damaged file of the data folder, and for each missing store. */
export function DamagedNotice() {
  const files = useDamagedFiles().data?.files ?? [];
  if (files.length === 0) return null;
  return (
    <Suspense>
      {files.map((file) =>
        file.whole === 'missing' ? (
          <MissingStoreBanner key={file.id} file={file} />
        ) : (
          <DamagedBanner key={file.id} file={file} />
        ),
      )}
    </Suspense>
  );
}

/** Shown in the desktop app after the machine has slept. */
export function SleepNotice() {
  const [wake, setWake] = useState<Wake | null>(null);
  useEffect(() => {
    if (desktop === null) return;
    // The machine may have slept before this page was listening.
    desktop.app.call('lastWake', {}).then(
      (last) => setWake((before) => before ?? last.wake),
      () => {},
    );
    return desktop.app.listen((event, payload) => {
      if (event === 'wake') setWake(payload as Wake);
    });
  }, []);
  if (wake === null) return null;
  return (
    <Suspense>
      <SleepBanner key={wake.to} wake={wake} onDismiss={() => setWake(null)} />
    </Suspense>
  );
}

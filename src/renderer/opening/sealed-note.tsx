import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { FIELD_NAMES } from '../../shared/protocol/fields.ts';
import { type NodeConnection, useNode } from '../api/node-connection.ts';
import { Icon } from '../components/icon.tsx';
import { linkTo } from '../router/router.ts';
import { newestShown, useStoreChanges } from './opened.ts';
import { openingOf } from './opening.ts';
import classes from './opening-bar.module.css';
import { hasSealed } from './sparklines/sparkline-loader.ts';
import { UnlockButton, useLocked } from './unlock-button.tsx';

type Devices = readonly (Pick<DeviceSummary, 'id' | 'newest' | 'corrections'> & { readonly node?: NodeConnection })[];

/**
 * A note above newest values that are shown as locks, or that no key here opens. It explains that and how to open them.
 */
export function SealedNote({ devices }: { devices: Devices }) {
  const { t } = useTranslation('app');
  const isMissing = useMissingKeys(devices);
  if (!devices.some(({ newest }) => hasSealed(newest))) return null;
  if (!isMissing) return <LockNote />;
  return (
    <div className={classes.bar} role="note">
      <Icon name="lock-alert" size={14} />
      <span>{t('sealed.missing')}</span>
      <Button component="a" href={linkTo({ page: 'keys' })} variant="default" size="compact-xs">
        {t('sealed.toKeys')}
      </Button>
    </div>
  );
}

/** Returns whether the keys are open and a newest value has no key. */
function useMissingKeys(devices: Devices): boolean {
  const shownNode = useNode();
  const isOpen = useLocked() === null;
  const changes = useStoreChanges(devices, isOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count tells that more was opened
  return useMemo(
    () =>
      isOpen &&
      devices.some(({ id, node = shownNode, ...device }) => {
        const opened = openingOf(node).store.lookup(id);
        return FIELD_NAMES.some((field) => {
          const shown = newestShown(device, field, opened);
          return shown.kind === 'failed' && shown.reason === 'no_key';
        });
      }),
    [isOpen, devices, shownNode, changes],
  );
}

/** The meaning of a lock, with a button to open it. Shows nothing if the keys are open. */
export function LockNote() {
  const { t } = useTranslation('app');
  const locked = useLocked();
  if (locked === null) return null;
  return (
    <div className={classes.bar} role="note">
      <Icon name="lock" size={14} />
      <span>{t(`sealed.${locked}`)}</span>
      <UnlockButton />
    </div>
  );
}

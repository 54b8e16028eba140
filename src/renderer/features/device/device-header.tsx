import { Button, Title } from '@mantine/core';
import { lazy, memo, Suspense, useState } from 'react';
import { deviceName, shortId } from '../../../shared/display-text.ts';
import type { DeviceDetail } from '../../../shared/owner-api.ts';
import { Age } from '../../components/age.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { FieldValue } from '../../components/field-value.tsx';
import { Icon } from '../../components/icon.tsx';
import { fieldUnits } from '../../format.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { SHOWN_FIELDS } from '../../values.ts';
import { useNewest } from '../keys/opening/opened.ts';
import { DeviceBadges } from '../overview/device-badges.tsx';
import { StatusDot, StatusLine } from '../overview/status-line.tsx';
import classes from './device-page.module.css';

const NotesDialog = lazy(() => import('./about/notes-dialog.tsx'));

/** What the device is called, how it is, and its newest values. */
export const DeviceHeader = memo(function DeviceHeader({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('device');
  const [editing, setEditing] = useState(false);
  const units = fieldUnits(device);
  const shown = useNewest(device);
  return (
    <header className={classes.header}>
      <div className={classes.headline}>
        <StatusDot device={device} />
        <Title order={1} size="h3" className={classes.name ?? ''}>
          {deviceName(device)}
        </Title>
        <DeviceBadges device={device} />
        <Button
          className={classes.edit ?? ''}
          variant="default"
          size="xs"
          leftSection={<Icon name="edit" size={14} />}
          onClick={() => setEditing(true)}
        >
          {t('notes.open')}
        </Button>
      </div>
      <div className={classes.under}>
        <StatusLine device={device} />
        <span className={classes.id}>
          <code title={device.id}>{shortId(device.id)}</code>
          <CopyButton text={device.id} label={t('identity.copyId')} />
        </span>
      </div>
      <dl className={classes.values}>
        {SHOWN_FIELDS.map((field) => {
          const newest = device.newest[field];
          return (
            <div key={field} className={classes.value}>
              <dt>{t(`app:field.${field}`)}</dt>
              <dd>
                <FieldValue field={field} value={shown(field)} unit={units[field]} />
                {newest === null ? null : (
                  <span className={classes.age}>
                    <Age at={newest.receivedAt} />
                  </span>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      {editing ? (
        <Suspense fallback={null}>
          <NotesDialog device={device} onClose={() => setEditing(false)} />
        </Suspense>
      ) : null}
    </header>
  );
});

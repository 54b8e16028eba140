import { ActionIcon, Button, Title } from '@mantine/core';
import { lazy, memo, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bandOf, type Range, shownRange } from '../../../shared/alerts/shown-range.ts';
import { deviceName } from '../../../shared/display-text.ts';
import { ANY_FIELDS, isDerived } from '../../../shared/measures/derived.ts';
import type { DeviceDetail } from '../../../shared/owner-api/devices.ts';
import { OutlookLines } from '../../alerts/outlook/outlook-lines.tsx';
import { useOutOfRange, useRanges } from '../../alerts/rules/use-ranges.ts';
import { WellDot } from '../../alerts/well-sign.tsx';
import { OwnerOnly, useMe } from '../../api/me.tsx';
import { Icon } from '../../components/icon.tsx';
import { FieldValue } from '../../components/values/field-value.tsx';
import { NewestAge } from '../../components/values/newest-age.tsx';
import { CyclesOfDevices } from '../../crops/cycles-of-devices.tsx';
import { DeviceBadges } from '../../devices/status/device-badges.tsx';
import { StatusLine } from '../../devices/status/status-line.tsx';
import { useScales } from '../../devices/use-scales.ts';
import { hasOwnAge } from '../../format/freshness.ts';
import { shownNumber } from '../../format/values.ts';
import { useNewest } from '../../opening/opened.ts';
import { SealedNote } from '../../opening/sealed-note.tsx';
import { bandPlaces } from './band-places.ts';
import classes from './device-page.module.css';
import { EarlierLabels } from './earlier-labels.tsx';

const LeafDialog = lazy(() => import('./units/leaf-dialog.tsx'));
const NotesDialog = lazy(() => import('./about/notes/notes-dialog.tsx'));
const TankDialog = lazy(() => import('./units/tank-dialog.tsx'));
const UnitsDialog = lazy(() => import('./units/units-dialog.tsx'));

/** Shows the device's name, status and newest values. */
export const DeviceHeader = memo(function DeviceHeader({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(['device', 'app']);
  const [editing, setEditing] = useState<'notes' | 'units' | 'tank' | 'leaf' | null>(null);
  const close = () => setEditing(null);
  const scales = useScales(device);
  const shown = useNewest(device);
  const outside = useOutOfRange(device);
  const ranges = useRanges(device);
  const isOwner = useMe().role === 'owner';
  // The tile with the button for the leaf temperature: the leaf VPD if it is known, otherwise the VPD.
  const leafField = shownNumber(shown('vpdLeaf')) === null ? 'vpd' : 'vpdLeaf';
  return (
    <header className={classes.header}>
      <div className={classes.headline}>
        <WellDot device={device} />
        <Title order={1} size="h3" className={classes.name ?? ''}>
          {deviceName(device)}
        </Title>
        <OwnerOnly>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t('notes.rename')}
            title={t('notes.rename')}
            onClick={() => setEditing('notes')}
          >
            <Icon name="edit" size={14} />
          </ActionIcon>
        </OwnerOnly>
        <DeviceBadges device={device} />
        <StatusLine device={device} />
        <OwnerOnly>
          <span className={classes.edit}>
            <Button variant="default" size="xs" onClick={() => setEditing('notes')}>
              {t('notes.open')}
            </Button>
            <Button variant="default" size="xs" onClick={() => setEditing('units')}>
              {t('units.title')}
            </Button>
          </span>
        </OwnerOnly>
      </div>
      <OwnerOnly>
        <EarlierLabels device={device} />
      </OwnerOnly>
      <CyclesOfDevices ids={[device.id]} className={classes.crops ?? ''} />
      <SealedNote devices={[device]} />
      <dl className={classes.values}>
        {ANY_FIELDS.map((field) => {
          const isOwn = !isDerived(field);
          // A field that the device does not send is shown without a value; a value that can't be derived is not shown.
          if (!isOwn && shownNumber(shown(field)) === null) return null;
          const newest = isOwn ? device.newest[field] : null;
          const band = bandOf(field, ranges);
          const number = shownNumber(shown(field));
          return (
            <div key={field} className={classes.value} data-derived={!isOwn || undefined}>
              <dt>{t(`app:field.${scales[field].label}`)}</dt>
              <dd>
                <FieldValue value={shown(field)} scale={scales[field]} outside={outside(field, shown(field))} />
                {band === null || number === null ? null : (
                  <BandBar value={scales[field].toShown(number)} range={shownRange(scales[field], band)} />
                )}
                {isOwn ? null : <span className={classes.derived}>{t('app:derived.mark')}</span>}
                {newest === null || !hasOwnAge(newest, device) ? null : <NewestAge newest={newest} device={device} />}
                {newest !== null && scales[field].label === 'waterDistance' && isOwner ? (
                  <Button
                    className={classes.setTank ?? ''}
                    variant="subtle"
                    size="compact-xs"
                    onClick={() => setEditing('tank')}
                  >
                    {t('units.setTank')}
                  </Button>
                ) : null}
                {field === leafField && isOwner ? (
                  <Button
                    className={classes.setTank ?? ''}
                    variant="subtle"
                    size="compact-xs"
                    onClick={() => setEditing('leaf')}
                  >
                    {t(field === 'vpdLeaf' ? 'leaf.change' : 'leaf.set')}
                  </Button>
                ) : null}
              </dd>
            </div>
          );
        })}
      </dl>
      <OutlookLines device={device} most={3} className={classes.outlook ?? ''} />
      {editing === null ? null : (
        <Suspense fallback={null}>
          {editing === 'notes' ? (
            <NotesDialog device={device} onClose={close} />
          ) : editing === 'units' ? (
            <UnitsDialog device={device} onClose={close} />
          ) : editing === 'leaf' ? (
            <LeafDialog device={device} onClose={close} />
          ) : (
            <TankDialog device={device} onClose={close} />
          )}
        </Suspense>
      )}
    </header>
  );
});

/** Draws a value relative to its allowed range. The value and the rules are also shown in words elsewhere. */
function BandBar({ value, range }: { value: number; range: Range }) {
  const { from, to, at } = bandPlaces(value, range);
  return (
    <div className={classes.band} aria-hidden="true">
      <span style={{ insetInlineStart: `${from}%`, insetInlineEnd: `${100 - to}%` }} />
      <span data-value style={{ insetInlineStart: `${at}%` }} />
    </div>
  );
}

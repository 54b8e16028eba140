import { useTranslation } from 'react-i18next';
import { displayText, shortId } from '../../../../shared/display-text.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { CopyButton } from '../../../components/codes/copy-button.tsx';
import { Card } from '../../../components/layout/card.tsx';
import { useFormat } from '../../../format/format.ts';
import classes from './about.module.css';

/** Shows the identity with which the device registered. */
export function IdentityCard({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(['device', 'app']);
  const format = useFormat();
  const hardware = [device.hardware.model, device.hardware.firmware_version]
    .map((text) => displayText(text ?? ''))
    .filter((text) => text !== '');
  const ownName = displayText(device.name);
  const ownerName = displayText(device.ownerName ?? '');
  return (
    <Card level={3} title={t('identity.title')}>
      <dl className={classes.facts}>
        <dt>{t('identity.id')}</dt>
        <dd>
          <code className={classes.code} title={device.id}>
            {device.id}
          </code>
          <CopyButton text={device.id} label={t('identity.copyId')} />
        </dd>
        <dt>{t('identity.mac')}</dt>
        <dd>
          <code className={classes.code}>{displayText(device.mac)}</code>
        </dd>
        {device.notes.displayName === null ? null : (
          <>
            <dt>{t('identity.ownName')}</dt>
            <dd>{ownName === '' ? '–' : ownName}</dd>
          </>
        )}
        <dt>{t('identity.owner')}</dt>
        <dd>
          {ownerName === '' ? null : <span>{ownerName}</span>}
          <code className={classes.code} title={device.ownerPubkey}>
            {shortId(device.ownerPubkey)}
          </code>
          <CopyButton text={device.ownerPubkey} label={t('identity.copyOwner')} />
        </dd>
        <dt>{t('identity.type')}</dt>
        <dd>{t(`app:type.${device.type}`)}</dd>
        <dt>{t('identity.hardware')}</dt>
        <dd>{hardware.length === 0 ? '–' : hardware.join(', ')}</dd>
        {device.stores.map(({ store, createdAt }) => (
          <FactPair key={store} name={t(`identity.created.${store}`)} value={format.dateTime(createdAt)} />
        ))}
        {device.readings.map(({ store, count }) => (
          <FactPair key={store} name={t(`identity.readings.${store}`)} value={format.integer(count)} />
        ))}
        {device.span === null ? null : (
          <FactPair
            name={t('identity.span')}
            value={`${format.dateTime(device.span.from)} – ${format.dateTime(device.span.to)}`}
          />
        )}
        <FactPair
          name={t('identity.interval')}
          value={device.usualIntervalMs === null ? t('identity.unknown') : format.duration(device.usualIntervalMs)}
        />
      </dl>
    </Card>
  );
}

function FactPair({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

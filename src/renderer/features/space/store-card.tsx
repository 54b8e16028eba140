import { useTranslation } from 'react-i18next';
import { shortId } from '../../../shared/display-text.ts';
import type { Space } from '../../../shared/owner-api/space.ts';
import type { Room } from '../../../shared/owner-api/storage.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { Card } from '../../components/layout/card.tsx';
import { nameOf } from '../../devices/names.ts';
import { useFormat } from '../../format/format.ts';
import { Compact } from './compact.tsx';
import { Fact } from './fact.tsx';
import classes from './space.module.css';

interface Props {
  readonly space: Space['stores'][number];
  readonly room: Room | null;
}

/** Shows the space that a store uses, and its devices by size. */
export function StoreCard({ space, room }: Props) {
  const { t } = useTranslation('space');
  const format = useFormat();
  const { store, bytes, unusedBytes, readingsPerDay, bytesPerDay, devices } = space;
  const names = new Map((useOverview().data?.devices ?? []).map((device) => [device.id, nameOf(device)]));
  const readings = devices.reduce((sum, device) => sum + device.readings, 0);
  const used = bytes - unusedBytes;
  const bySize = devices.toSorted((a, b) => b.readings - a.readings);
  return (
    <Card title={t(`store.${store}`)}>
      <dl className={classes.facts}>
        <Fact name={t('size')}>{format.bytes(bytes)}</Fact>
        {unusedBytes === 0 ? null : (
          <Fact name={t('unused')} text={t('unusedText')}>
            {format.bytes(unusedBytes)}
          </Fact>
        )}
        <Fact name={t('perDay')} text={t('perDayText')}>
          {format.integer(Math.round(readingsPerDay))}
        </Fact>
        <Fact name={t('growth')}>{format.bytes(bytesPerDay)}</Fact>
      </dl>
      <Compact space={space} room={room} />
      {bySize.length === 0 ? (
        <p className={classes.note}>{t('noReadings')}</p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('device')}</th>
              <th scope="col">{t('readings')}</th>
              <th scope="col">{t('about')}</th>
            </tr>
          </thead>
          <tbody>
            {bySize.map((device) => (
              <tr key={device.id}>
                <th scope="row">{names.get(device.id) ?? t('unknownDevice', { id: shortId(device.id) })}</th>
                <td>{format.integer(device.readings)}</td>
                <td>{format.bytes(readings === 0 ? 0 : (device.readings / readings) * used)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { useNodeInfo } from '../../../api/queries/overview.ts';
import { Card } from '../../../components/layout/card.tsx';
import { useScales } from '../../../devices/use-scales.ts';
import { useFormat } from '../../../format/format.ts';
import classes from './about.module.css';
import { hasOwnRule } from './policy.ts';

/** Shows the values and readings that were not stored because the device's policy does not allow them. */
export function WithheldCard({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(['device', 'app']);
  const format = useFormat();
  const scales = useScales(device);
  const nodeKey = useNodeInfo().data?.publicKey ?? null;
  const withheld = device.withheld.map((each) => ({
    ...each,
    isOurRule: each.field !== null && hasOwnRule(device, each.store, each.field, nodeKey),
  }));
  return (
    <Card level={3} title={t('withheld.title')}>
      {withheld.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('withheld.none')}
        </Text>
      ) : (
        <>
          <ul className={classes.list}>
            {withheld.map(({ store, cause, field, count, firstAt, lastAt, isOurRule }) => (
              <li key={`${store} ${cause} ${field}`}>
                {t(`withheld.${cause === 'omit' && isOurRule ? 'omitHere' : cause}`, {
                  count,
                  shown: format.integer(count),
                  field: field === null ? '' : t(`app:field.${scales[field].label}`),
                  store: t(`withheld.store.${store}`),
                })}{' '}
                <Text span size="xs" c="dimmed">
                  {t('withheld.when', { first: format.dateTime(firstAt), last: format.dateTime(lastAt) })}
                </Text>
              </li>
            ))}
          </ul>
          <Text size="xs" c="dimmed">
            {t('withheld.text')}
            {withheld.some(({ isOurRule }) => isOurRule) ? ` ${t('withheld.ours')}` : ''}
            {withheld.some(({ isOurRule }) => !isOurRule) ? ` ${t('withheld.disagree')}` : ''}
          </Text>
        </>
      )}
    </Card>
  );
}

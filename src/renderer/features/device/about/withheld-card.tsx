import { Text } from '@mantine/core';
import type { DeviceDetail } from '../../../../shared/owner-api.ts';
import { useFormat } from '../../../format.ts';
import { useTranslation } from '../../../i18n/use-translation.ts';
import classes from './about.module.css';
import { Card } from './card.tsx';

/** What came in and was not stored, since the device sent more than its own policy allows. */
export function WithheldCard({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('device');
  const format = useFormat();
  return (
    <Card title={t('withheld.title')}>
      {device.withheld.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('withheld.none')}
        </Text>
      ) : (
        <>
          <ul className={classes.list}>
            {device.withheld.map(({ store, cause, field, count, firstAt, lastAt }) => (
              <li key={`${store} ${cause} ${field}`}>
                {t(`withheld.${cause}`, {
                  count,
                  shown: format.integer(count),
                  field: field === null ? '' : t(`app:field.${field}`),
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
          </Text>
        </>
      )}
    </Card>
  );
}

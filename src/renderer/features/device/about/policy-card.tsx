import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { displayText, shortId } from '../../../../shared/display-text.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { useNodeInfo } from '../../../api/queries/overview.ts';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { Card } from '../../../components/layout/card.tsx';
import table from '../../../components/layout/table.module.css';
import { useScales } from '../../../devices/use-scales.ts';
import { useFormat } from '../../../format/format.ts';
import { SHOWN_FIELDS } from '../../../format/values.ts';
import classes from './about.module.css';
import { type Arrived, arrivedOf, hasOwnRule, type PolicyPlace, policyPlaces, type Sent } from './policy.ts';

const ICONS: Readonly<Record<Sent, IconName>> = { plain: 'check', sealed: 'lock', no: 'close', nothing: 'close' };

/** The number of places shown at first, besides this node's own. A hostile policy may name a hundred. */
const MOST_PLACES = 6;

/** Shows what the device's policy publishes, in words and as a table of fields and places. */
export function PolicyCard({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(['device', 'app']);
  const node = useNodeInfo();
  const scales = useScales(device);
  const nodeKey = node.data?.publicKey ?? null;
  const places = policyPlaces(device, nodeKey);
  // Both stores usually have the same policy.
  const statements = device.stores.filter(({ publishTo }, index) => publishTo !== device.stores[index - 1]?.publishTo);
  const shown = places.slice(0, MOST_PLACES);
  const heading = (place: PolicyPlace): string =>
    place.kind === 'named' ? placeName(place.name ?? '') : t(`policy.place.${place.kind}`);
  return (
    <Card level={3} title={t('policy.title')}>
      {statements.map(({ store, publishTo }) => (
        <Text key={store} size="sm">
          {t(`policy.publishTo.${publishTo}`)}
          {statements.length > 1 ? ` ${t(`policy.registered.${store}`)}` : ''}
        </Text>
      ))}
      <div style={{ overflowX: 'auto' }}>
        <table className={`${table.table} ${classes.table}`}>
          <caption className="visually-hidden">{t('policy.table')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('policy.field')}</th>
              {shown.map((place) => (
                <th
                  scope="col"
                  key={`${place.kind} ${place.name}`}
                  title={place.kind === 'named' ? t('policy.named') : undefined}
                >
                  {heading(place)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {SHOWN_FIELDS.map((field) => (
              <tr key={field}>
                <th scope="row">{t(`app:field.${scales[field].label}`)}</th>
                {shown.map((place) => {
                  const sent = place.fields[field];
                  const store = place.kind === 'private' || place.kind === 'public' ? place.kind : null;
                  const isDropped = sent === 'no' && store !== null && hasOwnRule(device, store, field, nodeKey);
                  return (
                    <td key={`${place.kind} ${place.name}`}>
                      <span className={classes.sent} data-sent={sent === 'nothing' ? 'no' : sent}>
                        <Icon name={ICONS[sent]} size={12} />
                        {t(`policy.sent.${isDropped ? 'notKept' : sent}`)}
                      </span>
                      {store === null ? null : <ArrivedCounts arrived={arrivedOf(device, store, field)} />}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {places.length > shown.length ? (
        <Text size="xs" c="dimmed">
          {t('policy.more', { count: places.length - shown.length })}
        </Text>
      ) : null}
      <Text size="xs" c="dimmed">
        {t('policy.twoLines')} {t('policy.rule')}
      </Text>
    </Card>
  );
}

/** Shows how many values of a field arrived in a store, by form. */
function ArrivedCounts({ arrived }: { arrived: Arrived }) {
  const { t } = useTranslation('device');
  const format = useFormat();
  const forms = (['plain', 'sealed', 'withheld', 'missing'] as const).filter((form) => arrived[form] > 0);
  if (forms.every((form) => form === 'missing')) {
    return <span className={classes.arrived}>{t('policy.arrived.nothing')}</span>;
  }
  return (
    <span className={classes.arrived}>
      <span className="visually-hidden">{t('policy.arrived.label')}</span>
      {forms.map((form) => (
        <span key={form} data-arrived={form}>
          {t(`policy.arrived.${form}`, { count: arrived[form], shown: format.integer(arrived[form]) })}
        </span>
      ))}
    </span>
  );
}

/** Returns the name of a place for display: a server's key shortened, a network's topic without control characters. */
function placeName(name: string): string {
  return /^[0-9a-f]{64}$/.test(name) ? shortId(name) : displayText(name, 24);
}

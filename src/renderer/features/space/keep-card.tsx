import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortId } from '../../../shared/display-text.ts';
import type { Retention } from '../../../shared/owner-api/retention.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { useCareState, useRetention } from '../../api/queries/space.ts';
import { Card } from '../../components/layout/card.tsx';
import { nameOf } from '../../devices/names.ts';
import { useFormat } from '../../format/format.ts';
import { KeepPreview } from './keep-preview.tsx';
import { KeptSelect } from './kept-select.tsx';
import classes from './space.module.css';

/** Edits how long readings are kept, and shows what the rules would delete before they are saved. */
export function KeepCard({ stores }: { stores: readonly StoreName[] }) {
  const { t } = useTranslation('space');
  const kept = useRetention().data;
  return (
    <Card title={t('keep.title')}>
      <Text size="sm">
        {t('keep.text')} {t('keep.clockless')}
      </Text>
      {kept === undefined ? null : <Rules key={JSON.stringify(kept)} kept={kept} stores={stores} />}
      <Progress />
    </Card>
  );
}

function Rules({ kept, stores }: { kept: Retention; stores: readonly StoreName[] }) {
  const { t } = useTranslation('space');
  const [rules, setRules] = useState(kept);
  const change = (part: Partial<Retention>) => setRules({ ...rules, ...part });
  const isChanged = JSON.stringify(rules) !== JSON.stringify(kept);
  return (
    <>
      <div className={classes.rules}>
        {stores.map((store) => (
          <KeptSelect
            key={store}
            label={t(`keep.${store}`)}
            none={t('keep.forever')}
            value={rules[store]}
            onChange={(span) => change({ [store]: span })}
          />
        ))}
        {stores.includes('public') ? (
          <KeptSelect
            label={t('keep.strangers')}
            none={t('keep.strangersSame')}
            value={rules.strangers}
            onChange={(strangers) => change({ strangers })}
          />
        ) : null}
      </div>
      <DeviceRules rules={rules.devices} onChange={(devices) => change({ devices })} />
      {isChanged ? <KeepPreview key={JSON.stringify(rules)} rules={rules} onCancel={() => setRules(kept)} /> : null}
    </>
  );
}

type DeviceRule = Retention['devices'][number];

function DeviceRules({ rules, onChange }: { rules: readonly DeviceRule[]; onChange: (rules: DeviceRule[]) => void }) {
  const { t } = useTranslation('space');
  const devices = useOverview().data?.devices ?? [];
  const name = (id: string) => {
    const device = devices.find((each) => each.id === id);
    return device === undefined ? t('unknownDevice', { id: shortId(id) }) : nameOf(device);
  };
  const others = devices.filter(({ id }) => rules.every((rule) => rule.id !== id));
  return (
    <fieldset className={classes.deviceRules}>
      <legend>{t('keep.ownRules')}</legend>
      {rules.map((rule) => (
        <div key={rule.id} className={classes.deviceRule}>
          <KeptSelect
            label={name(rule.id)}
            none={t('keep.forever')}
            value={rule.kept}
            onChange={(kept) => onChange(rules.map((each) => (each.id === rule.id ? { ...each, kept } : each)))}
          />
          <Button
            size="xs"
            variant="subtle"
            aria-label={t('keep.removeOf', { name: name(rule.id) })}
            onClick={() => onChange(rules.filter(({ id }) => id !== rule.id))}
          >
            {t('keep.remove')}
          </Button>
        </div>
      ))}
      {others.length === 0 ? null : (
        <NativeSelect
          aria-label={t('keep.addDevice')}
          maw={420}
          value=""
          data={[
            { value: '', label: t('keep.addDevice') },
            ...others.map(({ id }) => ({ value: id, label: name(id) })),
          ]}
          onChange={(event) => {
            const id = event.currentTarget.value;
            if (id !== '') onChange([...rules, { id, kept: null }]);
          }}
        />
      )}
    </fieldset>
  );
}

/** Shows the progress of deleting old readings, or the last deletion. */
function Progress() {
  const { t } = useTranslation('space');
  const format = useFormat();
  const state = useCareState();
  const deleting = state.data?.deleting ?? null;
  const last = state.data?.lastDeletion ?? null;
  const was = useRef(deleting !== null);
  const { refetch } = state;
  useEffect(() => {
    if (was.current && deleting === null) void refetch();
    was.current = deleting !== null;
  }, [deleting, refetch]);
  const text =
    deleting !== null
      ? t('keep.deleting', { count: deleting.readings, number: format.integer(deleting.readings) })
      : last === null
        ? null
        : t('keep.last', {
            count: last.readings,
            number: format.integer(last.readings),
            time: format.dateTime(last.at),
          });
  return (
    <Group gap="xs" role="status">
      {text === null ? null : <Text size="sm">{text}</Text>}
    </Group>
  );
}

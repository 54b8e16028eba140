import { Button, Group, Text, Title } from '@mantine/core';
import { lazy, memo, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { worstFirst } from '../../../../shared/alerts/open-alerts.ts';
import type { DeviceDetail } from '../../../../shared/owner-api/devices.ts';
import { isFor, unwatchedFields } from '../../../../shared/wellness/concerned.ts';
import { AlertItem } from '../../../alerts/list/alert-item.tsx';
import listClasses from '../../../alerts/list/alert-list.module.css';
import { isOfRange } from '../../../alerts/rules/rule-row.tsx';
import { SealedAlerts } from '../../../alerts/sealed/sealed-alerts.tsx';
import { OwnerOnly } from '../../../api/me.tsx';
import { useAlertRules, useAlerts } from '../../../api/queries/alerts.ts';
import { useOwnerChoices } from '../../../api/queries/choices.ts';
import { Icon } from '../../../components/icon.tsx';
import { useScales } from '../../../devices/use-scales.ts';
import { linkTo } from '../../../router/router.ts';
import classes from './alerts-section.module.css';
import { DeviceRules } from './device-rules.tsx';

const PresetDialog = lazy(() => import('../../../alerts/presets/preset-dialog.tsx'));
const RangeDialog = lazy(() => import('../../../alerts/rules/range-dialog.tsx'));

/** Shows the alerts of a device and the rules that watch its values, and offers the presets of crops. */
export const AlertsSection = memo(function AlertsSection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(['alerting', 'app']);
  const scales = useScales(device);
  const alerts = worstFirst((useAlerts().data ?? []).filter((alert) => alert.device === device.id));
  const { groups } = useOwnerChoices();
  const rules = (useAlertRules().data ?? []).filter(isOfRange).filter(({ rule }) => isFor(rule, device, groups));
  const unwatched = unwatchedFields(
    rules.map(({ rule }) => rule),
    device,
    groups,
  );
  const [open, setOpen] = useState<'preset' | 'rule' | null>(null);
  const close = (): void => setOpen(null);
  if (!device.mine) return null;
  const history = `${linkTo({ page: 'alerts', id: null })}?tab=history&device=${device.id}`;
  return (
    <section aria-labelledby="alerts-title" className={classes.section}>
      <Group gap="xs">
        <Title order={2} size="h4" id="alerts-title">
          {t('title')}
        </Title>
        <OwnerOnly>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="check" size={14} />}
            onClick={() => setOpen('preset')}
          >
            {t('preset.open')}
          </Button>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setOpen('rule')}
          >
            {t('rules.add')}
          </Button>
        </OwnerOnly>
        <Button component="a" variant="subtle" size="compact-sm" href={history}>
          {t('tab.history')}
        </Button>
      </Group>
      <div className={classes.card}>
        {alerts.length === 0 ? null : (
          <ul className={listClasses.list} aria-label={t('device.live')}>
            {alerts.map((alert) => (
              <AlertItem key={alert.id} alert={alert} />
            ))}
          </ul>
        )}
        {rules.length === 0 ? null : <DeviceRules rules={rules} alerts={alerts} />}
        {unwatched.length === 0 ? null : (
          <Text size="sm" c="dimmed" className={classes.none ?? ''}>
            {t('device.unwatched', {
              fields: unwatched.map((field) => t(`app:field.${scales[field].label}`)).join(', '),
            })}
          </Text>
        )}
      </div>
      <SealedAlerts only={device.id} title={t('sealed.title')} />
      <Suspense fallback={null}>
        {open === 'preset' ? (
          <PresetDialog device={device} rules={rules.map(({ rule }) => rule)} onClose={close} />
        ) : null}
        {open === 'rule' ? (
          <RangeDialog state={null} scope={{ kind: 'device', device: device.id }} onClose={close} />
        ) : null}
      </Suspense>
    </section>
  );
});

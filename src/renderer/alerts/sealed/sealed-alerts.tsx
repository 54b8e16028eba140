import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { rangeAt } from '../../../shared/alerts/device-range.ts';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { useMe } from '../../api/me.tsx';
import { useAlertRules } from '../../api/queries/alerts.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { useLatestReadings } from '../../api/queries/readings.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import { shownAny, shownNumber } from '../../format/values.ts';
import { useNow } from '../../now.ts';
import { useDerivedBy } from '../../opening/derived.ts';
import { useOpened, useOpeningKeys } from '../../opening/opened.ts';
import { UnlockButton } from '../../opening/unlock-button.tsx';
import { linkTo } from '../../router/router.ts';
import classes from '../list/alert-list.module.css';
import { SeveritySign } from '../list/severity-sign.tsx';
import { useAlertWords } from '../list/use-alert-words.ts';
import { evaluate, type SealedFinding } from './evaluate.ts';

interface Watched {
  readonly device: DeviceSummary;
  readonly rules: readonly RangeRule[];
}

/** Returns the devices for which an enabled rule has sealed values to check. `only` limits them to one device. */
function useWatched(only: string | undefined): readonly Watched[] {
  const states = useAlertRules().data;
  const devices = useOverview().data?.devices;
  return useMemo(
    () =>
      (devices ?? []).flatMap((device): Watched[] => {
        if (only !== undefined && device.id !== only) return [];
        const rules = (states ?? []).flatMap(({ rule, sealedOn }) =>
          rule.kind === 'range' && rule.isOn && sealedOn.includes(device.id) ? [rangeAt(rule, device.notes.units)] : [],
        );
        return rules.length === 0 ? [] : [{ device, rules }];
      }),
    [states, devices, only],
  );
}

/**
 * Alerts of rules on sealed values. Only this page evaluates them, while the keys are open; the node does not know the
 * values and nobody gets a message. While the keys are locked, it says that there is something to see. Shows nothing if
 * no rule is concerned, or if this session may not unlock the keys.
 */
export function SealedAlerts({ only, title }: { only?: string; title: string }) {
  const { t } = useTranslation('alerting');
  const watched = useWatched(only);
  const keys = useOpeningKeys();
  const { mayUnlock } = useMe();
  if (watched.length === 0 || !mayUnlock) return null;
  return (
    <section className={classes.card} aria-label={title}>
      <p className={classes.note}>
        <Icon name="lock" size={14} />
        <span>{t(keys === null ? 'sealed.locked' : 'sealed.text', { count: watched.length })}</span>
        <UnlockButton />
      </p>
      {keys === null ? null : (
        <ul className={classes.list}>
          {watched.map((each) => (
            <OfDevice key={each.device.id} {...each} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Enough readings for the time that most rules look back. */
const READINGS = 500;
const NONE: readonly never[] = [];

function OfDevice({ device, rules }: Watched) {
  const { t } = useTranslation('alerting');
  const words = useAlertWords();
  const readings = useLatestReadings(device.id, READINGS).data ?? NONE;
  const opened = useOpened(device, readings);
  const by = useDerivedBy(device);
  const oldestFirst = useMemo(() => readings.toReversed(), [readings]);
  const findings = rules.map((rule) => {
    const values = oldestFirst.flatMap((reading) => {
      const value = shownNumber(shownAny(reading, rule.field, opened.of(reading.seq), device, by));
      return value === null ? [] : [{ value, timestamp: Number(reading.timestamp), receivedAt: reading.receivedAt }];
    });
    return { rule, count: values.length, finding: evaluate(rule, device.id, values, device.clockNotSet) };
  });
  return findings.map(({ rule, count, finding }) =>
    finding === null ? (
      <li key={rule.id} className={classes.item}>
        <Icon name={count === 0 ? 'lock' : 'check'} size={18} />
        <div className={classes.words}>
          <span className={classes.title}>{t(count === 0 ? 'sealed.nothing' : 'sealed.fine', nameIn(rule))}</span>
        </div>
      </li>
    ) : (
      <Finding key={rule.id} finding={finding} />
    ),
  );

  function nameIn({ field }: RangeRule) {
    return { name: words.deviceName(device.id), field: words.fieldOf({ device: device.id, field }) };
  }
}

function Finding({ finding }: { finding: SealedFinding }) {
  const { t } = useTranslation('alerting');
  const format = useFormat();
  const words = useAlertWords();
  const now = useNow(10_000);
  const span = format.duration(Math.max(0, Math.floor((now - finding.since) / 60_000) * 60_000));
  const parts = [
    t(finding.state === 'pending' ? 'detail.pending' : 'detail.for', { span }),
    ...(finding.value === null ? [] : [t('detail.now', { value: words.value(finding, finding.value, true) })]),
    ...(finding.extreme === null || finding.extreme === finding.value
      ? []
      : [t('detail.furthest', { value: words.value(finding, finding.extreme, true) })]),
  ];
  return (
    <li className={classes.item} data-state={finding.state}>
      <SeveritySign severity={finding.severity} />
      <div className={classes.words}>
        <a className={classes.title} href={linkTo({ page: 'device', id: finding.device ?? '' })}>
          {words.title(finding)}
        </a>
        <span className={classes.detail}>{parts.join(' · ')}</span>
      </div>
    </li>
  );
}

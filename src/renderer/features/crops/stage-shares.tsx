import { useTranslation } from 'react-i18next';
import { rangeAt } from '../../../shared/alerts/device-range.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { stageSpans } from '../../../shared/owner-data/cycle-states.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import { useStretch } from '../../api/queries/readings.ts';
import { useLocale } from '../../format/format.ts';
import classes from './crops.module.css';
import { shareInRange } from './time-in-range.ts';

const MAX_POINTS = 2000;

/** How much of each stage the values of its place were within its ranges, of what is not sealed. */
export function StageShares({ cycle, device }: { readonly cycle: Cycle; readonly device: DeviceSummary }) {
  const { t } = useTranslation(['crops', 'app']);
  const locale = useLocale();
  const spans = stageSpans(cycle).filter(({ stage }) => stage.ranges.length > 0);
  const [from, to] = [spans[0]?.from ?? null, spans.at(-1)?.to ?? null];
  const { data } = useStretch(device.id, from, to, MAX_POINTS);
  if (data === undefined || data.axis === 'received') return null;
  const rows = spans.map(({ stage, from: begin, to: end }) => ({
    name: stage.name,
    shares: stage.ranges.flatMap((range) => {
      const { field, low, high } = rangeAt({ ...range, cycle: cycle.id, margin: 0 }, device.notes.units);
      const share = shareInRange(data, { field, low, high, from: begin, to: end });
      if (share === null) return [];
      return [`${t(`app:fieldShort.${field}`)} ${share.toLocaleString(locale, { style: 'percent' })}`];
    }),
  }));
  if (rows.every(({ shares }) => shares.length === 0)) return null;
  return (
    <dl className={classes.facts} aria-label={t('inRange')}>
      {rows.map(({ name, shares }) => (
        <div key={name}>
          <dt>{t('inRangeOf', { stage: name })}</dt>
          <dd>{shares.length === 0 ? '–' : shares.join(' · ')}</dd>
        </div>
      ))}
    </dl>
  );
}

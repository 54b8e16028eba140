import { Fragment, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { withUnit } from '../../../shared/format/scaled.ts';
import { ANY_FIELDS } from '../../../shared/measures/derived.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { haveNights } from '../../../shared/owner-data/cycle-states.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import { useCourse } from '../../api/queries/readings.ts';
import { fieldData } from '../../charts/series/chart-data.ts';
import { courseRange } from '../../crops/course/courses.tsx';
import { stageShares } from '../../crops/course/stage-shares.ts';
import { useShareText } from '../../crops/course/tables.tsx';
import { useDays } from '../../devices/use-day.ts';
import { useScales } from '../../devices/use-scales.ts';
import { useDerivedBy, withDerived } from '../../opening/derived.ts';
import classes from './crops.module.css';

interface Props {
  readonly cycle: Cycle;
  readonly device: DeviceSummary;
  readonly now: number;
}

/** Shows for each stage the share of time that the device's values were in range. Values still sealed do not count. */
export function StageShares({ cycle, device, now }: Props) {
  const { t } = useTranslation(['crops', 'app']);
  const shareText = useShareText();
  const scales = useScales(device);
  const by = useDerivedBy(device);
  const days = useDays(device.location !== null && haveNights([cycle]));
  const { data } = useCourse(device.id, courseRange(cycle, now));
  const rows = useMemo(() => {
    if (data === undefined || data.axis === 'received') return [];
    const history = withDerived(data, by);
    const lines = ANY_FIELDS.map((field) => {
      const scale = scales[field];
      return { device, field, scale, data: fieldData(history, scale, device.usualIntervalMs) };
    });
    return stageShares(cycle, lines, now, days);
  }, [cycle, device, scales, data, now, by, days]);
  if (rows.every(({ shares }) => shares.size === 0)) return null;
  return (
    <dl className={classes.facts} aria-label={t('inRange')}>
      {rows
        .filter(({ days }) => days !== null)
        .map(({ name, shares }) => (
          <div key={name}>
            <dt>{t('inRangeOf', { stage: name })}</dt>
            <dd>
              {shares.size === 0
                ? '–'
                : [...shares].map(([field, share], index) => (
                    <Fragment key={field}>
                      {index === 0 ? null : ' · '}
                      <span className={classes.share}>{withUnit(t(`app:fieldShort.${field}`), shareText(share))}</span>
                    </Fragment>
                  ))}
            </dd>
          </div>
        ))}
    </dl>
  );
}

import type { TFunction } from 'i18next';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Format } from '../../../shared/format/format.ts';
import type { DeviceSummary, NewestValue } from '../../../shared/owner-api/devices.ts';
import { useFormat } from '../../format/format.ts';
import { isLate, isStale, measuredOrReceived, unchangedFor } from '../../format/freshness.ts';
import { useFromNow } from '../../now.ts';
import { Icon } from '../icon.tsx';
import classes from './newest-age.module.css';

interface Props {
  readonly newest: NewestValue;
  readonly device: Pick<DeviceSummary, 'silentAfterMs'>;
  /** Whether the notes are only in the title and for screen readers. */
  readonly isShort?: boolean;
}

/**
 * The age of a value, updated as time passes. It is marked if the value is stale, was entered by hand, came late, or
 * has not changed for long.
 */
export function NewestAge({ newest, device, isShort = false }: Props) {
  const { t } = useTranslation('app');
  const format = useFormat();
  const at = measuredOrReceived(newest);
  const age = useFromNow(1000, (now) => format.age(now - at));
  const stale = useFromNow(1000, (now) => isStale(newest, device, now));
  const unchanged = unchangedFor(newest);
  const notes = [
    ...(newest.isEntered ? [t('freshness.entered')] : []),
    ...(isLate(newest) ? [t('freshness.late', { time: format.dateTime(newest.receivedAt) })] : []),
    ...(unchanged === null
      ? []
      : [
          t(unchanged.isLeast ? 'freshness.unchangedLeast' : 'freshness.unchanged', {
            span: format.duration(unchanged.span),
          }),
        ]),
  ];
  const when = t(newest.measuredAt === null ? 'freshness.received' : 'freshness.measured', {
    time: format.dateTime(at),
  });
  return (
    <span className={classes.age} data-stale={stale || undefined} title={[when, ...notes].join(' · ')}>
      {stale ? <Icon name="clock" size={11} label={t('freshness.stale')} /> : null}
      <time dateTime={new Date(at).toISOString()}>{age}</time>
      {notes.map((note) => (
        <span key={note} className={isShort ? 'visually-hidden' : classes.note}>
          {note}
        </span>
      ))}
    </span>
  );
}

/** A mark for a stale value without room for its age. The title has the time. */
export function StaleMark({ newest, device }: Omit<Props, 'isShort'>) {
  const stale = useFromNow(1000, (now) => isStale(newest, device, now));
  return stale ? <Mark newest={newest} /> : null;
}

function Mark({ newest }: Pick<Props, 'newest'>) {
  const { t } = useTranslation('app');
  return staleMark(t, useFormat(), newest);
}

/** Returns the mark of a stale value. A list calls it for each cell: a component with hooks takes longer to draw. */
export function staleMark(t: TFunction<'app'>, format: Format, newest: NewestValue): ReactElement {
  const time = format.dateTime(measuredOrReceived(newest));
  const when = t(newest.measuredAt === null ? 'freshness.received' : 'freshness.measured', { time });
  return (
    <span className={classes.mark} title={`${t('freshness.stale')} · ${when}`}>
      <Icon name="clock" size={11} label={t('freshness.stale')} />
    </span>
  );
}

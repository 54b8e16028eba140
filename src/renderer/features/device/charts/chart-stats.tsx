import { useTranslation } from 'react-i18next';
import { meanText, openedText, withUnit } from '../../../../shared/format/scaled.ts';
import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import { percentOf } from '../../../../shared/measures/time-in-range.ts';
import type { Earlier } from '../../../charts/range/overlay.ts';
import { type FieldSummary, type SummaryPart, sealedIn, summarise } from '../../../charts/series/chart-data.ts';
import type { View } from '../../../charts/view.ts';
import { useFormat } from '../../../format/format.ts';
import { useShownText } from '../../../format/shown-text.ts';
import classes from './chart-stats.module.css';

interface Props {
  readonly name: string;
  readonly scale: FieldScale;
  /** null if there are no values; undefined if they are not known yet. */
  readonly summary: FieldSummary | null | undefined;
  /**
   * The share of the visible time in which the value was in the owner's ranges; null if there is no range or no value.
   */
  readonly inRange: number | null;
  /** The part of the values that the summary covers, if others are still sealed; otherwise null. */
  readonly part: SummaryPart | null;
}

/** Shows minimum, mean and maximum of a chart, and the number of values. */
export function ChartStats({ name, scale, summary, inRange, part }: Props) {
  const { t } = useTranslation('charts');
  const format = useFormat();
  const shownText = useShownText();
  if (summary === null) return null;
  const of = (text: (found: FieldSummary) => string) => (summary === undefined ? '…' : text(summary));
  const shown = [
    ['min', of(({ min }) => shownText(openedText, scale, min))],
    ['mean', of(({ mean }) => shownText(meanText, scale, mean))],
    ['max', of(({ max }) => shownText(openedText, scale, max))],
    ['values', of(({ count }) => format.integer(count))],
  ] as const;
  return (
    <dl className={classes.stats} aria-label={t('stats.label', { name })} data-stats={scale.field}>
      {shown.map(([key, text]) => (
        <div key={key} data-stat={key}>
          <dt>{key === 'mean' ? <abbr title={t('stats.meanText')}>{t('stats.mean')}</abbr> : t(`stats.${key}`)}</dt>
          <dd>{text}</dd>
        </div>
      ))}
      {inRange === null || summary === undefined ? null : (
        <div data-stat="inRange">
          <dt>
            <abbr title={t('stats.inRangeText')}>{t('stats.inRange')}</abbr>
          </dt>
          <dd>{withUnit(format.rounded(percentOf(inRange), 1), '%')}</dd>
        </div>
      )}
      {part === null || summary === undefined ? null : (
        <div data-stat="part">
          <dt className="visually-hidden">{t('stats.partOf')}</dt>
          <dd className={classes.part}>{t(`stats.part.${part}`)}</dd>
        </div>
      )}
    </dl>
  );
}

/** Explains the pale line of an earlier period, with its mean. */
export function EarlierNote({ earlier, scale, view }: { earlier: Earlier; scale: FieldScale; view: View }) {
  const { t } = useTranslation('charts');
  const shownText = useShownText();
  const overlay = t(`overlay.name.${earlier.overlay}`);
  const found = earlier.data === null ? undefined : summarise(earlier.data, view);
  if (found === undefined) return <p className={classes.earlier}>{t('overlay.noteLoading', { overlay })}</p>;
  if (found === null) {
    const isSealed = earlier.data !== null && sealedIn(earlier.data, view) > 0;
    return <p className={classes.earlier}>{t(isSealed ? 'overlay.noteSealed' : 'overlay.noteNone', { overlay })}</p>;
  }
  const mean = shownText(meanText, scale, found.mean);
  return <p className={classes.earlier}>{t('overlay.note', { overlay, mean })}</p>;
}

import { useComputedColorScheme } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { meanText, withUnit } from '../../../shared/format/scaled.ts';
import type { FieldScale } from '../../../shared/measures/field-scale.ts';
import { ChartCanvas } from '../../charts/drawing/chart-canvas.tsx';
import { CHART_COLOURS } from '../../charts/drawing/chart-colours.ts';
import type { Cursor } from '../../charts/drawing/chart-options.ts';
import { lineStyle } from '../../charts/drawing/line-styles.ts';
import { bandsOf } from '../../charts/drawing/panels.ts';
import { useLinesChart } from '../../charts/drawing/use-lines-chart.ts';
import type { ChartActions } from '../../charts/range/use-chart-range.ts';
import { type FieldData, sealedIn } from '../../charts/series/chart-data.ts';
import { entryAt } from '../../charts/series/entry-at.ts';
import type { View } from '../../charts/view.ts';
import { useFormat, useLocale } from '../../format/format.ts';
import { useShownText } from '../../format/shown-text.ts';
import type { Mark } from '../../journal/marks.ts';
import { useEntryWords } from '../../journal/use-act-words.ts';
import { UnlockButton } from '../../opening/unlock-button.tsx';
import classes from './course-chart.module.css';
import type { CourseLine } from './courses.tsx';
import { dailyMeans } from './daily.ts';

const HEIGHT_PX = 190;
const DAY_MS = 86_400_000;
/** The longest view, in days, that shows hourly means. A longer one shows daily means. */
const DAILY_ABOVE_DAYS = 21;

/** A line of the chart, with a name that tells it apart from the others. */
export interface NamedLine extends Pick<CourseLine, 'scale' | 'data' | 'allowed'> {
  readonly name: string;
}

interface Props {
  /** All lines have the same quantity and unit. */
  readonly lines: readonly NamedLine[];
  readonly view: View;
  /** The beginning of the first day. */
  readonly start: number;
  readonly marks: readonly Mark[];
  readonly actions: ChartActions;
  /** Whether the times of lines and view are days since planting. */
  readonly isByDay?: boolean;
}

/** The chart of a value at one or several places over weeks, with the ranges of their stages and numbered events. */
export function CourseChart({ lines, view, start, marks, actions, isByDay = false }: Props) {
  const { t } = useTranslation(['crops', 'app', 'charts']);
  const format = useFormat();
  const locale = useLocale();
  const shownText = useShownText();
  const words = useEntryWords();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const canvas = useRef<HTMLDivElement>(null);
  const under = useRef<HTMLSpanElement>(null);
  const styles = useMemo(
    () =>
      lines.map(({ scale: { field } }, place) => {
        const { colour } = lineStyle(scheme, place);
        return { colour: lines.length === 1 ? CHART_COLOURS[scheme].line[field] : colour, isDashed: place > 0 };
      }),
    [lines, scheme],
  );
  const bands = useMemo(() => bandsOf(lines, (line) => styles[lines.indexOf(line)]!.colour), [lines, styles]);
  const dayLength = isByDay ? 1 : DAY_MS;
  const isDaily = view.to - view.from > DAILY_ABOVE_DAYS * dayLength;
  const drawn = useMemo(
    () => lines.map(({ data }) => (isDaily ? dailyMeans(data, start, dayLength) : data)),
    [lines, isDaily, start, dayLength],
  );
  const { scale } = lines[0]!;
  const title = t(`app:field.${scale.label}`);
  const sealed = drawn.reduce((sum, data) => sum + sealedIn(data, view), 0);

  const onCursor = (cursor: Cursor | null): void => {
    if (under.current === null) return;
    if (cursor === null) {
      under.current.textContent = '';
      return;
    }
    const time = isByDay ? t('dayNumber', { day: Math.floor(cursor.time) + 1 }) : format.shortDateTime(cursor.time);
    const values = lines.flatMap(({ name, scale: of }, index) => {
      const text = valueAt(drawn[index]!, cursor, (mean) => shownText(meanText, of, mean));
      return text === null ? [] : [lines.length === 1 ? text : `${name} ${text}`];
    });
    const near = marks.filter(({ entry }) => Math.abs(entry.at - cursor.time) <= cursor.nearMs);
    const notes = near.map(({ number, entry }) => t('charts:note', { number, text: words(entry) }));
    under.current.textContent = [time, ...values, ...notes].join(' · ');
  };
  const { chart, isEmpty } = useLinesChart(canvas, {
    ...{ height: HEIGHT_PX, styles, drawn, view, bands, marks, actions, onCursor, isByDay },
  });

  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        <h3>{withUnit(title, scale.symbol === '' ? '' : `· ${scale.symbol}`)}</h3>
        {lines.length === 1
          ? null
          : lines.map(({ name }, place) => (
              <span key={name} className={classes.name}>
                <i
                  style={{
                    borderTopColor: styles[place]!.colour,
                    borderTopStyle: styles[place]!.isDashed ? 'dashed' : 'solid',
                  }}
                />
                {name}
              </span>
            ))}
        {isDaily ? <span className={classes.daily}>{t('dailyMeans')}</span> : null}
        <span className={classes.under} ref={under} aria-live="polite" />
      </figcaption>
      {isEmpty ? null : (
        <ChartCanvas
          canvas={canvas}
          chart={chart}
          height={HEIGHT_PX}
          label={t(isByDay ? 'chartByDay' : 'chartOf', { name: title, stats: statsOf(lines, locale) })}
          actions={actions}
        />
      )}
      {sealed === 0 ? null : (
        <p className={classes.sealed}>
          {t('charts:chart.someSealed', { count: sealed, shown: format.integer(sealed) })} <UnlockButton />
        </p>
      )}
    </figure>
  );
}

function valueAt(data: FieldData, { time, nearMs }: Cursor, text: (mean: number) => string): string | null {
  const index = entryAt(data, time, nearMs);
  const mean = index === null ? null : data.mean[index];
  return mean == null ? null : text(mean);
}

/** Returns the lowest and highest value of each line in words, for people who can't see the chart. */
function statsOf(lines: readonly { name: string; scale: FieldScale; data: FieldData }[], locale: string): string {
  const number = (value: number) => value.toLocaleString(locale, { maximumSignificantDigits: 3 });
  return lines
    .flatMap(({ name, data }) => {
      const values = data.mean.filter((value) => value !== null);
      if (values.length === 0) return [];
      const [least, greatest] = values.reduce(
        ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
        [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      );
      return [`${name} ${number(least!)} – ${number(greatest!)}`];
    })
    .join('; ');
}

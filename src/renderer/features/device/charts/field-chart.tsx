import { ActionIcon, Tooltip, useComputedColorScheme } from '@mantine/core';
import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meanText, openedText } from '../../../../shared/format/scaled.ts';
import { type AnyField, isDerived } from '../../../../shared/measures/derived.ts';
import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import { timeInRange } from '../../../../shared/measures/time-in-range.ts';
import type { Band } from '../../../charts/drawing/allowed-bands.ts';
import { ChartCanvas } from '../../../charts/drawing/chart-canvas.tsx';
import { CHART_COLOURS } from '../../../charts/drawing/chart-colours.ts';
import { drawChart, type LiveChart } from '../../../charts/drawing/uplot-chart.ts';
import type { Earlier } from '../../../charts/range/overlay.ts';
import type { ChartActions } from '../../../charts/range/use-chart-range.ts';
import { type FieldData, partOf, sealedIn, summarise } from '../../../charts/series/chart-data.ts';
import type { View } from '../../../charts/view.ts';
import { useSmallScreen } from '../../../components/browser/small-screen.ts';
import { Icon } from '../../../components/icon.tsx';
import { useFormat, useLocale } from '../../../format/format.ts';
import { useShownText } from '../../../format/shown-text.ts';
import type { Mark } from '../../../journal/marks.ts';
import { UnlockButton } from '../../../opening/unlock-button.tsx';
import { ChartStats, EarlierNote } from './chart-stats.tsx';
import { ChartTable } from './chart-table.tsx';
import classes from './field-chart.module.css';
import { OpeningMark, OpeningNote } from './opening-note.tsx';
import { useReadout } from './readout.ts';

const HEIGHT_PX = 180;
/** The height on a phone: low enough that all fields are visible with little scrolling. */
const SMALL_HEIGHT_PX = 96;

interface Props {
  readonly field: AnyField;
  readonly scale: FieldScale;
  readonly data: FieldData;
  /** The range that the summary counts; null while the data of another view is shown. */
  readonly counted: View | null;
  readonly earlier: Earlier | null;
  /** The allowed range of the field by the owner's rules, as bands and in words. */
  readonly allowed: readonly Band[];
  readonly allowedText: string;
  /** The owner's notes within the visible range. */
  readonly marks: readonly Mark[];
  readonly view: View;
  readonly actions: ChartActions;
}

/**
 * Shows one field over time. The chart is a canvas, so there is also a summary in words, a readout that follows the
 * cursor, and a table of the same data.
 */
export const FieldChart = memo(function FieldChart({
  field,
  scale,
  data,
  counted,
  earlier,
  allowed,
  allowedText,
  marks,
  view,
  actions,
}: Props) {
  const { t } = useTranslation(['charts', 'app']);
  const format = useFormat();
  const shownText = useShownText();
  const locale = useLocale();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const [showsTable, setShowsTable] = useState(false);
  const canvas = useRef<HTMLDivElement>(null);
  const chart = useRef<LiveChart | null>(null);
  const behind = earlier?.data ?? null;
  const latest = useRef({ data, behind, allowed, marks, view, actions });
  latest.current = { data, behind, allowed, marks, view, actions };
  const readout = useReadout(scale, data, earlier, marks);
  const onCursor = useRef(readout.show);
  onCursor.current = readout.show;
  const colours = CHART_COLOURS[scheme];
  const line = colours.line[field];
  const height = useSmallScreen() ? SMALL_HEIGHT_PX : HEIGHT_PX;
  const isEmpty = data.times.length === 0 && (behind === null || behind.times.length === 0);
  const sealed = sealedIn(data, counted ?? view);
  const isFailed = Object.keys(data.openings.failed).length > 0;

  useLayoutEffect(() => {
    if (isEmpty || canvas.current === null) return;
    const drawn = drawChart(canvas.current, latest.current.data, {
      height,
      line,
      colours,
      locale,
      view: () => latest.current.view,
      earlier: () => latest.current.behind,
      allowed: () => latest.current.allowed,
      notes: () => latest.current.marks.map(({ number, entry }) => ({ number, time: entry.at })),
      onCursor: (cursor) => onCursor.current(cursor),
      onDragged: (from, to) => latest.current.actions.drag(from, to),
    });
    chart.current = drawn;
    return () => {
      chart.current = null;
      drawn.destroy();
    };
  }, [isEmpty, line, colours, locale, height]);

  useLayoutEffect(() => chart.current?.setData(data), [data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart reads the view when it is told to redraw
  useLayoutEffect(() => chart.current?.refresh(), [view.from, view.to, behind, allowed, marks]);

  const name = t(`app:field.${scale.label}`);
  const { from, to } = view;
  const { from: countedFrom, to: countedTo } = counted ?? {};
  const found = useMemo(
    () =>
      countedFrom === undefined || countedTo === undefined
        ? undefined
        : summarise(data, { from: countedFrom, to: countedTo }),
    [data, countedFrom, countedTo],
  );
  const inRange = useMemo(
    () =>
      countedFrom === undefined || countedTo === undefined || allowed.length === 0
        ? null
        : timeInRange(data, allowed, { from: countedFrom, to: countedTo }),
    [data, allowed, countedFrom, countedTo],
  );
  const summary = useMemo(() => {
    const stretch = { name, from: format.dateTime(from), to: format.dateTime(to) };
    if (found === undefined) return t('chart.summaryLoading', stretch);
    if (found === null) return t('chart.summaryNone', stretch);
    const { min, max, mean, count } = found;
    return t('chart.summary', {
      ...stretch,
      number: format.integer(count),
      min: shownText(openedText, scale, min),
      max: shownText(openedText, scale, max),
      mean: shownText(meanText, scale, mean),
    });
  }, [found, format, shownText, name, t, scale, from, to]);

  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        <span className={classes.swatch} style={{ background: line }} />
        <h3 className={classes.title}>
          {name} {scale.symbol === '' ? null : <span className={classes.unit}>{scale.symbol}</span>}
        </h3>
        <OpeningMark openings={data.openings} />
        <span className={classes.readout} ref={readout.visible} />
        <span className="visually-hidden" aria-live="polite" ref={readout.spoken} />
        {isEmpty ? null : (
          <Tooltip label={t(showsTable ? 'chart.hideTable' : 'chart.showTable')} openDelay={400}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-pressed={showsTable}
              aria-label={t('chart.tableOf', { name })}
              onClick={() => setShowsTable(!showsTable)}
            >
              <Icon name="table" size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </figcaption>
      <ChartStats name={name} scale={scale} summary={found} inRange={inRange} part={partOf(data, sealed)} />
      {isEmpty ? (
        <div className={classes.empty}>
          <Icon name={sealed > 0 ? 'lock' : isFailed ? 'lock-alert' : 'info'} size={20} />
          <span>
            {sealed > 0
              ? t('chart.allSealed', { count: sealed, shown: format.integer(sealed) })
              : t(isFailed ? 'chart.noneOpens' : 'chart.none')}
          </span>
          {sealed > 0 ? <UnlockButton /> : null}
        </div>
      ) : (
        <ChartCanvas
          canvas={canvas}
          chart={chart}
          height={height}
          label={allowedText === '' ? summary : `${summary} ${allowedText}.`}
          actions={actions}
        />
      )}
      {sealed > 0 && !isEmpty ? (
        <div className={classes.note}>
          <Icon name="lock" size={12} />
          <span>{t('chart.someSealed', { count: sealed, shown: format.integer(sealed) })}</span>
          <UnlockButton />
        </div>
      ) : null}
      {allowedText === '' || isEmpty ? null : (
        <div className={classes.note} data-allowed>
          <span className={classes.band} />
          <span>{allowedText}</span>
        </div>
      )}
      {isDerived(field) && !isEmpty ? (
        <div className={classes.note}>{t(data.stepMs === null ? 'chart.derived' : 'chart.derivedSteps')}</div>
      ) : null}
      {earlier === null ? null : <EarlierNote earlier={earlier} scale={scale} view={view} />}
      <OpeningNote openings={data.openings} />
      {showsTable && !isEmpty ? (
        <section
          className={classes.table}
          aria-label={t('chart.tableOf', { name })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
        >
          <ChartTable name={name} scale={scale} data={data} />
        </section>
      ) : null}
    </figure>
  );
});

import { ActionIcon, useComputedColorScheme } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { meanText, openedText, stepMeanText, valueText, withUnit } from '../../../shared/format/scaled.ts';
import { ChartCanvas } from '../../charts/drawing/chart-canvas.tsx';
import type { Cursor } from '../../charts/drawing/chart-options.ts';
import { lineStyle } from '../../charts/drawing/line-styles.ts';
import { bandsOf } from '../../charts/drawing/panels.ts';
import { useLinesChart } from '../../charts/drawing/use-lines-chart.ts';
import type { ChartActions } from '../../charts/range/use-chart-range.ts';
import { partOf, sealedIn, summarise } from '../../charts/series/chart-data.ts';
import { entryAt } from '../../charts/series/entry-at.ts';
import { differingIntervals } from '../../charts/series/intervals.ts';
import type { View } from '../../charts/view.ts';
import { Icon } from '../../components/icon.tsx';
import { deviceRoute, useOtherName } from '../../devices/listed.ts';
import { nameOf } from '../../devices/names.ts';
import { useFormat } from '../../format/format.ts';
import { type ShownText, useShownText } from '../../format/shown-text.ts';
import type { Mark } from '../../journal/marks.ts';
import { useEntryWords } from '../../journal/use-act-words.ts';
import { UnlockButton } from '../../opening/unlock-button.tsx';
import { linkTo } from '../../router/router.ts';
import classes from './compare.module.css';
import { type LineId, lineText } from './lines/lines-url.ts';
import type { Line } from './lines/use-compared.ts';
import { useDayMeans } from './lines/use-day-means.ts';

const HEIGHT_PX = 260;

interface Props {
  /** The lines, all of one quantity and unit. */
  readonly lines: readonly Line[];
  readonly view: View;
  /** The end of the requested range, Unix milliseconds; null if it ends with the latest value. */
  readonly end: number | null;
  readonly marks: readonly Mark[];
  readonly actions: ChartActions;
  readonly onRemove: (line: LineId) => void;
}

/**
 * Draws lines of one unit over time. Below the chart, lists each line with its numbers and its value under the cursor.
 */
export function Panel({ lines, view, end, marks, actions, onRemove }: Props) {
  const { t } = useTranslation(['compare', 'charts', 'app']);
  const format = useFormat();
  const shownText = useShownText();
  const words = useEntryWords();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const canvas = useRef<HTMLDivElement>(null);
  const cells = useRef(new Map<string, HTMLElement>());
  const clock = useRef<HTMLSpanElement>(null);
  const drawn = useMemo(() => lines.flatMap(({ data }) => (data === null ? [] : [data])), [lines]);
  const places = lines.flatMap(({ data, place }) => (data === null ? [] : [place])).join();
  const styles = useMemo(
    () => (places === '' ? [] : places.split(',').map((place) => lineStyle(scheme, Number(place)))),
    [places, scheme],
  );
  const bands = useMemo(() => bandsOf(lines, ({ place }) => lineStyle(scheme, place).colour), [lines, scheme]);
  const names = [...new Set(lines.map(({ scale }) => t(`app:field.${scale.label}`)))].join(', ');
  const symbol = lines[0]?.scale.symbol ?? '';

  const onCursor = (cursor: Cursor | null): void => {
    const near = cursor === null ? [] : marks.filter(({ entry }) => Math.abs(entry.at - cursor.time) <= cursor.nearMs);
    const notes = near.map(({ number, entry }) => ` · ${t('charts:note', { number, text: words(entry) })}`).join('');
    if (clock.current !== null) {
      clock.current.textContent = cursor === null ? '' : format.shortDateTime(cursor.time) + notes;
    }
    for (const line of lines) {
      const cell = cells.current.get(keyOf(line));
      if (cell !== undefined) cell.textContent = cursor === null ? '' : under(line, cursor, shownText, t('atNone'));
    }
  };
  const { chart, isEmpty } = useLinesChart(canvas, {
    ...{ height: HEIGHT_PX, styles, drawn, view, bands, marks, actions, onCursor },
  });

  const countedOf = ({ isOld }: Line): View => ({ from: isOld ? view.from : 0, to: end ?? Number.POSITIVE_INFINITY });
  const intervals = differingIntervals(
    lines.flatMap((line) => (line.data === null || line.isOld ? [] : [{ data: line.data, counted: countedOf(line) }])),
  );
  const title = withUnit(names, symbol === '' ? '' : `· ${symbol}`);
  return (
    <figure className={classes.panel}>
      <figcaption className={classes.caption}>
        <h2 className={classes.title}>{title}</h2>
        <span className={classes.clock} ref={clock} />
      </figcaption>
      {isEmpty ? (
        <p className={classes.empty}>{t('noValues')}</p>
      ) : (
        <ChartCanvas
          canvas={canvas}
          chart={chart}
          height={HEIGHT_PX}
          label={t('panel', { name: title, from: format.dateTime(view.from), to: format.dateTime(view.to) })}
          actions={actions}
        />
      )}
      <ul className={classes.lines} aria-label={t('linesOf', { name: title })}>
        {lines.map((line) => (
          <LineRow
            key={keyOf(line)}
            line={line}
            counted={countedOf(line)}
            colour={lineStyle(scheme, line.place)}
            cell={(element) => {
              if (element === null) cells.current.delete(keyOf(line));
              else cells.current.set(keyOf(line), element);
            }}
            onRemove={() => onRemove(line.id)}
          />
        ))}
      </ul>
      {intervals === null ? null : (
        <p className={classes.intervals}>
          {t('intervals', {
            least: format.duration(intervals.least),
            greatest: format.duration(intervals.greatest),
          })}
        </p>
      )}
    </figure>
  );
}

function keyOf({ id }: Line): string {
  return lineText(id);
}

/** Returns the value of a line under the cursor, in words. The mean of a time step is marked with ⌀. */
function under({ data, scale }: Line, cursor: Cursor, shownText: ShownText, none: string): string {
  const index = data === null ? null : entryAt(data, cursor.time, cursor.nearMs);
  const mean = index === null ? null : data?.mean[index];
  if (data === null || index === null || mean == null) return none;
  const text = data.openings.opened > 0 ? openedText : valueText;
  if (data.stepMs === null) return shownText(text, scale, mean);
  return `⌀ ${shownText(stepMeanText, scale, mean)}`;
}

interface RowProps {
  readonly line: Line;
  /** The range of the numbers. A step that begins before the range counts as a whole, as on the device's page. */
  readonly counted: View;
  readonly colour: { readonly colour: string; readonly isDashed: boolean };
  readonly cell: (element: HTMLElement | null) => void;
  readonly onRemove: () => void;
}

/** Shows one line: its name, its numbers over the range, and its value under the cursor. */
function LineRow({ line, counted, colour, cell, onRemove }: RowProps) {
  const { t } = useTranslation(['compare', 'charts', 'app']);
  const format = useFormat();
  const shownText = useShownText();
  const { device, id, data, scale, allowed, isOld, error } = line;
  const place = useOtherName(device.node);
  const said = place === null ? nameOf(device) : `${nameOf(device)} · ${place}`;
  const name = t('line', { device: said, field: t(`app:field.${scale.label}`) });
  const found = data === null || isOld ? undefined : summarise(data, counted);
  const sealed = data === null ? 0 : sealedIn(data, counted);
  const part = data === null ? null : partOf(data, sealed);
  const days = useDayMeans(line, counted);
  return (
    <li className={classes.line} data-line={lineText(id)}>
      <span
        className={classes.swatch}
        style={{ borderTopColor: colour.colour, borderTopStyle: colour.isDashed ? 'dashed' : 'solid' }}
      />
      <a className={classes.name} href={linkTo(deviceRoute(device.id, device.node))}>
        <bdi>{name}</bdi>
      </a>
      <span className={classes.under} ref={cell} aria-live="polite" />
      <span className={classes.stats}>
        {error !== null && error !== undefined
          ? t('failed')
          : found === undefined
            ? '…'
            : found === null
              ? t(sealed === 0 ? 'noValues' : 'charts:chart.allSealed', {
                  count: sealed,
                  shown: format.integer(sealed),
                })
              : t('stats', {
                  count: found.count,
                  min: shownText(valueText, scale, found.min),
                  mean: shownText(meanText, scale, found.mean),
                  max: shownText(valueText, scale, found.max),
                  number: format.integer(found.count),
                })}
        {part === null || found == null ? null : ` · ${t(`charts:stats.part.${part}`)}`}
        {data === null || data.stepMs === null || found === null
          ? null
          : ` · ${t('means', { step: format.duration(data.stepMs) })}`}
        {found == null ? null : days}
        {sealed === 0 || found === null
          ? null
          : ` · ${t('charts:chart.someSealed', { count: sealed, shown: format.integer(sealed) })}`}
        {allowed.ranges === '' ? null : ` · ${t('charts:allowed', { ranges: allowed.ranges })}`}
        {device.clockNotSet ? ` · ${t('byArrival')}` : null} {sealed === 0 ? null : <UnlockButton />}
      </span>
      <ActionIcon
        className={classes.remove ?? ''}
        variant="subtle"
        color="gray"
        aria-label={t('remove', { name })}
        onClick={onRemove}
      >
        <Icon name="close" size={14} />
      </ActionIcon>
    </li>
  );
}

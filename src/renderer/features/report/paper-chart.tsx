import { useTranslation } from 'react-i18next';
import { withUnit } from '../../../shared/format/scaled.ts';
import { boundsNear } from '../../charts/drawing/allowed-bands.ts';
import { CHART_COLOURS } from '../../charts/drawing/chart-colours.ts';
import { roomAround } from '../../charts/drawing/chart-options.ts';
import { lineStyle } from '../../charts/drawing/line-styles.ts';
import { bandsOf } from '../../charts/drawing/panels.ts';
import { createNumberTicks, createTimeTicks } from '../../charts/drawing/ticks.ts';
import type { FieldData } from '../../charts/series/chart-data.ts';
import type { View } from '../../charts/view.ts';
import type { NamedLine } from '../../crops/course/course-chart.tsx';
import { dailyMeans } from '../../crops/course/daily.ts';
import { useLocale } from '../../format/format.ts';
import type { Mark } from '../../journal/marks.ts';
import classes from './report.module.css';
import { timeTicks, valueTicks } from './ticks.ts';

const DAY_MS = 86_400_000;
const DAILY_ABOVE_DAYS = 21;
/** The size in units of the drawing, which is as wide as the paper. */
const [WIDTH, HEIGHT] = [680, 134];
const PLOT = { left: 46, right: WIDTH - 8, top: 20, bottom: HEIGHT - 28 };
const COLOURS = CHART_COLOURS.light;
const MARK_RADIUS = 7;

interface Props {
  /** The lines, all of one field and unit. */
  readonly lines: readonly NamedLine[];
  readonly view: View;
  readonly marks: readonly Mark[];
}

/** A chart for paper: an SVG, sharp at any size, in light colours. */
export function PaperChart({ lines, view, marks }: Props) {
  const { t } = useTranslation(['crops', 'app']);
  const locale = useLocale();
  const isDaily = view.to - view.from > DAILY_ABOVE_DAYS * DAY_MS;
  const drawn = lines.map(({ data }) => within(isDaily ? dailyMeans(data, view.from, DAY_MS) : data, view));
  const values = drawn.flatMap(({ mean }) => mean.filter((value) => value !== null));
  if (values.length === 0) return null;
  const styles = lines.map(({ scale: { field } }, place) => ({
    colour: lines.length === 1 ? COLOURS.line[field] : lineStyle('light', place).colour,
    dash: place === 0 ? undefined : `${4 + 2 * place} 3`,
  }));
  const bands = bandsOf(lines, (line) => styles[lines.indexOf(line)]!.colour);
  const [leastOf, greatestOf] = extremes(values);
  const near = boundsNear(bands, leastOf, greatestOf);
  const [low, high] = roomAround(Math.min(leastOf, ...near), Math.max(greatestOf, ...near));
  const x = (time: number) => PLOT.left + ((time - view.from) / (view.to - view.from)) * (PLOT.right - PLOT.left);
  const y = (value: number) => PLOT.bottom - ((value - low) / (high - low)) * (PLOT.bottom - PLOT.top);
  const [times, numbers] = [timeTicks(view, 8), valueTicks(low, high, 4)];
  const timeTexts = createTimeTicks(locale)(times.ticks, times.step);
  const numberTexts = createNumberTicks(locale)(numbers.ticks, numbers.step);
  const { scale } = lines[0]!;
  const title = withUnit(t(`app:field.${scale.label}`), scale.symbol === '' ? '' : `· ${scale.symbol}`);
  return (
    <figure className={classes.chart}>
      <figcaption>
        <b>{title}</b>
        {lines.length === 1
          ? null
          : lines.map(({ name }, place) => (
              <span key={name}>
                <svg width="22" height="6" aria-hidden="true">
                  <line
                    x2="22"
                    y1="3"
                    y2="3"
                    stroke={styles[place]!.colour}
                    strokeWidth="2"
                    strokeDasharray={styles[place]!.dash}
                  />
                </svg>{' '}
                {name}
              </span>
            ))}
        {isDaily ? <span>{t('dailyMeans')}</span> : null}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        {bands.map(({ low: least, high: most, from, to, colour }) => {
          const begin = Math.max(PLOT.left, from === undefined ? PLOT.left : x(from));
          const end = Math.min(PLOT.right, to === undefined ? PLOT.right : x(to));
          if (end <= begin) return null;
          const top = Math.max(PLOT.top, most === null ? PLOT.top : y(most));
          const bottom = Math.min(PLOT.bottom, least === null ? PLOT.bottom : y(least));
          const edge = { x1: begin, x2: end, stroke: colour ?? COLOURS.allowed, strokeDasharray: '2 3' };
          return (
            <g key={`${least} ${most} ${from} ${colour}`}>
              {colour !== undefined || bottom <= top ? null : (
                <rect
                  x={begin}
                  width={end - begin}
                  y={top}
                  height={bottom - top}
                  fill={COLOURS.allowed}
                  fillOpacity="0.12"
                />
              )}
              {most === null || y(most) < PLOT.top || y(most) > PLOT.bottom ? null : (
                <line {...edge} y1={y(most)} y2={y(most)} />
              )}
              {least === null || y(least) < PLOT.top || y(least) > PLOT.bottom ? null : (
                <line {...edge} y1={y(least)} y2={y(least)} />
              )}
            </g>
          );
        })}
        <g stroke={COLOURS.grid}>
          {numbers.ticks.map((tick) => (
            <line key={tick} x1={PLOT.left} x2={PLOT.right} y1={y(tick)} y2={y(tick)} />
          ))}
          {times.ticks.map((tick) => (
            <line key={tick} x1={x(tick)} x2={x(tick)} y1={PLOT.top} y2={PLOT.bottom} />
          ))}
        </g>
        <g className={classes.labels}>
          {numbers.ticks.map((tick, index) => (
            <text key={tick} x={PLOT.left - 6} y={y(tick) + 3} textAnchor="end">
              {numberTexts[index]}
            </text>
          ))}
          {times.ticks.map((tick, index) => (
            <text key={tick} x={x(tick)} y={PLOT.bottom + 12} textAnchor="middle">
              {timeTexts[index]!.split('\n').map((line, row) => (
                <tspan key={line} x={x(tick)} dy={row === 0 ? 0 : 11}>
                  {line}
                </tspan>
              ))}
            </text>
          ))}
        </g>
        {drawn.map((data, place) => (
          <path
            key={lines[place]!.name}
            d={pathOf(data, x, y)}
            fill="none"
            stroke={styles[place]!.colour}
            strokeWidth="1.2"
            strokeLinecap="round"
            strokeDasharray={styles[place]!.dash}
          />
        ))}
        <Marks marks={marks.filter(({ entry }) => entry.at >= view.from && entry.at <= view.to)} x={x} />
      </svg>
    </figure>
  );
}

/** Draws lines at the times of journal entries, each with its number if there is room for it. */
function Marks({ marks, x }: { readonly marks: readonly Mark[]; readonly x: (time: number) => number }) {
  let last = Number.NEGATIVE_INFINITY;
  return marks.map(({ number, entry }) => {
    const at = x(entry.at);
    const hasRoom = at - last >= 2 * MARK_RADIUS;
    if (hasRoom) last = at;
    return (
      <g key={entry.id}>
        <line
          x1={at}
          x2={at}
          y1={PLOT.top}
          y2={PLOT.bottom}
          stroke={COLOURS.note}
          strokeWidth="0.6"
          strokeDasharray="2 3"
        />
        {hasRoom ? (
          <>
            <circle cx={at} cy={PLOT.top - MARK_RADIUS - 2} r={MARK_RADIUS} fill={COLOURS.note} />
            <text
              className={classes.number}
              x={at}
              y={PLOT.top - MARK_RADIUS + 1}
              fill={COLOURS.onNote}
              textAnchor="middle"
            >
              {number}
            </text>
          </>
        ) : null}
      </g>
    );
  });
}

function extremes(values: readonly number[]): [number, number] {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  return [least, greatest];
}

/** Returns the data within a view. */
function within({ times, mean }: FieldData, { from, to }: View): Pick<FieldData, 'times' | 'mean'> {
  const inView = times.flatMap((time, index) => (time >= from && time <= to ? [index] : []));
  return { times: inView.map((index) => times[index]!), mean: inView.map((index) => mean[index]!) };
}

function pathOf(
  { times, mean }: Pick<FieldData, 'times' | 'mean'>,
  x: (time: number) => number,
  y: (value: number) => number,
): string {
  let isOpen = false;
  return times
    .map((time, index) => {
      const value = mean[index];
      if (value == null) {
        isOpen = false;
        return '';
      }
      // A line of no length is a dot: a value between two gaps is seen.
      const point = `${isOpen ? 'L' : 'M'}${x(time).toFixed(1)} ${y(value).toFixed(1)}${isOpen ? '' : 'h0'}`;
      isOpen = true;
      return point;
    })
    .join('');
}

import { memo, useMemo } from 'react';
import classes from './sparkline.module.css';
import { HEIGHT, type SparklineBand, sparklineDrawing } from './sparkline-path.ts';

interface Props {
  readonly values: readonly (number | null)[] | undefined;
  /** Smaller values are drawn higher. */
  readonly isReversed: boolean;
  /** The values that are right, in the unit of `values`; drawn behind the line. */
  readonly band?: SparklineBand | null;
  /** Whether the newest value is outside of what is right. */
  readonly isOutside?: boolean;
}

const negative = (value: number | null): number | null => (value === null ? null : -value);

/** The last hours of a field as a small line. Decorative, so it is hidden from screen readers. */
export const Sparkline = memo(function Sparkline({ values, isReversed, band = null, isOutside = false }: Props) {
  const [low, high] = [band?.low ?? null, band?.high ?? null];
  const drawing = useMemo(() => {
    if (values === undefined) return null;
    const bounds = isReversed ? { low: negative(high), high: negative(low) } : { low, high };
    return sparklineDrawing(isReversed ? values.map(negative) : values, bounds);
  }, [values, isReversed, low, high]);
  if (values === undefined || drawing === null || drawing.path === '') return <span className={classes.line} />;
  const width = Math.max(1, values.length - 1);
  return (
    <svg
      className={classes.line}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
      data-outside={isOutside || undefined}
    >
      {drawing.band === null ? null : (
        <rect className={classes.band} width={width} y={drawing.band.y} height={drawing.band.height} />
      )}
      <path d={drawing.path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
});

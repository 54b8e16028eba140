import { memo, useMemo } from 'react';
import classes from './sparkline.module.css';
import { HEIGHT, type SparklineBand, sparklineDrawing } from './sparkline-path.ts';

interface Props {
  readonly values: readonly (number | null)[] | undefined;
  /** Whether smaller values are drawn higher. */
  readonly isReversed: boolean;
  /** The right ranges, in the unit of `values`. They are drawn behind the line. */
  readonly bands?: readonly SparklineBand[] | undefined;
  /** Whether the newest value is out of range. */
  readonly isOutside?: boolean;
}

const NO_BANDS: readonly SparklineBand[] = [];
const negative = (value: number | null): number | null => (value === null ? null : -value);

/** A small line of a field's last hours. It is decorative, so it is hidden from screen readers. */
export const Sparkline = memo(function Sparkline({ values, isReversed, bands = NO_BANDS, isOutside = false }: Props) {
  const drawing = useMemo(() => {
    if (values === undefined) return null;
    if (!isReversed) return sparklineDrawing(values, bands);
    const reversed = bands.map((band) => ({ ...band, low: negative(band.high), high: negative(band.low) }));
    return sparklineDrawing(values.map(negative), reversed);
  }, [values, isReversed, bands]);
  if (values === undefined || drawing === null || drawing.path === '') return <span className={classes.line} />;
  const width = Math.max(1, values.length - 1);
  return (
    <svg
      className={classes.line}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      data-outside={isOutside || undefined}
    >
      {drawing.bands.map((box) => (
        <rect key={box.x} className={classes.band} {...box} />
      ))}
      <path d={drawing.path} />
    </svg>
  );
});

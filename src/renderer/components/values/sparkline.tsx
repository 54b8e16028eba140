import { memo, useMemo } from 'react';
import classes from './sparkline.module.css';
import { HEIGHT, sparklinePath } from './sparkline-path.ts';

interface Props {
  readonly values: readonly (number | null)[] | undefined;
  /** Smaller values are drawn higher. */
  readonly isReversed: boolean;
}

/** The last hours of a field as a small line. Decorative, so it is hidden from screen readers. */
export const Sparkline = memo(function Sparkline({ values, isReversed }: Props) {
  const path = useMemo(() => {
    if (values === undefined) return '';
    return sparklinePath(isReversed ? values.map((value) => (value === null ? null : -value)) : values);
  }, [values, isReversed]);
  if (values === undefined || path === '') return <span className={classes.line} />;
  return (
    <svg
      className={classes.line}
      viewBox={`0 0 ${Math.max(1, values.length - 1)} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
});

import { memo, useMemo } from 'react';
import classes from './sparkline.module.css';
import { HEIGHT, sparklinePath } from './sparkline-path.ts';

/** The last hours of a field as a small line: an ornament to the number beside it, so hidden from screen readers. */
export const Sparkline = memo(function Sparkline({ values }: { values: readonly (number | null)[] | undefined }) {
  const path = useMemo(() => (values === undefined ? '' : sparklinePath(values)), [values]);
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

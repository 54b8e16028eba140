import type { CSSProperties } from 'react';
import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import { FieldValue } from '../../../components/values/field-value.tsx';
import type { OutOfRange, ShownValue } from '../../../format/values.ts';
import classes from './tank.module.css';

interface Props {
  readonly label: string;
  /** The water level, in per cent. */
  readonly value: ShownValue & { readonly value: number };
  readonly scale: FieldScale;
  readonly outside: OutOfRange | null;
  /** The minimum allowed level, in per cent; null if no rule sets one. */
  readonly least: number | null;
}

const inTank = (level: number): number => Math.min(100, Math.max(0, level));

/** Draws a tank filled to its level, with a mark at the minimum allowed level. */
export function Tank({ label, value, scale, outside, least }: Props) {
  const level = inTank(scale.toShown(value.value));
  return (
    <div className={classes.tank} data-outside={outside !== null || undefined}>
      <dt>{label}</dt>
      <dd>
        <span className={classes.drawing} style={{ '--level': `${level}%` } as CSSProperties} aria-hidden="true">
          {least === null ? null : <span className={classes.mark} style={{ bottom: `${inTank(least)}%` }} />}
        </span>
        <FieldValue value={value} scale={scale} outside={outside} isRounded />
      </dd>
    </div>
  );
}

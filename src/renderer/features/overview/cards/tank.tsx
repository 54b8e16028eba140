import type { CSSProperties } from 'react';
import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import { FieldValue } from '../../../components/values/field-value.tsx';
import type { OutOfRange, ShownValue } from '../../../format/values.ts';
import classes from './tank.module.css';

interface Props {
  readonly label: string;
  /** A level in per cent. */
  readonly value: ShownValue & { readonly value: number };
  readonly scale: FieldScale;
  readonly outside: OutOfRange | null;
  /** The least level that is right, in per cent; null: no rule says one. */
  readonly least: number | null;
}

const inTank = (level: number): number => Math.min(100, Math.max(0, level));

/** A tank as full as it is, with a mark at the least level that is right. */
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

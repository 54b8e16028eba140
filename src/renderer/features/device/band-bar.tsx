import type { Range } from '../../../shared/alerts/shown-range.ts';
import { bandPlaces } from './band-places.ts';
import classes from './device-page.module.css';

/** Draws a value relative to its allowed range. The value and the rules are also shown in words elsewhere. */
export function BandBar({ value, range }: { value: number; range: Range }) {
  const { from, to, at } = bandPlaces(value, range);
  return (
    <div className={classes.band} aria-hidden="true">
      <span style={{ insetInlineStart: `${from}%`, insetInlineEnd: `${100 - to}%` }} />
      <span data-value style={{ insetInlineStart: `${at}%` }} />
    </div>
  );
}

/** How rows of one height lie in an element that scrolls, in CSS pixels. */
export interface RowLayout {
  readonly count: number;
  readonly rowPx: number;
  /** From the top of what scrolls to the first row. */
  readonly margin: number;
}

/** What an element that scrolls shows now, in CSS pixels. */
export interface Viewport {
  readonly top: number;
  readonly height: number;
}

/** The rows from `first` up to, but without, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** The rows in view, with some more on either side. */
export function rowsInView({ top, height }: Viewport, { count, rowPx, margin }: RowLayout, more: number): RowRange {
  const first = Math.floor((top - margin) / rowPx) - more;
  const end = Math.ceil((top + height - margin) / rowPx) + more;
  return { first: Math.min(Math.max(0, first), count), end: Math.min(Math.max(0, end), count) };
}

/**
 * Where to scroll so that a row is wholly in view, by the shortest way: no further where it is already. The topmost
 * `coveredPx` lie under something that stays put.
 */
export function scrollTopFor(
  row: number,
  { top, height }: Viewport,
  { rowPx, margin }: RowLayout,
  coveredPx: number,
): number {
  const start = margin + row * rowPx;
  return Math.min(Math.max(top, start + rowPx - height), start - coveredPx);
}

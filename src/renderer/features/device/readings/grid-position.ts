/** A cell of the grid, by row and column number. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

/**
 * Returns the cell to which a key moves, by the grid pattern of the ARIA Authoring Practices; undefined for other keys.
 * `page` is the number of visible rows.
 */
export function positionAfter(
  key: string,
  ctrl: boolean,
  { row, column }: Position,
  { rows, columns, page }: { rows: number; columns: number; page: number },
): Position | undefined {
  const at = (nextRow: number, nextColumn: number): Position => ({
    row: Math.min(rows - 1, Math.max(0, nextRow)),
    column: Math.min(columns - 1, Math.max(0, nextColumn)),
  });
  switch (key) {
    case 'ArrowUp':
      return at(ctrl ? 0 : row - 1, column);
    case 'ArrowDown':
      return at(ctrl ? rows - 1 : row + 1, column);
    case 'ArrowLeft':
      return at(row, ctrl ? 0 : column - 1);
    case 'ArrowRight':
      return at(row, ctrl ? columns - 1 : column + 1);
    case 'Home':
      return at(ctrl ? 0 : row, 0);
    case 'End':
      return at(ctrl ? rows - 1 : row, columns - 1);
    case 'PageUp':
      return at(row - page, column);
    case 'PageDown':
      return at(row + page, column);
    default:
      return undefined;
  }
}

import { ROWS } from './options.ts';

/** A bound on a figure: at least a multiple of V, or at least or at most a value in the figure's own unit. */
export type Target = { readonly timesV: number } | { readonly atLeast: number } | { readonly atMost: number };

/** One figure of a row. */
export interface Figure {
  readonly row: number;
  /** The measured quantity of the row. */
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Missing if the figure is only for information. */
  readonly target?: Target;
  /** Other observations, in words. */
  readonly detail?: string;
}

export type Verdict = 'met' | 'close' | 'MISSED' | '';

/** A figure compared with V and its target. */
export interface JudgedFigure extends Figure {
  /** null if the figure is not a rate. */
  readonly timesV: number | null;
  readonly verdict: Verdict;
}

/**
 * The fraction by which a figure may miss its target before the benchmark fails: runs on a busy machine differ by this
 * much.
 */
const TOLERANCE = 0.2;

/** Compares a figure with V (verifications per second) and its target. */
export function judge(figure: Figure, v: number): JudgedFigure {
  const timesV = figure.unit.endsWith('/s') ? figure.value / v : null;
  const { target } = figure;
  if (target === undefined) return { ...figure, timesV, verdict: '' };
  // At least 1 if the target is met, for both kinds of bounds.
  const reached = reachedOf(figure.value, v, target);
  return { ...figure, timesV, verdict: reached >= 1 ? 'met' : reached >= 1 - TOLERANCE ? 'close' : 'MISSED' };
}

function reachedOf(value: number, v: number, target: Target): number {
  if ('timesV' in target) return value / v / target.timesV;
  return 'atLeast' in target ? value / target.atLeast : target.atMost / value;
}

/** Returns the figures as a text table. */
export function table(figures: readonly JudgedFigure[]): string {
  const lines = [['row', 'what', 'figure', 'x V', 'target', 'verdict', '']];
  for (const figure of figures) {
    lines.push([
      String(figure.row),
      figure.what,
      `${number(figure.value)} ${figure.unit}`,
      figure.timesV === null ? '' : figure.timesV.toFixed(2),
      targetText(figure),
      figure.verdict,
      figure.detail ?? '',
    ]);
  }
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  const named = [...new Set(figures.map(({ row }) => row))].map((row) => `${row}: ${ROWS[row]}`);
  return `${text.join('\n')}\n\n${named.join('\n')}\n`;
}

/** Returns a number with three significant digits and separated thousands. */
export function number(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function targetText({ target, unit }: Figure): string {
  if (target === undefined) return '';
  if ('timesV' in target) return `>= ${target.timesV} V`;
  if ('atLeast' in target) return `>= ${number(target.atLeast)} ${unit}`;
  return `<= ${Number(target.atMost.toPrecision(3))} ${unit}`;
}

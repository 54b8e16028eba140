import { type KeyboardEvent, type RefObject, useId } from 'react';
import { useTranslation } from 'react-i18next';
import 'uplot/dist/uPlot.min.css';
import type { ChartActions } from '../range/use-chart-range.ts';
import classes from './chart-canvas.module.css';

/** The actions of keys on the chart in a canvas. */
interface KeyedChart {
  moveCursor(step: number): void;
  clearCursor(): void;
}

interface Props {
  /** The element in which the chart is drawn. */
  readonly canvas: RefObject<HTMLDivElement | null>;
  readonly chart: RefObject<KeyedChart | null>;
  /** In CSS pixels. */
  readonly height: number;
  /** A description of the chart in words. */
  readonly label: string;
  readonly actions: ChartActions;
}

/** The element of a chart. Its keys move the cursor, zoom and pan. */
export function ChartCanvas({ canvas, chart, height, label, actions }: Props) {
  const { t } = useTranslation('charts');
  const hint = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    const act: { readonly [key: string]: () => void } = {
      ArrowLeft: () => (event.shiftKey ? actions.pan(-0.5) : chart.current?.moveCursor(-1)),
      ArrowRight: () => (event.shiftKey ? actions.pan(0.5) : chart.current?.moveCursor(1)),
      '+': () => actions.zoom(0.5),
      '=': () => actions.zoom(0.5),
      '-': () => actions.zoom(2),
      Backspace: () => actions.back(),
      Escape: () => chart.current?.clearCursor(),
    };
    const chosen = event.ctrlKey || event.metaKey || event.altKey ? undefined : act[event.key];
    if (chosen === undefined) return;
    event.preventDefault();
    chosen();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: not a set of form fields; a group of a picture and what its keys do */}
      <div
        ref={canvas}
        className={classes.canvas}
        style={{ height }}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys move the cursor, zoom and pan
        tabIndex={0}
        aria-label={label}
        aria-describedby={hint}
        onKeyDown={onKeyDown}
        onDoubleClick={() => actions.back()}
        onBlur={() => chart.current?.clearCursor()}
      />
      <span id={hint} hidden>
        {t('chart.keys')}
      </span>
    </>
  );
}

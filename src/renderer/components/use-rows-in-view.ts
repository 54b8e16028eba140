import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { type RowLayout, type RowRange, rowsInView, scrollTopFor, type Viewport } from './rows-in-view.ts';

interface Options extends RowLayout {
  /** Rows to draw above and below those in view. */
  readonly more: number;
  /** What stays put over the top of the element, in CSS pixels. */
  readonly coveredPx?: number;
}

const viewportOf = ({ scrollTop, clientHeight }: HTMLElement): Viewport => ({ top: scrollTop, height: clientHeight });

/**
 * The rows to draw of a list of rows of one height, within the element that scrolls it. In the first rendering, before
 * anything is measured, as many as the window holds.
 */
export function useRowsInView(
  scroller: RefObject<HTMLElement | null>,
  { more, coveredPx = 0, ...layout }: Options,
): RowRange & { readonly scrollTo: (row: number) => void } {
  const { count, rowPx, margin } = layout;
  const [element, setElement] = useState<HTMLElement | null>(null);
  // By rows and not by pixels, so that most of the scrolling draws nothing anew. Of as many rows as there may ever be.
  const inView = (viewport: Viewport) => rowsInView(viewport, { rowPx, margin, count: Number.POSITIVE_INFINITY }, more);
  const [seen, setSeen] = useState(() => inView({ top: 0, height: window.innerHeight }));

  // The element may come late, and that of a component further out is known only after its children have been put in.
  useLayoutEffect(() => setElement(scroller.current));
  useEffect(() => setElement(scroller.current));

  // biome-ignore lint/correctness/useExhaustiveDependencies: `inView` is made anew by what is named here
  useLayoutEffect(() => {
    if (element === null) return;
    const measure = (): void => {
      const next = inView(viewportOf(element));
      setSeen((before) => (before.first === next.first && before.end === next.end ? before : next));
    };
    // Drawn before the browser paints the new position: a fast scroll shows no empty ground.
    const onScroll = (): void => flushSync(measure);
    measure();
    element.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [element, rowPx, margin, more]);

  return {
    first: Math.min(seen.first, count),
    end: Math.min(seen.end, count),
    scrollTo: (row) => {
      const area = scroller.current;
      if (area !== null) area.scrollTop = scrollTopFor(row, viewportOf(area), layout, coveredPx);
    },
  };
}

/** The numbers of the rows in a range. */
export function rowNumbers({ first, end }: RowRange): number[] {
  return Array.from({ length: end - first }, (_, place) => first + place);
}

import { useCallback, useState } from 'react';
import { useScrollArea } from '../../components/browser/scroll-area.ts';

/** Padding of the page on both sides, in CSS pixels. */
const PAGE_PADDING = 32;

/** A point a pixel is enough; in steps, so that resizing the window does not query again at every pixel. */
const POINTS_STEP = 100;
const FEWEST_POINTS = 300;
const MOST_POINTS = 1000;

/** How many points a chart `width` CSS pixels wide can show. */
export function pointsIn(width: number): number {
  return Math.min(MOST_POINTS, Math.max(FEWEST_POINTS, Math.floor(width / POINTS_STEP) * POINTS_STEP));
}

/**
 * The width of an element in CSS pixels, as it changes. Before the element is there it is told by the page that it will
 * fill, so that the first query for its data is the right one.
 */
export function useWidth() {
  const page = useScrollArea();
  const [width, setWidth] = useState(() => (page?.clientWidth ?? window.innerWidth) - PAGE_PADDING);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

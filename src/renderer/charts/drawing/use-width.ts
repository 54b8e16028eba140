import { useCallback, useState } from 'react';
import { useScrollArea } from '../../components/browser/scroll-area.ts';

/** The page's padding on both sides together, in CSS pixels. */
const PAGE_PADDING = 32;

/**
 * One point per pixel is enough. The number changes in steps, so that resizing the window does not query at every
 * pixel.
 */
const POINTS_STEP = 100;
const FEWEST_POINTS = 300;
const MOST_POINTS = 1000;

/** Returns how many points a chart `width` CSS pixels wide can show. */
export function pointsIn(width: number): number {
  return Math.min(MOST_POINTS, Math.max(FEWEST_POINTS, Math.floor(width / POINTS_STEP) * POINTS_STEP));
}

/**
 * Returns the width of an element in CSS pixels, as it changes. Until the element exists, the width is derived from the
 * page, so that the first query has the right number of points. `beside` returns the width of what stands next to the
 * page, which may appear only together with the element: otherwise the charts would be requested and drawn twice.
 */
export function useWidth(beside: () => number = () => 0) {
  const page = useScrollArea();
  const [width, setWidth] = useState(() => {
    const most = window.innerWidth - beside();
    if (page === null) return most - PAGE_PADDING;
    return page.clientWidth - Math.max(0, page.offsetWidth - most) - PAGE_PADDING;
  });
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

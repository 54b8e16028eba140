import { useCallback, useState } from 'react';
import { useScrollArea } from '../../components/scroll-area.ts';

/** Padding of the page on both sides, in CSS pixels. */
const PAGE_PADDING = 32;

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

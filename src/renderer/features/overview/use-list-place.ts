import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useScrollArea } from '../../components/browser/scroll-area.ts';
import { textScale } from '../../components/browser/small-screen.ts';

/** The width next to a list in px, until the list's own width is known. */
const PAGE_PADDING = 32;

/** How far outside of the visible part a list is still drawn, in px. */
const NEAR = 600;

/** The place of a virtualised list in its scroll area. Lengths are in px. */
export interface ListPlace {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly scrollArea: HTMLElement | null;
  /** The distance from the top of the scroll area's content to the list. */
  readonly margin: number;
  readonly width: number;
  /** The size of text, 1 if it is as usual. */
  readonly textScale: number;
  /** Whether the list is visible, or nearly so. Of a list by groups most are not, and each would draw some rows. */
  readonly isNear: boolean;
}

/** Measures a list, and again whenever the content around it changes size. */
export function useListPlace(): ListPlace {
  const scrollArea = useScrollArea();
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const [width, setWidth] = useState(() => (scrollArea?.clientWidth ?? window.innerWidth) - PAGE_PADDING);
  const [scale, setScale] = useState(textScale);
  const [isNear, setNear] = useState(false);
  useLayoutEffect(() => {
    const element = list.current;
    if (scrollArea === null || element === null) return;
    const measure = (): void => {
      const top = element.getBoundingClientRect().top - scrollArea.getBoundingClientRect().top + scrollArea.scrollTop;
      setMargin((before) => (Math.abs(before - top) < 1 ? before : top));
      setWidth(element.clientWidth);
      setScale(textScale());
    };
    measure();
    // The observer tells it only after the first frame.
    setNear(element.getBoundingClientRect().top < scrollArea.getBoundingClientRect().bottom + NEAR);
    const sizes = new ResizeObserver(measure);
    for (const child of scrollArea.children) sizes.observe(child);
    const nearness = new IntersectionObserver((entries) => setNear(entries.at(-1)!.isIntersecting), {
      root: scrollArea,
      rootMargin: `${NEAR}px 0px`,
    });
    nearness.observe(element);
    return () => {
      sizes.disconnect();
      nearness.disconnect();
    };
  }, [scrollArea]);
  return { list, scrollArea, margin, width, textScale: scale, isNear };
}

import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useScrollArea } from '../../components/browser/scroll-area.ts';
import { textScale } from '../../components/browser/small-screen.ts';

/** The width next to a list in px, until the list's own width is known. */
const PAGE_PADDING = 32;

/** The place of a virtualised list in its scroll area. Lengths are in px. */
export interface ListPlace {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly scrollArea: HTMLElement | null;
  /** The distance from the top of the scroll area's content to the list. */
  readonly margin: number;
  readonly width: number;
  /** The size of text, 1 if it is as usual. */
  readonly textScale: number;
}

/** Measures a list, and again whenever the content around it changes size. */
export function useListPlace(): ListPlace {
  const scrollArea = useScrollArea();
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const [width, setWidth] = useState(() => (scrollArea?.clientWidth ?? window.innerWidth) - PAGE_PADDING);
  const [scale, setScale] = useState(textScale);
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
    const observer = new ResizeObserver(measure);
    for (const child of scrollArea.children) observer.observe(child);
    return () => observer.disconnect();
  }, [scrollArea]);
  return { list, scrollArea, margin, width, textScale: scale };
}

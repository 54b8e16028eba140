import { createContext, type RefObject, useContext } from 'react';

export type ScrollArea = RefObject<HTMLElement | null>;

/** The element in which the page scrolls, for lists that draw only what is in view. */
export const ScrollContext = createContext<ScrollArea>({ current: null });

export const useScrollArea = (): ScrollArea => useContext(ScrollContext);

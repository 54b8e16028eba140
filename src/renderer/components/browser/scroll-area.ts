import { createContext, useContext } from 'react';

/** The element in which the page scrolls, for lists that draw only their visible rows; null before it is mounted. */
export const ScrollArea = createContext<HTMLElement | null>(null);

export const useScrollArea = (): HTMLElement | null => useContext(ScrollArea);

import { createContext, useContext } from 'react';

/** The element that scrolls the page, for lists that render only their visible rows; null before it is mounted. */
export const ScrollArea = createContext<HTMLElement | null>(null);

export const useScrollArea = (): HTMLElement | null => useContext(ScrollArea);

import { useMediaQuery } from '@mantine/hooks';

/** A window this narrow shows one thing at a time. The same width is in the styles. */
const SMALL = '(max-width: 767px)';

/** Returns whether the window is as small as a phone's. Then list and page are separate views, and tables are cards. */
export function useSmallScreen(): boolean {
  return useMediaQuery(SMALL, window.matchMedia(SMALL).matches, { getInitialValueInEffect: false });
}

/** The usual size of text, in px. */
export const USUAL_TEXT = 16;

/** Returns the size of text, 1 if it is as usual. Lengths in px that text must fit into are multiplied by it. */
export function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_TEXT;
}

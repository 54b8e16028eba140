import { useMediaQuery } from '@mantine/hooks';

/** A window this narrow shows one thing at a time. The same width is in the styles. */
const SMALL = '(max-width: 767px)';

/** Returns whether the window is as small as a phone's. Then list and page are separate views, and tables are cards. */
export function useSmallScreen(): boolean {
  return useMediaQuery(SMALL, window.matchMedia(SMALL).matches, { getInitialValueInEffect: false });
}

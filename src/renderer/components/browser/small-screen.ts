import { useMediaQuery } from '@mantine/hooks';

/** Below this a window has room for one thing at a time: the same number stands in the styles. */
const SMALL = '(max-width: 767px)';

/** Whether the window is that of a phone: list and page come one after the other, tables are cards. */
export function useSmallScreen(): boolean {
  return useMediaQuery(SMALL, window.matchMedia(SMALL).matches, { getInitialValueInEffect: false });
}

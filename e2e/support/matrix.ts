import { THOROUGH } from '../../test/support/thorough.ts';

/** Widths of a window in pixels: a phone and a desktop; the long run takes those between, too. */
export const WIDTHS: readonly number[] = THOROUGH > 1 ? [390, 768, 1024, 1440] : [390, 1440];

/** Light, and dark in the long run; `npm test` looks at each page in dark once (layout.spec.ts). */
export const SCHEMES: readonly ('light' | 'dark')[] = THOROUGH > 1 ? ['light', 'dark'] : ['light'];

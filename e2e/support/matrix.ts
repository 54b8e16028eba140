import { THOROUGH } from '../../test/support/thorough.ts';

/** Widths of a window in pixels: a phone and a desktop. The long run also includes those between. */
export const WIDTHS: readonly number[] = THOROUGH > 1 ? [390, 768, 1024, 1440] : [390, 1440];

/** Light; in the long run also dark. `npm test` checks each page in dark once (layout.spec.ts). */
export const SCHEMES: readonly ('light' | 'dark')[] = THOROUGH > 1 ? ['light', 'dark'] : ['light'];

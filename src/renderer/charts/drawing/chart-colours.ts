import type { AnyField } from '../../../shared/measures/derived.ts';

/** The colours of a colour scheme for a canvas, which can't use CSS. */
export interface ChartColours {
  readonly line: Readonly<Record<AnyField, string>>;
  readonly text: string;
  readonly grid: string;
  /** The colour of the lines and numbers of notes, and that of the digits on them. */
  readonly note: string;
  readonly onNote: string;
  /** The colour of the band of a right range. */
  readonly allowed: string;
}

/** Each line has a contrast of at least 3:1 on the surface of its scheme, each text 4.5:1. */
export const CHART_COLOURS: Readonly<Record<'light' | 'dark', ChartColours>> = {
  light: {
    line: {
      ph: '#7048e8',
      ec: '#b35c00',
      waterLevel: '#1971c2',
      tempWater: '#087f5b',
      tempAmbient: '#c92a2a',
      humidity: '#4f7d0c',
      vpd: '#9c36b5',
      vpdLeaf: '#0b7285',
      dewPoint: '#a61e4d',
    },
    text: '#565e66',
    grid: '#e3e7ea',
    note: '#343a40',
    onNote: '#ffffff',
    allowed: '#2b8a3e',
  },
  dark: {
    line: {
      ph: '#b197fc',
      ec: '#ffa94d',
      waterLevel: '#74c0fc',
      tempWater: '#63e6be',
      tempAmbient: '#ff8787',
      humidity: '#a9e34b',
      vpd: '#e599f7',
      vpdLeaf: '#66d9e8',
      dewPoint: '#faa2c1',
    },
    text: '#a3a9b0',
    grid: '#36393c',
    note: '#dee2e6',
    onNote: '#1a1b1e',
    allowed: '#69db7c',
  },
};

/** Returns a #rrggbb colour with an opacity from 0 to 1. */
export function withOpacity(colour: string, opacity: number): string {
  return `${colour}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`;
}

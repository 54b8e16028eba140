import type { LineStyle } from './lines-chart.ts';

/**
 * Each colour has a contrast of at least 3:1 on the surface of its scheme. The second half of the lines is dashed too,
 * for colour-blind people.
 */
const COLOURS: Readonly<Record<'light' | 'dark', readonly string[]>> = {
  light: ['#1971c2', '#c92a2a', '#2b8a3e', '#b35c00', '#7048e8', '#0b7285', '#a61e4d', '#4f7d0c'],
  dark: ['#74c0fc', '#ff8787', '#69db7c', '#ffa94d', '#b197fc', '#3bc9db', '#faa2c1', '#c0eb75'],
};

/** Returns the style of the line at a position in the list. */
export function lineStyle(scheme: 'light' | 'dark', place: number): LineStyle {
  const colours = COLOURS[scheme];
  return { colour: colours[place % colours.length]!, isDashed: place >= colours.length / 2 };
}

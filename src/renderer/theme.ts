import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorScheme,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';
import { keepInApp } from './api/keep-in-app.ts';

/** The only accent colour, a dark blue-green. */
const water: MantineColorsTuple = [
  '#e8f6f8',
  '#d3e9ed',
  '#a8d2da',
  '#79bac6',
  '#52a5b4',
  '#3798a9',
  '#2591a3',
  '#127d8f',
  '#006c7d',
  '#005867',
];

const ofThisOrigin = localStorageColorSchemeManager({ key: 'wellhouse.color-scheme' });

/** Keeps the colour scheme for this origin. In the desktop app, also for the app's other windows and menus. */
export const colorSchemeManager: MantineColorSchemeManager = {
  ...ofThisOrigin,
  set: (theme) => {
    ofThisOrigin.set(theme);
    keepInApp({ theme });
  },
};

/** Uses the colour scheme of the desktop app's settings. Call it before the first render. */
export function takeColorScheme(scheme: MantineColorScheme): void {
  ofThisOrigin.set(scheme);
}

export const theme = createTheme({
  primaryColor: 'water',
  colors: { water },
  // White text passes AA on both shades. (`autoContrast` looks at the light scheme's shade only.)
  primaryShade: { light: 8, dark: 7 },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '600' },
  components: {
    // Both are a <header>, and a page may have only one. The dialog is named by its title.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
  },
});

/** Mantine's dimmed and placeholder greys fail AA on a light background. These pass on all of our surfaces. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#565e66',
    '--mantine-color-placeholder': '#666e76',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a9b0',
    '--mantine-color-placeholder': '#959ba3',
    '--mantine-color-error': '#ff8787',
  },
});

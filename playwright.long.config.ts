import type { PlaywrightTestConfig } from '@playwright/test';
import base from './playwright.config.ts';

/** The long browser tests: npm run test:all. */
const config: PlaywrightTestConfig = {
  ...base,
  use: { ...base.use, contextOptions: { reducedMotion: 'no-preference' } },
  projects: [{ name: 'long', testMatch: '**/e2e/long/*.spec.ts' }],
};

export default config;

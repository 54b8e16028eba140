import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: 'test-results',
  reporter: 'list',
  workers: 2,
  projects: [
    { name: 'browser', testIgnore: '**/e2e/desktop/*.spec.ts' },
    // Each of its tests starts the app, and a browser of the app's own.
    { name: 'desktop', testMatch: '**/e2e/desktop/*.spec.ts', timeout: 60_000, expect: { timeout: 10_000 } },
  ],
  // A second try on a CI machine that is shared; the report still names the test as flaky.
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 30_000,
  expect: { timeout: 5000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    // Set by the global setup; a worker reads this file anew.
    launchOptions: { executablePath: process.env.WELLHOUSE_E2E_CHROMIUM ?? '/usr/bin/chromium' },
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // Away from UTC, so that a time that is not local shows, and without summer time.
    timezoneId: 'America/Sao_Paulo',
    colorScheme: 'light',
    actionTimeout: 5000,
    navigationTimeout: 10_000,
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});

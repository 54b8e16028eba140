import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { LEAN } from './e2e/support/find-chromium.ts';

export default defineConfig({
  testDir: 'e2e',
  // Node itself reads TypeScript: to translate each file first took ten seconds of processor time.
  build: { external: ['**/*.ts'] },
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: 'test-results',
  reporter: [['list'], ['./e2e/support/skip-reporter.ts'], ['./e2e/support/run-alone-reporter.ts']],
  // A page waits for some of its time: one more than there are cores.
  workers: Math.min(6, Math.max(3, availableParallelism() + 1)),
  projects: [
    { name: 'browser', testIgnore: ['**/e2e/desktop/*.spec.ts', '**/e2e/long/*.spec.ts'] },
    // Each of its tests starts the app, and a browser of the app's own.
    { name: 'desktop', testMatch: '**/e2e/desktop/*.spec.ts' },
  ],
  // Far more than a quiet machine needs: a test fails by what it sees, not by what else the machine does.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    launchOptions: {
      // Set by the global setup; a worker reads this file again.
      executablePath: process.env.WELLHOUSE_E2E_CHROMIUM ?? '/usr/bin/chromium',
      args: [...LEAN],
    },
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // Away from UTC, so that a time that is not local shows, and without summer time.
    timezoneId: 'America/Sao_Paulo',
    colorScheme: 'light',
    // Without transitions, the tests take a sixteenth less processor time. The long ones have them.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});

import { defineConfig } from 'vitest/config';
import RunAloneReporter from './test/support/run-alone-reporter.ts';
import base, { IN_ONE_PAGE } from './vitest.component.config.ts';

/** The long component tests: none of them needs a desktop app. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    reporters: ['default', new RunAloneReporter('--config vitest.component.long.config.ts')],
    include: ['component/long/**/*.test.tsx'],
    browser: { ...base.test?.browser, instances: [{ ...IN_ONE_PAGE, exclude: [] }] },
  },
});

import { defineConfig } from 'vitest/config';
import RunAloneReporter from './test/support/run-alone-reporter.ts';
import base from './vitest.config.ts';

/** The long tests of a node and its packages. */
export default defineConfig({
  test: {
    ...base.test,
    reporters: ['default', new RunAloneReporter('--config vitest.long.config.ts')],
    include: ['test/long/**/*.test.ts'],
    exclude: [],
  },
});

import { defineConfig } from 'vitest/config';

/**
 * The tests that mutation tests run (scripts/mutants.ts): those that import the code, as a node of a test runs it
 * without mutants.
 */
export default defineConfig({
  test: {
    // The tests of stores start database servers, which the other rooms do not need.
    include: ['src/**/*.test.ts', ...(process.env.MUTATED_ROOM === 'store' ? ['test/store/**/*.test.ts'] : [])],
    // Native modules crash in threads that come and go.
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The default second is too short beside another mutant.
    expect: { poll: { timeout: 10_000 } },
  },
});

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Most tests wait for a node of theirs: more of them at a time than there are cores.
    maxWorkers: Math.min(10, Math.max(4, 2 * availableParallelism())),
    // Far more than a quiet machine needs: a test fails by what it sees, not by what else the machine does.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // As for the browser tests: the reporter says which test needed a second try.
    retry: process.env.CI === undefined ? 0 : 1,
    // npm run coverage: what runs inside Vitest; not the nodes and pages that the tests start.
    coverage: { provider: 'v8', include: ['src/**/*.{ts,tsx}'], reporter: ['text-summary', 'html'] },
  },
});

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { COMPILED } from './test/support/isolated-home.ts';

// The threads of a node that runs in a test's process: without it each one strips the types of its modules again.
process.env.NODE_COMPILE_CACHE ??= COMPILED;

/** The first failed test ends a mutant: what detected the last mutant runs first, then the quickest files. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weight = (file: TestSpecification) => {
      const last = this.ctx.cache.getTestSpecificationResult(file);
      return last === undefined || last.failed ? 0 : last.duration;
    };
    return files.toSorted((a, b) => weight(a) - weight(b));
  }
}

/** The tests that judge the mutants of a room: scripts/mutants.ts names them. */
export default defineConfig({
  test: {
    include: process.env.MUTATION_TESTS?.split(' ') ?? [],
    // Native modules crash in threads that come and go.
    pool: 'forks',
    // To start a process for each file takes longer than most mutants do.
    isolate: false,
    sequence: { sequencer: QuickestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The default second is too short beside another mutant.
    expect: { poll: { timeout: 10_000 } },
  },
});

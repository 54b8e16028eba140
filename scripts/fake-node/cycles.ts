import type { Cycle } from '../../src/shared/owner-data/cycles.ts';
import { type Answers, FakeError, type OnFakeEvent } from './fake.ts';

/** Returns crop cycles in memory. */
export function cycleAnswers(onEvent: OnFakeEvent): Pick<Answers, 'cycles' | 'writeCycle' | 'deleteCycle'> {
  const cycles = new Map<string, Cycle>();
  return {
    cycles: () => ({ cycles: [...cycles.values()] }),
    writeCycle: (written) => {
      if (written.id !== null && !cycles.has(written.id)) throw new FakeError('not_found');
      const cycle = { ...written, id: written.id ?? crypto.randomUUID() };
      cycles.set(cycle.id, cycle);
      onEvent('choices', {});
      return cycle;
    },
    deleteCycle: ({ id }) => {
      if (!cycles.delete(id)) throw new FakeError('not_found');
      onEvent('choices', {});
      return {};
    },
  };
}

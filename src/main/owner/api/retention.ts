import type { Retention } from '../../care/retention/retention.ts';
import type { Handlers } from '../handlers.ts';

/** Answers the owner's calls about deleting and compacting. */
export function retentionHandlers(retention: Retention): Handlers<'setRetention' | 'careState' | 'compactStore'> {
  return {
    careState: () => retention.state,
    setRetention: async (rules) => {
      await retention.set(rules);
      return retention.state;
    },
    compactStore: ({ store }) => retention.compact(store),
  };
}

import type { RestoreHealth } from '../../shared/care/health.ts';
import type { NodeState } from '../../shared/node-state.ts';
import type { Answer } from '../../shared/owner-api/contract.ts';
import { HEALTH_LIMIT_MS, slow } from '../care/restore-health.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';

/** The part of the program around the node that is needed here. */
export interface StartedHost {
  readonly state: NodeState;
  call(method: 'overview' | 'ownerChoices', input: unknown): Promise<Answer<'overview' | 'ownerChoices'>>;
}

/**
 * Starts a node with other data than before, and says how it came up: it runs, and answers what its first page asks of both
 * stores. `onSlow` is told when that takes too long; the start goes on. Never rejects.
 */
export async function cameUp(
  host: StartedHost,
  begin: () => Promise<void>,
  onSlow: (health: RestoreHealth) => void,
): Promise<RestoreHealth> {
  const timer = setTimeout(() => onSlow(slow()), HEALTH_LIMIT_MS);
  try {
    await begin();
    const { state } = host;
    if (state.state === 'failed') return { state: 'failed', message: state.problem.message };
    for (const [method, input] of [
      ['overview', { dayStart: new Date(SYSTEM_CLOCK.now()).setHours(0, 0, 0, 0) }],
      ['ownerChoices', {}],
    ] as const) {
      const answer = await host.call(method, input);
      if (answer.ok) continue;
      return { state: 'failed', message: `it runs, but can’t read its stores (${answer.details ?? answer.error})` };
    }
    return { state: 'healthy', message: null };
  } catch (error) {
    return { state: 'failed', message: (error as Error).message };
  } finally {
    clearTimeout(timer);
  }
}

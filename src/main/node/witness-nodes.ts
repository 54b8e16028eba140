import type { Output } from '../../shared/owner-api/contract.ts';
import type { OtherNodes } from '../nodes/other-nodes.ts';
import type { WitnessNode } from '../proof/log-witnesses.ts';

/** Returns the other nodes that can cosign now: those that are connected with the role of owner. */
export function witnessNodes(others: Pick<OtherNodes, 'list' | 'call'>): WitnessNode[] {
  const able = others.list.filter(({ role, standing }) => role === 'owner' && standing.state === 'connected');
  return able.map(({ id }) => ({
    id,
    ask: async (input) => {
      const answer = await others.call(id, 'cosignCheckpoint', input);
      // The answer matches the method's schema. A version without the method answers with an error.
      return answer?.ok === true ? (answer.value as Output<'cosignCheckpoint'>) : null;
    },
  }));
}

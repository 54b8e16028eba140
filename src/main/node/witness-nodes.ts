import type { Output } from '../../shared/owner-api/contract.ts';
import type { OtherNodes } from '../nodes/other-nodes.ts';
import type { WitnessNode } from '../proof/log-witnesses.ts';

/** The other nodes that can cosign now: those that are connected, and where this node's owner is one too. */
export function witnessNodes(others: Pick<OtherNodes, 'list' | 'call'>): WitnessNode[] {
  const able = others.list.filter(({ role, standing }) => role === 'owner' && standing.state === 'connected');
  return able.map(({ id }) => ({
    id,
    ask: async (input) => {
      const answer = await others.call(id, 'cosignCheckpoint', input);
      // Its answer has passed the schema of the method. A version without it answers with an error.
      return answer?.ok === true ? (answer.value as Output<'cosignCheckpoint'>) : null;
    },
  }));
}

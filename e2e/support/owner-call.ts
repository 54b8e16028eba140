import type { Input, MethodName, Output } from '../../src/shared/owner-api/contract.ts';
import type { OwnerNode } from './owner-node.ts';

/** Calls the owner API as the page does. Throws unless it succeeds. */
export async function ownerCall<M extends MethodName>(node: OwnerNode, method: M, input: Input<M>): Promise<Output<M>> {
  const reply = await fetch(`${node.url('local')}/ui/api/${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${node.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method}: ${reply.status} ${text}`);
  return (JSON.parse(text) as { value: Output<M> }).value;
}

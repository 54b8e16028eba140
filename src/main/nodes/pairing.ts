import { z } from 'zod';
import { CHALLENGE_PATH } from '../../shared/auth-challenge.ts';
import type { PairRequest } from '../../shared/owner-api/door.ts';
import { ROLES } from '../../shared/owner-api/method.ts';
import { deviceId } from '../../shared/owner-data/values.ts';
import { PAIR_PATH } from '../../shared/pairing-link.ts';
import type { Door } from './door.ts';
import { NodeFault } from './fault.ts';

/** The public key that the node behind a door says is its own; nothing of this owner is told to it. Rejects with NodeFault. */
export async function nodeAt(door: Door): Promise<string> {
  const { status, json } = await door.get(CHALLENGE_PATH);
  const said = z.object({ node: deviceId }).safeParse(json);
  if (!said.success) throw new NodeFault(status === 429 ? 'slow_down' : 'not_a_door', `status ${status}`);
  return said.data.node;
}

const paired = z.object({
  ok: z.literal(true),
  value: z.object({ token: z.string().min(16).max(500), role: z.enum(ROLES), node: deviceId }),
});
export type Paired = z.infer<typeof paired>['value'];

/** Gives a code for a token of the node with this key. Rejects with NodeFault. */
export async function pairAt(door: Door, code: string, id: string): Promise<Paired> {
  const { status, json } = await door.post(PAIR_PATH, { code, as: 'app' } satisfies PairRequest, null);
  if (status === 429) throw new NodeFault('slow_down', 'too many tries');
  if (status === 400 || status === 401 || status === 403) throw new NodeFault('code', `status ${status}`);
  const answer = paired.safeParse(json);
  if (!answer.success) throw new NodeFault('not_a_door', `status ${status}`);
  if (answer.data.value.node !== id) throw new NodeFault('other_node', 'another key than before');
  return answer.data.value;
}

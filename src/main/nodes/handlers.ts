import { z } from 'zod';
import { CHALLENGE_PATH } from '../../shared/auth-challenge.ts';
import { displayText } from '../../shared/display-text.ts';
import type { Input, Output } from '../../shared/owner-api/contract.ts';
import type { PairRequest } from '../../shared/owner-api/door.ts';
import { MAX_NODE_NAME } from '../../shared/owner-api/limits.ts';
import { ROLES } from '../../shared/owner-api/method.ts';
import { type AddProblem, type NODES_METHODS, RELAYED } from '../../shared/owner-api/nodes.ts';
import { deviceId } from '../../shared/owner-data/values.ts';
import { PAIR_PATH, type PairingLink, readPairingLink } from '../../shared/pairing-link.ts';
import { OwnerError } from '../common/owner-error.ts';
import { DoorClient } from './door-client.ts';
import { type Fault, NodeFault } from './fault.ts';
import type { KnownNode } from './known-nodes.ts';
import { MAX_NODES, type OtherNodes } from './other-nodes.ts';
import { type Pin, pinAt } from './pinned.ts';

/**
 * Resolves with the public key that the node behind a door claims; reveals nothing about this owner to it. Rejects with
 * NodeFault.
 */
async function nodeAt(door: DoorClient): Promise<string> {
  const { status, json } = await door.get(CHALLENGE_PATH);
  const said = z.object({ node: deviceId }).safeParse(json);
  if (!said.success) throw new NodeFault(status === 429 ? 'slow_down' : 'not_a_door', `status ${status}`);
  return said.data.node;
}

const paired = z.object({
  ok: z.literal(true),
  value: z.object({ token: z.string().min(16).max(500), role: z.enum(ROLES), node: deviceId }),
});
type Paired = z.infer<typeof paired>['value'];

/** Exchanges a code for a token of the node with this key. Rejects with NodeFault. */
async function pairAt(door: DoorClient, code: string, id: string): Promise<Paired> {
  const { status, json } = await door.post(PAIR_PATH, { code, as: 'app' } satisfies PairRequest, null);
  if (status === 429) throw new NodeFault('slow_down', 'too many tries');
  if (status === 400 || status === 401 || status === 403) throw new NodeFault('code', `status ${status}`);
  const answer = paired.safeParse(json);
  if (!answer.success) throw new NodeFault('not_a_door', `status ${status}`);
  if (answer.data.value.node !== id) throw new NodeFault('other_node', 'another key than before');
  return answer.data.value;
}

type NodesMethod = keyof typeof NODES_METHODS;
/** Tells whether the caller is still authorized. */
interface Asker {
  readonly isValid: () => boolean;
}
/** The handlers of the owner's calls about other nodes. */
export type NodesHandlers = {
  readonly [M in NodesMethod]: (input: Input<M>, asker: Asker) => Output<M> | Promise<Output<M>>;
};

/** The problem that a fault means for the owner who adds a node. */
const PROBLEMS: Readonly<Record<Fault, AddProblem>> = {
  unreachable: 'unreachable',
  not_a_door: 'not_a_door',
  certificate: 'certificate',
  time: 'time',
  token: 'not_a_door',
  code: 'code',
  slow_down: 'slow_down',
  other_node: 'not_a_door',
  version: 'not_a_door',
};

/** Returns the handlers for the other nodes of the node with this public key; they also relay calls. */
export function nodesHandlers(others: OtherNodes, ownKey: () => string): NodesHandlers {
  const known = (id: string): void => {
    if (!others.has(id)) throw new OwnerError('not_found', 'no such node');
  };
  return {
    nodes: () => ({ nodes: others.list }),
    lookAtNode: async ({ link }) => {
      const read = readPairingLink(link);
      if (read === null) return { problem: 'link' };
      try {
        const id = await atDoor(read, nodeAt);
        if (id === ownKey()) return { problem: 'itself' };
        return { problem: null, id, url: read.origin, fingerprint: read.fingerprint };
      } catch (error) {
        return { problem: problemOf(error) };
      }
    },
    addNode: async ({ link, name, replace }, asker) => {
      const read = readPairingLink(link);
      if (read === null) return { problem: 'link' };
      try {
        const node = await atDoor(read, async (door, pin): Promise<KnownNode | AddProblem> => {
          // These checks come before the code is used up.
          const id = await nodeAt(door);
          if (id === ownKey()) return 'itself';
          if (others.has(id) && !replace) return 'known';
          if (!others.has(id) && others.list.length >= MAX_NODES) return 'full';
          refuseRevoked(asker);
          const { token, role } = await pairAt(door, read.code, id);
          const before = others.list.find((each) => each.id === id)?.name;
          const called = name ?? before ?? new URL(read.origin).hostname;
          return { id, name: called, url: read.origin, ...pin, token, role, addedAt: others.now() };
        });
        if (typeof node === 'string') return { problem: node };
        refuseRevoked(asker);
        await others.put(node);
        return { problem: null, node: others.list.find(({ id }) => id === node.id)! };
      } catch (error) {
        return { problem: problemOf(error) };
      }
    },
    renameNode: async ({ id, name }) => {
      known(id);
      await others.rename(id, displayText(name, MAX_NODE_NAME) || name);
      return {};
    },
    removeNode: async ({ id }) => {
      known(id);
      await others.remove(id);
      return {};
    },
    callNode: async ({ node, method, input }) => {
      const checked = RELAYED[method].input.safeParse(input);
      if (!checked.success) throw new OwnerError('invalid_input', `not an input of ${method}`);
      // A page may still show a node that was removed just now; its call is not a failure of this node.
      return (
        (await others.call(node, method, checked.data)) ?? { ok: false, error: 'not_found', details: 'no such node' }
      );
    },
  };
}

/** Throws OwnerError if the caller was revoked meanwhile: the other side determines how long the answer takes. */
function refuseRevoked({ isValid }: Asker): void {
  if (!isValid()) throw new OwnerError('unauthorized', '');
}

/**
 * Calls `speak` with the door of a link, once it has shown the certificate that the link names. Rejects with NodeFault.
 */
async function atDoor<T>(
  { origin, fingerprint }: PairingLink,
  speak: (door: DoorClient, pin: Pin) => Promise<T>,
): Promise<T> {
  const pin = await pinAt(new URL(origin), fingerprint);
  const door = new DoorClient(origin, pin);
  try {
    return await speak(door, pin);
  } finally {
    door.close();
  }
}

/** Returns the problem for a NodeFault; throws other errors, such as those of the disk. */
function problemOf(error: unknown): AddProblem {
  if (error instanceof NodeFault) return PROBLEMS[error.fault];
  throw error;
}

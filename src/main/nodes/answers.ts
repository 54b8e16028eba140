import { z } from 'zod';
import { displayText } from '../../shared/display-text.ts';
import { ERROR_CODES } from '../../shared/owner-api/contract.ts';
import { RELAYED, type RelayedMethod } from '../../shared/owner-api/nodes.ts';
import { deviceId } from '../../shared/owner-data/values.ts';
import type { DoorAnswer } from './door-client.ts';
import { NodeFault } from './fault.ts';
import { knownMembers } from './known-members.ts';

const MAX_VERSION = 40;
const MAX_PLACE = 100;

type Answered =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string; readonly details?: string };

/** The part of an answer's value that this version knows. */
export type Understood =
  | { readonly ok: true; readonly value: unknown }
  /** `place` is the first member that does not match. */
  | { readonly ok: false; readonly place: string };

/** Reads a door's answer. Throws NodeFault if it is not one. */
export function answeredBy({ status, json }: DoorAnswer): Answered {
  if (status === 401) throw new NodeFault('token', 'the token was refused');
  if (typeof json !== 'object' || json === null || !('ok' in json)) {
    throw new NodeFault(status >= 500 ? 'unreachable' : 'not_a_door', `status ${status}`);
  }
  if (json.ok === true && 'value' in json) return { ok: true, value: json.value };
  const { error, details } = json as { error?: unknown; details?: unknown };
  if (typeof error !== 'string') throw new NodeFault('not_a_door', `status ${status}`);
  const said = typeof details === 'string' ? { details: details.slice(0, 500) } : {};
  // The page has texts only for known codes.
  if (!ERROR_CODES.some((code) => code === error))
    return { ok: false, error: 'internal_error', details: error.slice(0, 50) };
  return { ok: false, error, ...said };
}

const schemas = new Map<RelayedMethod, z.ZodType>();

/** Checks another node's answer to a method; drops members that this version does not know. */
export function understand(method: RelayedMethod, value: unknown): Understood {
  // Created on demand: most nodes have no other nodes.
  const schema = schemas.get(method) ?? knownMembers(RELAYED[method].output as z.ZodType);
  schemas.set(method, schema);
  const { success, data, error } = schema.safeParse(value);
  if (success) return { ok: true, value: data };
  const path = error.issues[0]?.path.join('.') ?? '';
  return { ok: false, place: displayText(path, MAX_PLACE) || 'the whole answer' };
}

const identity = z.object({ publicKey: deviceId, version: z.string() });

/**
 * Returns the node's key and version from `nodeInfo`, regardless of other members. Throws NodeFault if they are
 * missing.
 */
export function identityIn(value: unknown): { readonly id: string; readonly version: string } {
  const said = identity.safeParse(value);
  if (!said.success) throw new NodeFault('not_a_door', 'has neither a key nor a version');
  return { id: said.data.publicKey, version: displayText(said.data.version, MAX_VERSION) };
}

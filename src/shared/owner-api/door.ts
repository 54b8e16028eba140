import { z } from 'zod';
import { deviceId, timeMs } from '../owner-data/values.ts';
import { MAX_PAIRING_NAME } from './limits.ts';
import { type Methods, ROLES } from './method.ts';
import { count, nothing } from './values.ts';

/** How many phones, people and apps may be paired with a node. */
export const MAX_PAIRINGS = 100;

const place = { address: z.string(), port: z.int() };
const hex32 = z.string().regex(/^[0-9a-f]{64}$/);

/** Where the door listens, or why it does not. */
export const doorStanding = z.discriminatedUnion('state', [
  /** The owner has chosen no address. */
  z.strictObject({ state: z.literal('off') }),
  /** `port` is the one that it has, also where the settings leave it to the system. */
  z.strictObject({ state: z.literal('listening'), ...place }),
  /** It is tried again every few seconds. */
  z.strictObject({
    state: z.literal('waiting'),
    ...place,
    /** `no_such_address`: this machine does not have it just now; `refused`: the system says no for another reason. */
    reason: z.enum(['no_such_address', 'taken', 'refused', 'certificate']),
    /** The system's message, or the problem of the certificate. */
    detail: z.string().nullable(),
  }),
]);
export type DoorStanding = z.infer<typeof doorStanding>;

const doorCertificate = z.strictObject({
  /** `own`: signed by the node's own authority; `files`: the owner's. */
  kind: z.enum(['own', 'files']),
  /** SHA-256 of the last certificate of the chain, in lowercase hex. */
  fingerprint: hex32,
  names: z.array(z.string()),
  validFrom: timeMs,
  validTo: timeMs,
  /**
   * The node's own authority. `isBounded`: it can sign for this node and home networks alone; older ones can sign for any
   * name. null: the certificate is from the owner's files.
   */
  authority: z.strictObject({ isBounded: z.boolean(), validTo: timeMs }).nullable(),
});

const devices = z.array(deviceId).min(1).max(1000).nullable();

/** Who was let in, and how. */
export const pairing = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  role: z.enum(ROLES),
  /** The devices that it sees; null: all. */
  devices: z.array(deviceId).nullable(),
  mayUnlock: z.boolean(),
  /** Whether this viewer may add entries to the log. An earlier version knows no such right. */
  mayLog: z.boolean().default(false),
  /** `key`: let in by the signature of an owner's key. */
  kind: z.enum(['browser', 'app', 'key']),
  /** That key; null for the other kinds. */
  ownerKey: hex32.nullable(),
  createdAt: timeMs,
  /** When it ends by itself; null: never. */
  endsAt: timeMs.nullable(),
  lastUsedAt: timeMs.nullable(),
  lastAddress: z.string().nullable(),
  /** Whether this very call came by it. */
  isThis: z.boolean(),
});
export type PairingView = z.infer<typeof pairing>;

/** The client to pair. */
const offered = z.strictObject({
  name: z.string().trim().min(1).max(MAX_PAIRING_NAME),
  role: z.enum(ROLES),
  /** The devices that a viewer sees; null: all. An owner sees all. */
  devices,
  /** Whether the sealed keystore may be opened there. For owners alone. */
  mayUnlock: z.boolean(),
  /** Whether a viewer may add entries to the log. An owner may in any case. */
  mayLog: z.boolean().default(false),
});

export const doorView = z.strictObject({
  door: doorStanding,
  certificate: doorCertificate.nullable(),
  /** Why the certificate that the settings name can't be used; null: it can. */
  certificateProblem: z.string().nullable(),
  /** This machine's addresses, where the door could listen; the likeliest first. */
  addresses: z.array(
    z.strictObject({ address: z.string(), interface: z.string(), scope: z.enum(['lan', 'internet']) }),
  ),
  pairings: z.array(pairing),
  /** The pairing that is open. `isShown`: `shownPairing` tells this caller its code. */
  open: z.strictObject({ ...offered.shape, leftMs: count, wrongTries: count, isShown: z.boolean() }).nullable(),
  /** Whether the latest code was closed because it was guessed at a hundred times. */
  wasGuessed: z.boolean(),
  /** Owner keys of the private store's devices, and whether a signature of theirs opens the door. */
  ownerKeys: z.array(z.strictObject({ key: hex32, name: z.string().nullable(), isAllowed: z.boolean() })),
});
export type DoorView = z.infer<typeof doorView>;

export const openedPairing = z.strictObject({
  /** Eight characters. */
  code: z.string(),
  leftMs: count,
  fingerprint: hex32,
  /** A link for each address at which the door can be reached, the likeliest first. As secret as the code. */
  links: z.array(z.strictObject({ address: z.string(), link: z.string() })).min(1),
});
export type OpenedPairing = z.infer<typeof openedPairing>;

export const DOOR_METHODS = {
  door: { role: 'owner', input: nothing, output: doorView },
  /**
   * Makes a code that pairs one phone, person or app, in place of one that is open. `conflict`: the door does not listen.
   * `forbidden`: the caller would give what it does not have, the right to open keys.
   */
  openPairing: {
    role: 'owner',
    input: offered
      .refine(({ role, devices: some }) => role === 'viewer' || some === null, { error: 'an owner sees all devices' })
      .refine(({ role, mayUnlock }) => role === 'owner' || !mayUnlock, { error: 'keys are for owners' })
      .refine(({ role, mayLog }) => role === 'viewer' || !mayLog, { error: 'an owner may log in any case' }),
    output: openedPairing,
  },
  /**
   * The code that is open, once more: for the machine itself, which may make any code, and for the pairing that made it.
   * null: none is open, or not for this caller.
   */
  shownPairing: { role: 'owner', input: nothing, output: openedPairing.nullable() },
  closePairing: { role: 'owner', input: nothing, output: doorView },
  /** Takes a pairing away at once, and closes its connections. */
  revokePairing: { role: 'owner', input: z.strictObject({ id: z.uuid() }), output: doorView },
  /** Which owners' keys open the door by a signature: all that are given, no others. */
  setDoorKeys: { role: 'owner', input: z.strictObject({ keys: z.array(hex32).max(20) }), output: doorView },
  /**
   * Makes another authority, and a certificate by it: phones have to be told to trust that, and other nodes to be added again.
   * `conflict`: the door shows no certificate of its own.
   */
  replaceAuthority: { role: 'owner', input: nothing, output: doorView },
  /** Ends the pairing that the call came by. */
  leave: { role: 'viewer', input: nothing, output: nothing },
} as const satisfies Methods;

/** The request for a token: a browser gets a cookie, an app its token in the answer. */
export interface PairRequest {
  readonly code: string;
  readonly as: 'browser' | 'app';
}

/** The answer of `ENDED_PATH`, as `value`. */
export interface PairingEnd {
  /** When the owner ended the pairing of this browser, Unix milliseconds; null: its token is none, or was never ended. */
  readonly endedAt: number | null;
}

/** The answer to a right code, as `value`. */
export interface PairAnswer {
  readonly name: string;
  readonly role: (typeof ROLES)[number];
  /** The node's public key in lowercase hex. */
  readonly node: string;
  readonly mayUnlock: boolean;
  /** The token to send as `Authorization: Bearer`; null for a browser. */
  readonly token: string | null;
}

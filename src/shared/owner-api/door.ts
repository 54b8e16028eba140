import { z } from 'zod';
import { deviceId, timeMs } from '../owner-data/values.ts';
import { MAX_PAIRING_NAME } from './limits.ts';
import { type Methods, ROLES } from './method.ts';
import { count, nothing } from './values.ts';

/** The most phones, people and apps that a node can be paired with. */
export const MAX_PAIRINGS = 100;

const place = { address: z.string(), port: z.int() };
const hex32 = z.string().regex(/^[0-9a-f]{64}$/);

/** The address of the door, or why it does not listen. */
export const doorStanding = z.discriminatedUnion('state', [
  /** The owner has chosen no address. */
  z.strictObject({ state: z.literal('off') }),
  /** `port` is the actual port, even if the settings leave the choice to the system. */
  z.strictObject({ state: z.literal('listening'), ...place }),
  /** The node retries every few seconds. */
  z.strictObject({
    state: z.literal('waiting'),
    ...place,
    /** `no_such_address`: this machine does not have the address now; `refused`: the system refuses for another reason. */
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
   * The node's own authority; null if the certificate is from the owner's files. `isBounded`: it can sign only for this node
   * and home networks. Authorities of older versions can sign for any name.
   */
  authority: z.strictObject({ isBounded: z.boolean(), validTo: timeMs }).nullable(),
});

const devices = z.array(deviceId).min(1).max(1000).nullable();

/** A paired phone, person or app. */
export const pairing = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  role: z.enum(ROLES),
  /** The devices that it sees; null for all. */
  devices: z.array(deviceId).nullable(),
  mayUnlock: z.boolean(),
  /** Whether this viewer may add entries to the log. An earlier version does not send this. */
  mayLog: z.boolean().default(false),
  /** `key`: admitted by the signature of an owner's key. */
  kind: z.enum(['browser', 'app', 'key']),
  /** The owner's key of the kind `key`; null for the other kinds. */
  ownerKey: hex32.nullable(),
  createdAt: timeMs,
  /** When it expires; null if never. */
  endsAt: timeMs.nullable(),
  lastUsedAt: timeMs.nullable(),
  lastAddress: z.string().nullable(),
  /** Whether the caller uses this pairing. */
  isThis: z.boolean(),
});
export type PairingView = z.infer<typeof pairing>;

/** The client to pair. */
const offered = z.strictObject({
  name: z.string().trim().min(1).max(MAX_PAIRING_NAME),
  role: z.enum(ROLES),
  /** The devices that a viewer sees; null for all. An owner sees all. */
  devices,
  /** Whether the client may read the encrypted keystore. Only for owners. */
  mayUnlock: z.boolean(),
  /** Whether a viewer may add entries to the log. An owner always may. */
  mayLog: z.boolean().default(false),
});

export const doorView = z.strictObject({
  door: doorStanding,
  certificate: doorCertificate.nullable(),
  /** Why the configured certificate can't be used; null if it can. */
  certificateProblem: z.string().nullable(),
  /** This machine's addresses, where the door could listen; the likeliest first. */
  addresses: z.array(
    z.strictObject({ address: z.string(), interface: z.string(), scope: z.enum(['lan', 'internet']) }),
  ),
  pairings: z.array(pairing),
  /** The open pairing. `isShown`: `shownPairing` returns its code to this caller. */
  open: z.strictObject({ ...offered.shape, leftMs: count, wrongTries: count, isShown: z.boolean() }).nullable(),
  /** Whether the latest code was closed after a hundred wrong tries. */
  wasGuessed: z.boolean(),
  /** Owner keys of the private store's devices, and whether their signatures open the door. */
  ownerKeys: z.array(z.strictObject({ key: hex32, name: z.string().nullable(), isAllowed: z.boolean() })),
});
export type DoorView = z.infer<typeof doorView>;

export const openedPairing = z.strictObject({
  /** Eight characters. */
  code: z.string(),
  leftMs: count,
  fingerprint: hex32,
  /** A link for each address of the door, the likeliest first. Links are as secret as the code. */
  links: z.array(z.strictObject({ address: z.string(), link: z.string() })).min(1),
});
export type OpenedPairing = z.infer<typeof openedPairing>;

export const DOOR_METHODS = {
  door: { role: 'owner', input: nothing, output: doorView },
  /**
   * Creates a code that pairs one phone, person or app. It replaces an open code. Errors: `conflict` if the door does not
   * listen; `forbidden` if the caller would grant the right to open keys without having it.
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
   * Returns the open code again to the machine itself and to the pairing that created it. null if no code is open, or if this
   * caller may not see it.
   */
  shownPairing: { role: 'owner', input: nothing, output: openedPairing.nullable() },
  closePairing: { role: 'owner', input: nothing, output: doorView },
  /** Revokes a pairing at once and closes its connections. */
  revokePairing: { role: 'owner', input: z.strictObject({ id: z.uuid() }), output: doorView },
  /** Replaces the list of owners' keys whose signatures open the door. */
  setDoorKeys: { role: 'owner', input: z.strictObject({ keys: z.array(hex32).max(20) }), output: doorView },
  /**
   * Creates a new authority and a certificate signed by it. Phones must be told to trust it, and other nodes must be added
   * again. Error: `conflict` if the door uses a certificate from files.
   */
  replaceAuthority: { role: 'owner', input: nothing, output: doorView },
  /** Ends the caller's own pairing. */
  leave: { role: 'viewer', input: nothing, output: nothing },
} as const satisfies Methods;

/** The request for a token. A browser gets a cookie, an app gets the token in the answer. */
export interface PairRequest {
  readonly code: string;
  readonly as: 'browser' | 'app';
}

/** The `value` in the answer of `ENDED_PATH`. */
export interface PairingEnd {
  /** When the owner revoked this browser's pairing, in Unix milliseconds; null if its token is unknown or was not revoked. */
  readonly endedAt: number | null;
}

/** The `value` in the answer to a right code. */
export interface PairAnswer {
  readonly name: string;
  readonly role: (typeof ROLES)[number];
  /** The node's public key in lowercase hex. */
  readonly node: string;
  readonly mayUnlock: boolean;
  /** The token to send as `Authorization: Bearer`; null for a browser. */
  readonly token: string | null;
}

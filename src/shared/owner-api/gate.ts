import { z } from 'zod';
import { deviceId, timeMs } from '../owner-data/values.ts';
import { BUDGETS } from './limits.ts';
import type { Methods } from './method.ts';
import { count, disposition, nothing, perField } from './values.ts';

const place = { address: z.string(), port: z.int() };

/** The address of the gate, or why it does not listen. */
export const gateStanding = z.discriminatedUnion('state', [
  /** The owner has chosen no address. */
  z.strictObject({ state: z.literal('off') }),
  /** `port` is the actual port, even if the settings leave the choice to the system. */
  z.strictObject({ state: z.literal('listening'), ...place }),
  /** The node retries every few seconds. */
  z.strictObject({
    state: z.literal('waiting'),
    ...place,
    /** `no_such_address`: this machine does not have the address now; `refused`: the system refuses for another reason. */
    reason: z.enum(['no_such_address', 'taken', 'refused']),
    /** The system's message. */
    detail: z.string().nullable(),
  }),
]);

/** Whether devices may join, and for how long. */
export const joiningState = z.strictObject({
  /** Milliseconds until joining closes; null if it is closed. */
  leftMs: count.nullable(),
  /** Whether it closes once a device has joined. */
  closesAfterOne: z.boolean(),
  /** Devices that joined since joining was last opened. */
  joined: z.array(deviceId),
});

/** A registration that arrived while joining was closed. Its contents are unproven. */
export const joinAttempt = z.strictObject({
  id: deviceId,
  /** Identifies its contents, as several registrations may have the same device id. */
  registration: z.string(),
  name: z.string(),
  mac: z.string(),
  ownerPubkey: z.string(),
  ownerName: z.string().nullable(),
  /** Whether a block with a valid signature arrived under its id. */
  isSigned: z.boolean(),
  /** The address of its sender. */
  address: z.string(),
  count,
  firstAt: timeMs,
  lastAt: timeMs,
});
export type JoinAttempt = z.infer<typeof joinAttempt>;

/** A registration that waits for a signed block or for the owner. Its contents are unproven. */
export const pendingRegistration = joinAttempt.extend({
  /**
   * `reading`: it waits for its first block with a valid signature. The others wait for the owner. `choice`: other
   * registrations have the same id. `keeping`: the device asks only to be published, so nothing would be kept here. `owner`:
   * joining was open for one device and another one joined, or the file of pending registrations was damaged.
   */
  waitsFor: z.enum(['reading', 'choice', 'keeping', 'owner']),
  /** When it expires. */
  endsAt: timeMs,
});
export type PendingRegistration = z.infer<typeof pendingRegistration>;

export const gateView = z.strictObject({
  gate: gateStanding,
  joining: joiningState,
  /** The latest last. */
  attempts: z.array(joinAttempt),
  /** The latest last. Those with the same id are adjacent. */
  pending: z.array(pendingRegistration),
  /** This machine's private addresses, where the gate could listen; the likeliest first. */
  addresses: z.array(z.strictObject({ address: z.string(), interface: z.string() })),
  /** The firewall that may keep devices from this machine; null if none is known. */
  firewall: z.enum(['windows', 'macos', 'ufw', 'firewalld']).nullable(),
  /** Earlier addresses of the gate since the start, the latest last: devices may still use them. */
  previous: z.array(z.string()),
  /** Devices that a budget refused within a day, the latest last. */
  overBudget: z.array(
    z.strictObject({ id: deviceId, budget: z.enum(BUDGETS), since: timeMs, lastAt: timeMs, refused: count }),
  ),
});
export type GateView = z.infer<typeof gateView>;

export const GATE_METHODS = {
  gate: { role: 'owner', input: nothing, output: gateView },
  /** Lets devices register through the gate for ten minutes. */
  openJoining: { role: 'owner', input: z.strictObject({ closesAfterOne: z.boolean() }), output: gateView },
  closeJoining: { role: 'owner', input: nothing, output: gateView },
  /**
   * Registers a device in the private store that knocks, that tried to register, or whose registration waits. Its own
   * registration is used except for the name. A field that is missing in `dispositions` is kept in plain.
   */
  adoptDevice: {
    role: 'owner',
    input: z.strictObject({
      id: deviceId,
      /** The registration to use; null if the device only knocked. */
      registration: z.string().nullable(),
      name: z.string().trim().min(1).max(100),
      dispositions: perField(disposition).partial(),
    }),
    output: nothing,
  },
  /** Removes a registration from the list. It is refused for a day, or until joining is opened again. */
  dismissRegistration: {
    role: 'owner',
    input: z.strictObject({ id: deviceId, registration: z.string() }),
    output: gateView,
  },
} as const satisfies Methods;

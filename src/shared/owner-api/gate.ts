import { z } from 'zod';
import { deviceId, timeMs } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, disposition, nothing, perField } from './values.ts';

const place = { address: z.string(), port: z.int() };

/** Where the gate listens, or why it does not. */
export const gateStanding = z.discriminatedUnion('state', [
  /** The owner has chosen no address. */
  z.strictObject({ state: z.literal('off') }),
  /** `port` is the one that it has, also where the settings leave it to the system. */
  z.strictObject({ state: z.literal('listening'), ...place }),
  /** It is tried again every few seconds. */
  z.strictObject({
    state: z.literal('waiting'),
    ...place,
    /** `no_such_address`: this machine does not have it just now; `refused`: the system says no for another reason. */
    reason: z.enum(['no_such_address', 'taken', 'refused']),
    /** The system's message. */
    detail: z.string().nullable(),
  }),
]);

/** Whether devices may join, and for how long. */
export const joiningState = z.strictObject({
  /** Milliseconds until joining closes by itself; null: it is closed. */
  leftMs: count.nullable(),
  /** Whether it closes once a device has joined. */
  closesAfterOne: z.boolean(),
  /** Devices that joined in the latest opening. */
  joined: z.array(deviceId),
});

/** A registration that came while joining was closed. Nothing of what it says is proven. */
export const joinAttempt = z.strictObject({
  id: deviceId,
  /** Names its contents: others may have come under the same id. */
  registration: z.string(),
  name: z.string(),
  mac: z.string(),
  ownerPubkey: z.string(),
  ownerName: z.string().nullable(),
  /** Whether a block with a valid signature came under its id. */
  isSigned: z.boolean(),
  /** The address that it came from. */
  address: z.string(),
  count,
  firstAt: timeMs,
  lastAt: timeMs,
});
export type JoinAttempt = z.infer<typeof joinAttempt>;

/** A registration that was let in, and joins with a signed block or by the owner. Nothing of what it says is proven. */
export const pendingRegistration = joinAttempt.extend({
  /**
   * `reading`: its first block with a valid signature. The others wait for the owner: `choice`, since others came under the
   * same id; `keeping`, since it asks to be published alone and nothing would be kept here; `owner`, since another device took
   * the one place, or the file that it was kept in was damaged.
   */
  waitsFor: z.enum(['reading', 'choice', 'keeping', 'owner']),
  /** When it is given up. */
  endsAt: timeMs,
});
export type PendingRegistration = z.infer<typeof pendingRegistration>;

/**
 * The reasons for refusing a device: `rate`, more than GATE_DEVICE_RATE at the gate; `disk`, far more than the others
 * while the disk has little room; `share`, the public store except for the part that is kept for the owner's devices;
 * `list`, a device more than the public store may have.
 */
export const BUDGETS = ['rate', 'disk', 'share', 'list'] as const;

export const gateView = z.strictObject({
  gate: gateStanding,
  joining: joiningState,
  /** The latest last. */
  attempts: z.array(joinAttempt),
  /** The latest last; those under one id stand together. */
  pending: z.array(pendingRegistration),
  /** This machine's private addresses, where the gate could listen; the likeliest first. */
  addresses: z.array(z.strictObject({ address: z.string(), interface: z.string() })),
  /** The firewall that may keep devices from this machine; null if none is known. */
  firewall: z.enum(['windows', 'macos', 'ufw', 'firewalld']).nullable(),
  /** Where devices were told that the gate is before it moved, the latest last; empty: it has not since the start. */
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
   * Registers a device that knocks, that tried to register, or whose registration waits, in the private store. What it said of itself when it tried
   * to register is taken over but for its name; a field that `dispositions` leaves out is kept in plain.
   */
  adoptDevice: {
    role: 'owner',
    input: z.strictObject({
      id: deviceId,
      /** The registration whose contents are taken over; null: none, the device only knocked. */
      registration: z.string().nullable(),
      name: z.string().trim().min(1).max(100),
      dispositions: perField(disposition).partial(),
    }),
    output: nothing,
  },
  /** Takes a registration off the list; it is turned away until joining is opened again, or for a day. */
  dismissRegistration: {
    role: 'owner',
    input: z.strictObject({ id: deviceId, registration: z.string() }),
    output: gateView,
  },
} as const satisfies Methods;

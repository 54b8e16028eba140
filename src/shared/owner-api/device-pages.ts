import { z } from 'zod';
import { deviceId } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

const serverEntry = z.strictObject({ name: z.string().max(300), url: z.string().max(300) });
/** One more than are read, since one is added. */
const serverList = z.array(serverEntry).max(33);
const serverLists = z.strictObject({ external: serverList, local: serverList });
const toldList = z.array(serverEntry.extend({ online: z.boolean().nullable() }));
const works = z.boolean().nullable();

/** A device's own status page: nothing of it is signed. */
export const deviceSays = z.strictObject({
  id: deviceId,
  mac: z.string(),
  /** Null: it says none that can be read, so none could be posted back. */
  name: z.string().nullable(),
  /** Posts in a row that were not confirmed. */
  failStreak: count.nullable(),
  /** Readings that wait to be sent. */
  bufferPending: count.nullable(),
  uptimeS: count.nullable(),
  /** Whether each sensor works; null: it does not say. */
  sensors: z.strictObject({ dht: works, tds: works, laser: works, battery: works }),
  battery: z.strictObject({ volts: z.number().nullable(), percent: z.number().nullable() }),
  external: toldList,
  local: toldList,
});
export type DeviceSays = z.infer<typeof deviceSays>;

const answered = z.strictObject({
  state: z.literal('answered'),
  /** Where it was asked, as `host` or `host:port`. */
  address: z.string(),
  says: deviceSays,
});
/**
 * `not_found`: no address is known, and its name on the network leads nowhere; `not_private`: an address that is none of
 * a private network; `no_answer`; `not_a_device`: something else answers; `other_device`: another id than was asked for.
 */
const failed = z.enum(['not_found', 'not_private', 'no_answer', 'not_a_device', 'other_device']);

export const askedDevice = z.discriminatedUnion('state', [
  answered,
  z.strictObject({ state: failed, address: z.string().nullable() }),
]);
export type AskedDevice = z.infer<typeof askedDevice>;
export type AnsweredDevice = Extract<AskedDevice, { state: 'answered' }>;

/** An address that the owner typed: IPv4 or IPv6, with a port or without. */
const typedAddress = z.string().trim().max(100);

export const DEVICE_PAGE_METHODS = {
  /** Asks the registered devices, by their names on the network, and those that tried to join, by their addresses. */
  findDevices: { role: 'owner', input: nothing, output: z.strictObject({ found: z.array(answered), asked: count }) },
  /** Asks one; without an address by its name on the network, without an id whichever is at the address. */
  askDevice: {
    role: 'owner',
    input: z
      .strictObject({ id: deviceId.nullable(), address: typedAddress.nullable() })
      .refine(({ id, address }) => id !== null || address !== null, { error: 'an id or an address' }),
    output: askedDevice,
  },
  /**
   * Adds the gate to the local servers of a device. `before` and `after` are what the owner saw: where the device has other
   * servers by now, or would get others, nothing is changed. `told`: the device says that it has them.
   * `unconfirmed`: it says nothing since.
   * `not_taken`: it answers, but has other servers than it was given, as a device does whose list is full.
   * `no_name`: what it says has no name that could be posted back, so nothing is changed.
   */
  pointDevice: {
    role: 'owner',
    input: z.strictObject({
      id: deviceId,
      address: typedAddress,
      before: serverLists,
      after: serverLists,
    }),
    output: z.strictObject({
      state: z.enum(['told', 'unconfirmed', 'not_taken', 'changed', 'no_name', ...failed.options]),
    }),
  },
} as const satisfies Methods;

import { z } from 'zod';
import { deviceId } from '../owner-data/values.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

const serverEntry = z.strictObject({ name: z.string().max(300), url: z.string().max(300) });
/** One entry longer than the list that is read, because the gate is added. */
const serverList = z.array(serverEntry).max(33);
const serverLists = z.strictObject({ external: serverList, local: serverList });
const toldList = z.array(serverEntry.extend({ online: z.boolean().nullable() }));
const works = z.boolean().nullable();

/** The content of a device's own status page. It is not signed. */
export const deviceSays = z.strictObject({
  id: deviceId,
  mac: z.string(),
  /** null if the page has no readable name, so the name could not be posted back. */
  name: z.string().nullable(),
  /** The number of consecutive posts that were not confirmed. */
  failStreak: count.nullable(),
  /** The number of readings that wait to be sent. */
  bufferPending: count.nullable(),
  uptimeS: count.nullable(),
  /** Whether each sensor works; null if the page does not say. */
  sensors: z.strictObject({ dht: works, tds: works, laser: works, battery: works }),
  battery: z.strictObject({ volts: z.number().nullable(), percent: z.number().nullable() }),
  external: toldList,
  local: toldList,
});
export type DeviceSays = z.infer<typeof deviceSays>;

const answered = z.strictObject({
  state: z.literal('answered'),
  /** The address of the page, as `host` or `host:port`. */
  address: z.string(),
  says: deviceSays,
});
/**
 * `not_found`: no address is known, and its name on the network does not resolve; `not_private`: the address is not in a
 * private network; `no_answer`; `not_a_device`: something else answers; `other_device`: the page has another id.
 */
const failed = z.enum(['not_found', 'not_private', 'no_answer', 'not_a_device', 'other_device']);

export const askedDevice = z.discriminatedUnion('state', [
  answered,
  z.strictObject({ state: failed, address: z.string().nullable() }),
]);
export type AskedDevice = z.infer<typeof askedDevice>;
export type AnsweredDevice = Extract<AskedDevice, { state: 'answered' }>;

/** An address that the owner typed: IPv4 or IPv6, with or without a port. */
const typedAddress = z.string().trim().max(100);

export const DEVICE_PAGE_METHODS = {
  /** Reads the pages of registered devices, by their network names, and of devices that tried to join, by their addresses. */
  findDevices: { role: 'owner', input: nothing, output: z.strictObject({ found: z.array(answered), asked: count }) },
  /** Reads the page of one device. Without an address its network name is used; without an id any device at the address counts. */
  askDevice: {
    role: 'owner',
    input: z
      .strictObject({ id: deviceId.nullable(), address: typedAddress.nullable() })
      .refine(({ id, address }) => id !== null || address !== null, { error: 'an id or an address' }),
    output: askedDevice,
  },
  /**
   * Adds the gate to the local servers of a device. `before` and `after` are the lists that the owner saw. If the device's
   * present or resulting list differs, nothing is changed and the state is `changed`. `told`: the device reports the new list.
   * `unconfirmed`: it has not answered since. `not_taken`: it reports another list, for example because its list is full.
   * `no_name`: its page has no readable name to post back, so nothing is changed.
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

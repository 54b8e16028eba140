import { z } from 'zod';
import { timeMs } from '../owner-data/values.ts';
import { bearerToken, password } from '../settings/kinds.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

/**
 * Why there is no connection to the broker. `name`: its name leads nowhere; `login`: it refuses user and password;
 * `certificate`: nobody who is trusted vouches for it; `certificate_name`: its certificate is for another name; `ca_file`: the
 * file with its authority can't be used.
 */
const brokerFault = z.enum([
  ...(['name', 'refused', 'timeout', 'login', 'certificate', 'certificate_name', 'tls', 'ca_file', 'other'] as const),
]);
export type BrokerFault = z.infer<typeof brokerFault>;

const brokerError = z.strictObject({
  fault: brokerFault,
  /** The words of whoever refused, in English. */
  detail: z.string(),
});

const secretState = z.strictObject({
  /** Where it comes from; null: it is not set. Itself it is never shown. */
  source: z.enum(['environment', 'page']).nullable(),
});

const connections = z.strictObject({
  mqtt: z.strictObject({
    state: z.enum(['off', 'connecting', 'connected', 'waiting']),
    /** Since when it is connected; null: it is not. */
    since: timeMs.nullable(),
    /** The latest, also where it is connected by now; null: there was none since the start, or the settings changed. */
    error: brokerError.extend({ at: timeMs }).nullable(),
    /** Messages that the broker confirmed since the node's start. */
    messages: count,
    /** Devices that are published. */
    devices: count,
  }),
  metrics: z.strictObject({
    state: z.enum(['off', 'listening', 'waiting']),
    /** Where it listens, or should; null: it is off. */
    url: z.string().nullable(),
    /** Why it does not listen. `token`: it is to be reached from elsewhere, and has none. */
    reason: z.enum(['no_such_address', 'taken', 'refused', 'token']).nullable(),
    detail: z.string().nullable(),
  }),
  mqttPassword: secretState,
  metricsToken: secretState,
});
export type Connections = z.infer<typeof connections>;

export const CONNECTION_METHODS = {
  connections: { role: 'owner', input: nothing, output: connections },
  /**
   * Replaces secrets, or removes them (null); what is not named stays. One of the environment wins over them. The password is
   * for the broker and the user of the settings as they are: where these change, it is not set. Without a broker: invalid_input.
   */
  setConnectionSecrets: {
    role: 'owner',
    input: z.strictObject({
      mqttPassword: password.schema.nullable().optional(),
      metricsToken: bearerToken.schema.nullable().optional(),
    }),
    output: connections,
  },
  /** Connects to the broker of the settings once more, sends a message and waits for it to come back. */
  testMqtt: { role: 'owner', input: nothing, output: z.strictObject({ failure: brokerError.nullable() }) },
} as const satisfies Methods;

import { z } from 'zod';
import { timeMs } from '../owner-data/values.ts';
import { bearerToken, password } from '../settings/kinds.ts';
import type { Methods } from './method.ts';
import { count, nothing } from './values.ts';

/**
 * Why there is no connection to the broker. `name`: its name does not resolve; `login`: it refuses user and password;
 * `certificate`: no trusted authority signed its certificate; `certificate_name`: its certificate is for another name;
 * `ca_file`: the file with its authority can't be used.
 */
const brokerFault = z.enum([
  ...(['name', 'refused', 'timeout', 'login', 'certificate', 'certificate_name', 'tls', 'ca_file', 'other'] as const),
]);
export type BrokerFault = z.infer<typeof brokerFault>;

const brokerError = z.strictObject({
  fault: brokerFault,
  /** The message of the broker or the system, in English. */
  detail: z.string(),
});

const secretState = z.strictObject({
  /** The source of the secret; null if it is not set. The secret itself is never returned. */
  source: z.enum(['environment', 'page']).nullable(),
});

const connections = z.strictObject({
  mqtt: z.strictObject({
    state: z.enum(['off', 'connecting', 'connected', 'waiting']),
    /** Since when it is connected; null if it is not. */
    since: timeMs.nullable(),
    /** The latest error, even if it is connected now; null if there was none since the start or since the settings changed. */
    error: brokerError.extend({ at: timeMs }).nullable(),
    /** The number of messages that the broker confirmed since the node started. */
    messages: count,
    /** The number of published devices. */
    devices: count,
  }),
  metrics: z.strictObject({
    state: z.enum(['off', 'listening', 'waiting']),
    /** The address where it listens, or should listen; null if it is off. */
    url: z.string().nullable(),
    /** Why it does not listen. `token`: other machines could reach it, but no token is set. */
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
   * Replaces secrets, or removes them (null). A missing one stays unchanged. A secret of the environment takes precedence. The
   * password belongs to the present broker and user: if these settings change, it no longer counts. Without a broker the call
   * fails with invalid_input.
   */
  setConnectionSecrets: {
    role: 'owner',
    input: z.strictObject({
      mqttPassword: password.schema.nullable().optional(),
      metricsToken: bearerToken.schema.nullable().optional(),
    }),
    output: connections,
  },
  /** Opens another connection to the configured broker, sends a message and waits until it comes back. */
  testMqtt: { role: 'owner', input: nothing, output: z.strictObject({ failure: brokerError.nullable() }) },
} as const satisfies Methods;

import type { MessageBus } from 'dbus-native';
import type { Environment } from '../../settings/settings.ts';

export type { MessageBus } from 'dbus-native';

/** The time that a bus or a program on it may take to answer. */
const ANSWER_WITHIN_MS = 5000;
const SYSTEM_BUS = 'unix:path=/run/dbus/system_bus_socket';

/** The two buses of a Linux desktop: the user's session bus and the machine's system bus. */
export type BusName = 'session' | 'system';

/** Connects to a D-Bus bus; null if none answers in time. The connection lasts as long as the process. */
export async function connectBus(name: BusName, env: Environment = process.env): Promise<MessageBus | null> {
  // The variable may have a list of addresses; the first that answers is used. The library itself stops at the first
  // failure.
  for (const address of addressOf(name, env)?.split(';').filter(Boolean) ?? []) {
    const bus = await connectAddress(address);
    if (bus !== null) return bus;
  }
  return null;
}

async function connectAddress(busAddress: string): Promise<MessageBus | null> {
  const { createClient } = await import('dbus-native');
  let bus: MessageBus | null = null;
  try {
    // The library's own deadline throws outside of any promise if the bus does not answer its first message.
    bus = createClient({ busAddress, authMethods: ['EXTERNAL'], timeout: 0 });
    // Pending calls get the error; without a listener it would end the process.
    bus.connection.on('error', () => {});
    await answered(bus.getId());
    return bus;
  } catch {
    // A bus that does not answer does not end the connection either.
    bus?.connection.stream.destroy();
    return null;
  }
}

/** Resolves or rejects like a call over a bus. Rejects if there is no answer in time. */
export async function answered<T>(call: PromiseLike<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('there was no answer in time')), ANSWER_WITHIN_MS).unref();
  try {
    return await Promise.race([call, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the addresses of a bus, by the D-Bus specification and systemd. */
function addressOf(name: BusName, env: Environment): string | null {
  if (name === 'system') return env.DBUS_SYSTEM_BUS_ADDRESS || SYSTEM_BUS;
  if (env.DBUS_SESSION_BUS_ADDRESS) return env.DBUS_SESSION_BUS_ADDRESS;
  return env.XDG_RUNTIME_DIR ? `unix:path=${env.XDG_RUNTIME_DIR}/bus` : null;
}

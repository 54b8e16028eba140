import type { MessageBus } from 'dbus-native';
import type { Environment } from '../../settings/settings.ts';

export type { MessageBus } from 'dbus-native';

/** How long a bus, and who answers on it, may take. */
const ANSWER_WITHIN_MS = 1500;
const SYSTEM_BUS = 'unix:path=/run/dbus/system_bus_socket';

/** The two buses of a Linux desktop: that of the user's session, and that of the machine. */
export type BusName = 'session' | 'system';

/** Connects to a bus of D-Bus; null where there is none that answers. The connection lasts as long as the process. */
export async function connectBus(name: BusName, env: Environment = process.env): Promise<MessageBus | null> {
  // A list, of which the first that answers counts; the library itself tries none after one that nobody listens on.
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
    bus = createClient({ busAddress, authMethods: ['EXTERNAL'], timeout: ANSWER_WITHIN_MS });
    // Whoever waits for an answer hears of it; without a listener it would end the process.
    bus.connection.on('error', () => {});
    await bus.getId();
    return bus;
  } catch {
    await bus?.close();
    return null;
  }
}

/** Where a bus listens, one address or several, as the D-Bus specification and systemd have it. */
function addressOf(name: BusName, env: Environment): string | null {
  if (name === 'system') return env.DBUS_SYSTEM_BUS_ADDRESS || SYSTEM_BUS;
  if (env.DBUS_SESSION_BUS_ADDRESS) return env.DBUS_SESSION_BUS_ADDRESS;
  return env.XDG_RUNTIME_DIR ? `unix:path=${env.XDG_RUNTIME_DIR}/bus` : null;
}

import type { Logger } from 'pino';
import type { Environment } from '../../settings/settings.ts';
import { answered, type BusName, connectBus, type MessageBus } from './bus.ts';

// Electron reports a locked screen only on macOS and Windows.

/**
 * The names under which the lock of the screen is reported on the session bus: KDE and others use the first, the rest
 * use their own.
 */
const SCREEN_SAVERS = ['freedesktop', 'gnome', 'cinnamon', 'mate', 'xfce'].map((name) => `org.${name}.ScreenSaver`);
const ACTIVE_CHANGED = 'ActiveChanged';

const LOGIND = 'org.freedesktop.login1';
const LOGIND_PATH = '/org/freedesktop/login1';
const LOGIND_SESSION = `${LOGIND}.Session`;
const LOCK = 'Lock';

/**
 * Watches both buses for a lock of the screen; logs if that is not possible. `session` is null if there is no session
 * bus.
 */
export function watchLinuxLocks(session: MessageBus | null, onLock: () => void, log: Logger): void {
  const watch = async (name: BusName, watching: Promise<void> | null) => {
    try {
      if (watching === null) log.info({ bus: name }, 'a locked screen can’t be detected on this bus');
      await watching;
    } catch (error) {
      log.warn({ bus: name, reason: (error as Error).message }, 'a locked screen can’t be detected on this bus');
    }
  };
  void watch('session', session && watchScreenSaver(session, onLock));
  void connectBus('system').then((system) => watch('system', system && watchLogind(system, onLock)));
}

/**
 * Calls `onLock` each time the session's screen saver locks the screen. Rejects if the bus refuses the subscription.
 */
export async function watchScreenSaver(bus: MessageBus, onLock: () => void): Promise<void> {
  bus.connection.on('message', ({ interface: from, member, body }) => {
    if (member === ACTIVE_CHANGED && SCREEN_SAVERS.includes(from ?? '') && body?.[0] === true) onLock();
  });
  await Promise.all(
    SCREEN_SAVERS.map((name) => answered(bus.watch(`type='signal',interface='${name}',member='${ACTIVE_CHANGED}'`))),
  );
}

/**
 * Calls `onLock` each time logind locks this session, as `loginctl lock-session` and a closed lid do. If the session is
 * not known, any session's lock counts. Rejects if the bus refuses the subscription.
 */
export async function watchLogind(bus: MessageBus, onLock: () => void, env: Environment = process.env): Promise<void> {
  const session = await sessionPath(bus, env);
  bus.connection.on('message', ({ interface: from, member, path }) => {
    if (from === LOGIND_SESSION && member === LOCK && (session === null || path === session)) onLock();
  });
  await answered(bus.watch(`type='signal',sender='${LOGIND}',interface='${LOGIND_SESSION}',member='${LOCK}'`));
}

async function sessionPath(bus: MessageBus, env: Environment): Promise<string | null> {
  try {
    const id = env.XDG_SESSION_ID || (await ownSessionId(bus));
    return await answered(
      bus.invoke<string>({
        destination: LOGIND,
        path: LOGIND_PATH,
        interface: `${LOGIND}.Manager`,
        member: 'GetSession',
        signature: 's',
        body: [id],
      }),
    );
  } catch {
    return null;
  }
}

/** Returns the session of this process, or that of its user's display. */
function ownSessionId(bus: MessageBus): Promise<string> {
  return answered(
    bus.invoke<string>({
      destination: LOGIND,
      path: `${LOGIND_PATH}/session/auto`,
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      signature: 'ss',
      body: [LOGIND_SESSION, 'Id'],
    }),
  );
}

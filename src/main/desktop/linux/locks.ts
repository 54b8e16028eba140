import type { Logger } from 'pino';
import type { Environment } from '../../settings/settings.ts';
import { type BusName, connectBus, type MessageBus } from './bus.ts';

// Electron tells of a locked screen on macOS and Windows alone.

/** Who says on the session's bus that the screen is locked: KDE and others by the first name, the rest by their own. */
const SCREEN_SAVERS = ['freedesktop', 'gnome', 'cinnamon', 'mate', 'xfce'].map((name) => `org.${name}.ScreenSaver`);
const ACTIVE_CHANGED = 'ActiveChanged';

const LOGIND = 'org.freedesktop.login1';
const LOGIND_PATH = '/org/freedesktop/login1';
const LOGIND_SESSION = `${LOGIND}.Session`;
const LOCK = 'Lock';

/** Watches both buses for a lock of the screen; the log tells where that can't be done. `session`: null where there is none. */
export function watchLinuxLocks(session: MessageBus | null, onLock: () => void, log: Logger): void {
  const watch = async (name: BusName, watching: Promise<void> | null) => {
    try {
      if (watching === null) log.info({ bus: name }, 'no bus to hear of a locked screen from');
      await watching;
    } catch (error) {
      log.warn({ bus: name, reason: (error as Error).message }, 'no bus to hear of a locked screen from');
    }
  };
  void watch('session', session && watchScreenSaver(session, onLock));
  void connectBus('system').then((system) => watch('system', system && watchLogind(system, onLock)));
}

/** Calls back each time that the session's screen saver locks the screen. Rejects where the bus can't be asked for it. */
export async function watchScreenSaver(bus: MessageBus, onLock: () => void): Promise<void> {
  bus.connection.on('message', ({ interface: from, member, body }) => {
    if (member === ACTIVE_CHANGED && SCREEN_SAVERS.includes(from ?? '') && body?.[0] === true) onLock();
  });
  await Promise.all(
    SCREEN_SAVERS.map((name) => bus.watch(`type='signal',interface='${name}',member='${ACTIVE_CHANGED}'`)),
  );
}

/**
 * Calls back each time that logind has this session locked, as `loginctl lock-session` and a closed lid do. Where the
 * session is not known, any session's lock counts. Rejects where the bus can't be asked for it.
 */
export async function watchLogind(bus: MessageBus, onLock: () => void, env: Environment = process.env): Promise<void> {
  const session = await sessionPath(bus, env);
  bus.connection.on('message', ({ interface: from, member, path }) => {
    if (from === LOGIND_SESSION && member === LOCK && (session === null || path === session)) onLock();
  });
  await bus.watch(`type='signal',sender='${LOGIND}',interface='${LOGIND_SESSION}',member='${LOCK}'`);
}

async function sessionPath(bus: MessageBus, env: Environment): Promise<string | null> {
  try {
    const id = env.XDG_SESSION_ID || (await ownSessionId(bus));
    return await bus.invoke<string>({
      destination: LOGIND,
      path: LOGIND_PATH,
      interface: `${LOGIND}.Manager`,
      member: 'GetSession',
      signature: 's',
      body: [id],
    });
  } catch {
    return null;
  }
}

/** The session that this process belongs to, or that its user's display does. */
function ownSessionId(bus: MessageBus): PromiseLike<string> {
  return bus.invoke<string>({
    destination: LOGIND,
    path: `${LOGIND_PATH}/session/auto`,
    interface: 'org.freedesktop.DBus.Properties',
    member: 'Get',
    signature: 'ss',
    body: [LOGIND_SESSION, 'Id'],
  });
}

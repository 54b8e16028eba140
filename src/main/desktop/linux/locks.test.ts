import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createBroker } from 'dbus-native';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectBus, type MessageBus } from './bus.ts';
import { watchLogind, watchScreenSaver } from './locks.ts';

const LOGIND = 'org.freedesktop.login1';
const SESSION = `${LOGIND}.Session`;
const OWN_PATH = '/org/freedesktop/login1/session/_32';
const OTHER_PATH = '/org/freedesktop/login1/session/_33';

const hasDaemon = spawnSync('dbus-daemon', ['--version']).status === 0;

/** A bus for tests: its address, and a function that ends it. */
interface TestBus {
  readonly address: string;
  readonly end: () => void;
}

/** Starts a bus with the D-Bus project's own daemon. */
async function startDaemon(): Promise<TestBus> {
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [address] = (await once(daemon.stdout.setEncoding('utf8'), 'data')) as [string];
  return { address: address.trim(), end: () => daemon.kill() };
}

/** Starts a bus with the library itself, which behaves like a daemon; the e2e tests use it, too. */
async function startBroker(): Promise<TestBus> {
  const broker = createBroker();
  const address = await new Promise<string>((resolve) => broker.listen((_error, where) => resolve(where)));
  return { address, end: () => broker.close() };
}

if (!hasDaemon) it.skip('over dbus-daemon: it is not here (apt-get install dbus-daemon)', () => {});

describe.each([
  ['dbus-daemon', startDaemon, hasDaemon],
  ['the stand-in for it', startBroker, true],
] as const)('over %s', (_name, start, isThere) => {
  describe.runIf(isThere && process.platform !== 'win32')('a lock of the screen', () => {
    let test: TestBus;
    const opened: MessageBus[] = [];
    const env = () => ({ DBUS_SESSION_BUS_ADDRESS: test.address, DBUS_SYSTEM_BUS_ADDRESS: test.address });
    const connect = async () => {
      const bus = (await connectBus('session', env()))!;
      opened.push(bus);
      return bus;
    };
    beforeAll(async () => {
      test = await start();
    });
    afterAll(async () => {
      for (const bus of opened) await bus.close();
      test.end();
    });

    /** Waits until a bus has delivered everything that was sent before. */
    const settled = async (...buses: MessageBus[]) => {
      for (const bus of buses) await bus.getId();
    };

    it('is reported on the first bus of a list that answers', async () => {
      const bus = await connectBus('session', { DBUS_SESSION_BUS_ADDRESS: `unix:path=/nowhere/bus;${test.address}` });
      expect(bus).not.toBeNull();
      opened.push(bus!);
    });

    it.each(['org.freedesktop.ScreenSaver', 'org.gnome.ScreenSaver', 'org.xfce.ScreenSaver'])(
      'is reported when %s begins, not when it ends',
      async (name) => {
        const [app, saver] = [await connect(), await connect()];
        let locks = 0;
        await watchScreenSaver(app, () => {
          locks += 1;
        });
        const path = `/${name.replaceAll('.', '/')}`;
        saver.sendSignal(path, name, 'ActiveChanged', 'b', [false]);
        saver.sendSignal(path, 'org.example.Other', 'ActiveChanged', 'b', [true]);
        await settled(saver, app);
        expect(locks).toBe(0);
        saver.sendSignal(path, name, 'ActiveChanged', 'b', [true]);
        await expect.poll(() => locks).toBe(1);
      },
    );

    it('is reported when logind locks this session, not another', async () => {
      const [app, logind] = [await connect(), await connect()];
      await logind.requestName(LOGIND, 0);
      logind.exportInterface(
        { GetSession: (id: string) => (id === '2' ? OWN_PATH : OTHER_PATH) },
        '/org/freedesktop/login1',
        {
          name: `${LOGIND}.Manager`,
          methods: { GetSession: ['s', 'o', ['id'], ['path']] },
        },
      );
      let locks = 0;
      const onLock = () => {
        locks += 1;
      };
      await watchLogind(app, onLock, { XDG_SESSION_ID: '2' });
      logind.sendSignal(OTHER_PATH, SESSION, 'Lock');
      logind.sendSignal(OWN_PATH, SESSION, 'Unlock');
      await settled(logind, app);
      expect(locks).toBe(0);
      logind.sendSignal(OWN_PATH, SESSION, 'Lock');
      await expect.poll(() => locks).toBe(1);
      // A signal from another sender does not count.
      (await connect()).sendSignal(OWN_PATH, SESSION, 'Lock');
      await settled(...opened);
      expect(locks).toBe(1);
      await logind.releaseName(LOGIND);
    });

    it('is reported for any session if logind does not name ours', async () => {
      const [app, logind] = [await connect(), await connect()];
      await logind.requestName(LOGIND, 0);
      let locks = 0;
      await watchLogind(
        app,
        () => {
          locks += 1;
        },
        {},
      );
      logind.sendSignal(OTHER_PATH, SESSION, 'Lock');
      await expect.poll(() => locks).toBe(1);
    });
  });
});

describe('connectBus', () => {
  it('returns null if no bus listens', async () => {
    expect(await connectBus('session', {})).toBeNull();
    for (const address of ['unix:path=/nowhere/bus', 'tcp:host=127.0.0.1,port=1', 'nonsense']) {
      expect(await connectBus('session', { DBUS_SESSION_BUS_ADDRESS: address })).toBeNull();
    }
    expect(await connectBus('session', { XDG_RUNTIME_DIR: '/nowhere' })).toBeNull();
    expect(await connectBus('system', { DBUS_SYSTEM_BUS_ADDRESS: 'unix:path=/nowhere' })).toBeNull();
  });
});

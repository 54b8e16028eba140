import { createBroker, createClient, type MessageBus } from 'dbus-native';

const SCREEN_SAVER = 'org.freedesktop.ScreenSaver';

/**
 * A separate D-Bus for the test, in place of the session's and the system's: the desktop of the user who runs the tests
 * must not receive the app's messages.
 */
export class PrivateBus {
  readonly address: string;
  readonly #desktop: MessageBus;
  readonly #close: () => void;

  private constructor(address: string, desktop: MessageBus, close: () => void) {
    this.address = address;
    this.#desktop = desktop;
    this.#close = close;
  }

  static async start(): Promise<PrivateBus> {
    const broker = createBroker();
    const address = await new Promise<string>((resolve, reject) => {
      broker.listen((error, where) => (error === null ? resolve(where) : reject(error)));
    });
    const desktop = createClient({ busAddress: address, authMethods: ['EXTERNAL'] });
    // A pending call reports a lost connection; without a listener the error would end the process.
    desktop.connection.on('error', () => {});
    await desktop.getId();
    return new PrivateBus(address, desktop, () => broker.close());
  }

  /** Starts a host for tray icons. */
  async showTray(): Promise<void> {
    await this.#desktop.requestName('org.kde.StatusNotifierWatcher', 0);
  }

  /** Announces that the screen is locked. */
  lockScreen(): void {
    this.#desktop.sendSignal('/org/freedesktop/ScreenSaver', SCREEN_SAVER, 'ActiveChanged', 'b', [true]);
  }

  async end(): Promise<void> {
    await this.#desktop.close();
    this.#close();
  }
}

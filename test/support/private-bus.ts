import { createBroker, createClient, type MessageBus } from 'dbus-native';

const SCREEN_SAVER = 'org.freedesktop.ScreenSaver';

/**
 * A D-Bus of the test's own, in place of the session's and the machine's: nothing that the app says there is heard by the
 * desktop of whoever runs the tests.
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
    // Whoever waits for an answer hears of a lost connection; without a listener it would end the process.
    desktop.connection.on('error', () => {});
    await desktop.getId();
    return new PrivateBus(address, desktop, () => broker.close());
  }

  /** Something shows tray icons from now on. */
  async showTray(): Promise<void> {
    await this.#desktop.requestName('org.kde.StatusNotifierWatcher', 0);
  }

  /** The screen is locked. */
  lockScreen(): void {
    this.#desktop.sendSignal('/org/freedesktop/ScreenSaver', SCREEN_SAVER, 'ActiveChanged', 'b', [true]);
  }

  async end(): Promise<void> {
    await this.#desktop.close();
    this.#close();
  }
}

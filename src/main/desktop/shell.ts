import { join } from 'node:path';
import { app, type IpcMainInvokeEvent, ipcMain, nativeTheme, session, shell } from 'electron';
import type { Logger } from 'pino';
import type { DesktopEvent, DesktopPayload, Wake } from '../../shared/desktop-api.ts';
import { CHANNELS } from '../../shared/desktop-channels.ts';
import type { EventPayload } from '../../shared/owner-api/events.ts';
import type { Overview } from '../../shared/owner-api/overview.ts';
import { chooseLanguage, type Language } from '../../shared/texts/languages.ts';
import { type DesktopTexts, textsFor } from '../common/texts.ts';
import { loadUiFiles, rendererDir } from '../owner/page/ui-files.ts';
import { guardedHandler, ownerOverIpc } from '../owner/transports/ipc.ts';
import { desktopCalls } from './calls.ts';
import type { Host } from './host.ts';
import { connectBus } from './linux/bus.ts';
import { watchLinuxLocks } from './linux/locks.ts';
import { KeyStorage } from './system/key-storage.ts';
import { watchPower } from './system/power.ts';
import type { Icons } from './tray/icons.ts';
import { setMenu } from './tray/menu.ts';
import { Notifications } from './tray/notifications.ts';
import { PublicSwitch } from './tray/public-switch.ts';
import { awaitTray, hasTray, TrayIcon } from './tray/tray.ts';
import { type AlertsView, NO_ALERTS, watchAlerts } from './tray/watch-alerts.ts';
import { watchOverview } from './tray/watch-node.ts';
import { askCloseBehaviour, openLink, showAbout } from './window/dialogs.ts';
import { serveScheme } from './window/scheme.ts';
import { isFromPage, secureSession } from './window/security.ts';
import { MainWindow } from './window/window.ts';

/** The time that a start at login waits for the tray before it shows the window. */
const TRAY_PATIENCE_MS = 10_000;

export interface ShellDependencies {
  readonly host: Host;
  readonly log: Logger;
  readonly logDir: string;
  /** The folder of the file with the window's position. */
  readonly folder: string;
  readonly icons: Icons;
}

/** The desktop app around a node: window, menu, tray, notifications, power. Created when the app is ready. */
export class Shell {
  readonly #dependencies: ShellDependencies;
  readonly #window: MainWindow;
  readonly #notifications: Notifications;
  readonly #keyStorage: KeyStorage;
  readonly #public: PublicSwitch;
  #tray: TrayIcon | null = null;
  #overview: Overview | null = null;
  #alerts = NO_ALERTS;
  #wake: Wake | null = null;
  #isQuitting = false;
  #stopLooking = () => {};

  constructor(dependencies: ShellDependencies) {
    this.#dependencies = dependencies;
    const { host, log, logDir, folder, icons } = dependencies;
    this.#public = new PublicSwitch({
      host,
      log,
      texts: () => this.texts,
      openSettings: () => this.#goTo('settings'),
    });
    this.#notifications = new Notifications({
      host,
      log,
      language: () => this.#language,
      open: (alert) => (alert === null ? this.#window.show() : this.#openAlert(alert)),
      hasChannel: () => this.#alerts.hasChannel,
    });
    this.#keyStorage = new KeyStorage(log);
    this.#window = new MainWindow({
      log,
      logDir,
      icon: icons.window,
      placeFile: join(folder, 'window.json'),
      texts: () => this.texts,
      onLink: (url) => void this.#openLink(url),
      mayClose: () => this.#mayClose(),
    });
  }

  get #language(): Language {
    return this.#dependencies.host.settings.now.language ?? chooseLanguage(app.getPreferredSystemLanguages());
  }

  get texts(): DesktopTexts {
    return textsFor(this.#language);
  }

  /** Opens the window, and then starts everything else. */
  async start({ hidden }: { readonly hidden: boolean }): Promise<void> {
    const { host } = this.#dependencies;
    secureSession(session.defaultSession);
    // Within a process nothing is gained by compressed files.
    serveScheme(loadUiFiles(rendererDir(), []));
    this.#handleCalls();
    this.#applySettings();
    if (!hidden) this.#window.open();
    host.onState((state) => {
      this.#send('nodeState', state);
      this.#window.send(CHANNELS.connection, state.state === 'running');
      this.#showTray();
    });
    host.settings.onChange(() => this.#applySettings());
    watchPower({ lockKeys: () => this.#lockKeys(), woke: (wake) => this.#woke(wake) });
    void this.#meetSession(hidden);
    const ends = [
      watchOverview(host, (overview) => this.#look(overview)),
      watchAlerts(host, (view) => this.#showAlerts(view)),
    ];
    this.#stopLooking = () => {
      for (const end of ends) end();
    };
    host.listen((event, payload) => {
      if (event === 'storageFault') this.#notifications.storeFailed();
      if (event === 'notice') void this.#notifications.tellOfAlert(payload as EventPayload<'notice'>);
    });
  }

  /** Waits for the tray, and on Linux watches for the locked screen. */
  async #meetSession(hidden: boolean): Promise<void> {
    const bus = process.platform === 'linux' ? await connectBus('session') : null;
    if (this.#isQuitting) return;
    if (process.platform === 'linux') watchLinuxLocks(bus, () => this.#lockKeys(), this.#dependencies.log);
    // A start at login shows no window, unless there is no tray to open it from.
    await awaitTray({
      ask: () => hasTray(bus),
      patienceMs: hidden ? TRAY_PATIENCE_MS : 0,
      onTray: () => {
        if (this.#isQuitting) return;
        this.#makeTray();
        this.#window.open({ hidden });
      },
      onNone: () => {
        if (!this.#isQuitting) this.#window.open();
      },
    });
  }

  /** Shows the window, after a second start, or a click on the dock or on a notification. */
  show(): void {
    this.#window.show();
  }

  /** Call this before the app quits: then the window may close. */
  quitting(): void {
    this.#isQuitting = true;
  }

  /** Call this when only the process is left. */
  destroy(): void {
    this.#stopLooking();
    this.#tray?.destroy();
  }

  #handleCalls(): void {
    const { host } = this.#dependencies;
    const isOurs = (event: IpcMainInvokeEvent) => isFromPage(event, this.#window.browserWindow?.webContents ?? null);
    const handle = guardedHandler<IpcMainInvokeEvent>(ipcMain, isOurs);
    ownerOverIpc(handle, host, (channel, ...values) => this.#window.send(channel, ...values));
    handle(CHANNELS.isConnected, () => host.state.state === 'running');
    handle(CHANNELS.osWrapAvailable, () => this.#keyStorage.available());
    handle(CHANNELS.osWrap, (dataKey) => this.#keyStorage.wrap(dataKey));
    handle(CHANNELS.osUnwrap, (wrapped) => this.#keyStorage.unwrap(wrapped));
    desktopCalls(handle, {
      desktopInfo: () => ({ hasTray: this.#tray !== null, dataDir: host.settings.now.dataDir }),
      nodeState: () => host.state,
      startNode: () => host.retry(),
      openLink: (url) => this.#openLink(url),
      showDataFolder: () => this.#showDataFolder(),
      lastWake: () => this.#wake,
      dismissWake: () => {
        this.#wake = null;
      },
    });
  }

  #send<E extends DesktopEvent>(event: E, payload: DesktopPayload<E>): void {
    this.#window.send(CHANNELS.desktopEvent, event, payload);
  }

  /** Locks the keys: the machine sleeps or its screen is locked, so nobody watches. */
  #lockKeys(): void {
    this.#send('lockKeys', { reason: 'suspend' });
  }

  #goTo(page: DesktopPayload<'goTo'>['page']): void {
    this.#window.show();
    this.#send('goTo', { page });
  }

  #applySettings(): void {
    this.#public.settingsChanged();
    nativeTheme.themeSource = THEME_SOURCES[this.#dependencies.host.settings.now.theme];
    setMenu(this.texts, {
      goTo: (page) => this.#goTo(page),
      lockKeys: () => this.#send('lockKeys', { reason: 'command' }),
      showDataFolder: () => this.#showDataFolder(),
      showAbout: () => void this.#showAbout(),
      reload: () => this.#window.reload(),
      quit: () => app.quit(),
    });
    this.#showTray();
  }

  #mayClose(): boolean {
    const { closeBehaviour } = this.#dependencies.host.settings.now;
    if (this.#isQuitting) return true;
    if (this.#tray === null || closeBehaviour === 'quit') {
      app.quit();
      // The window closes when the node has stopped, so that it shows the right state until then.
      return false;
    }
    if (closeBehaviour === 'tray') this.#window.hide();
    else void this.#askClose();
    return false;
  }

  async #askClose(): Promise<void> {
    const answer = await askCloseBehaviour(this.#window.browserWindow, this.texts);
    if (answer === null) return;
    await this.#dependencies.host.call('setSettings', { change: { closeBehaviour: answer } });
    if (answer === 'tray') this.#window.hide();
    else app.quit();
  }

  #makeTray(): void {
    this.#tray = new TrayIcon(this.#dependencies.icons, {
      open: () => this.#window.show(),
      openAlerts: () => this.#openAlert(null),
      setPublic: (isEnabled) => void this.#public.set(isEnabled).then(() => this.#showTray()),
      openSettings: () => this.#goTo('settings'),
      quit: () => app.quit(),
    });
    this.#showTray();
  }

  #showTray(): void {
    const { host } = this.#dependencies;
    const times = this.#overview?.devices.flatMap(({ lastReceivedAt }) => lastReceivedAt ?? []) ?? [];
    this.#tray?.show({
      language: this.#language,
      state: host.state.state,
      devices: this.#overview?.devices.filter(({ mine }) => mine).length ?? null,
      lastReadingAt: times.length === 0 ? null : Math.max(...times),
      firing: this.#alerts.firing,
      publicEndpoint: this.#public.item,
    });
  }

  #look(overview: Overview | null): void {
    this.#overview = overview;
    this.#showTray();
    if (overview !== null) this.#notifications.look(overview);
  }

  #showAlerts(view: AlertsView): void {
    this.#alerts = view;
    this.#showTray();
    // Windows does not support this badge.
    if (process.platform !== 'win32') app.setBadgeCount(view.firing);
  }

  /** Shows an alert in the window, or all alerts (null). */
  #openAlert(id: string | null): void {
    this.#window.show();
    this.#send('openAlert', { id });
  }

  #woke(wake: Wake): void {
    this.#wake = wake;
    this.#send('wake', wake);
  }

  async #openLink(url: string): Promise<boolean> {
    return openLink(url, this.#window.browserWindow, this.texts);
  }

  #showDataFolder(): void {
    void shell.openPath(this.#dependencies.host.settings.now.dataDir);
  }

  async #showAbout(): Promise<void> {
    const info = await this.#dependencies.host.call('nodeInfo', {});
    await showAbout(this.#window.browserWindow, this.texts, info.ok ? info.value.publicKey : null);
  }
}

const THEME_SOURCES = { auto: 'system', light: 'light', dark: 'dark' } as const;

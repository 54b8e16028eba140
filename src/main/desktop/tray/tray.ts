import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import type { NodeState } from '../../../shared/node-state.ts';
import { SETTINGS } from '../../../shared/settings/table.ts';
import type { Language } from '../../../shared/texts/languages.ts';
import { textsFor } from '../../common/texts.ts';
import { answered, type MessageBus } from '../linux/bus.ts';
import type { Icons } from './icons.ts';

/** The items that the tray shows. */
export interface TrayView {
  readonly language: Language;
  readonly state: NodeState['state'];
  /** null if it is not known. */
  readonly devices: number | null;
  /** Unix milliseconds; null if there is no reading. */
  readonly lastReadingAt: number | null;
  /** The number of firing alerts. */
  readonly firing: number;
  readonly publicEndpoint: PublicItem;
}

/**
 * The state of the public endpoint in the tray. `paused`: the tray turned it off, so the tray can turn it on again.
 * `off`: only the settings can turn it on, where the owner reads which data becomes reachable. `busy`: no node is
 * running. `pinned`: the environment determines it.
 */
export type PublicItem = 'on' | 'paused' | 'off' | 'busy' | 'pinned-on' | 'pinned-off';

export interface TrayActions {
  open(): void;
  openAlerts(): void;
  setPublic(isEnabled: boolean): void;
  /** Opens the settings, where the public endpoint is turned on for the first time. */
  openSettings(): void;
  quit(): void;
}

/** The files of the icon, without and with a badge. */
export type TrayIcons = Pick<Icons, 'tray' | 'trayAlert'>;

/** A new session starts its tray later than the programs in its autostart folder. */
const ASK_AGAIN_AFTER_MS = 2000;
const ASK_FOR_MS = 60_000;

/**
 * Returns whether there is a tray to hide to. Linux creates a tray icon even if nothing displays it, so there the
 * session bus is asked for a StatusNotifierWatcher. If it can't be asked, the answer is no: a window that hides without
 * a way back is worse than one that quits. `bus` is the session bus, null if there is none.
 */
export async function hasTray(bus: MessageBus | null, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  try {
    return bus !== null && (await answered(bus.nameHasOwner('org.kde.StatusNotifierWatcher')));
  } catch {
    return false;
  }
}

/**
 * Asks for a tray for up to a minute. Calls `onTray` once when there is one, and `onNone` if there is none after
 * `patienceMs`.
 */
export async function awaitTray({ ask, patienceMs, onTray, onNone }: AwaitTray): Promise<void> {
  const began = performance.now();
  let isPatient = true;
  for (;;) {
    if (await ask()) {
      onTray();
      return;
    }
    const waited = performance.now() - began;
    if (isPatient && waited >= patienceMs) {
      isPatient = false;
      onNone();
    }
    if (waited >= ASK_FOR_MS) return;
    // The timer must not keep the process alive.
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_AFTER_MS).unref());
  }
}

export interface AwaitTray {
  /** Resolves with whether there is a tray now. */
  readonly ask: () => Promise<boolean>;
  readonly patienceMs: number;
  readonly onTray: () => void;
  readonly onNone: () => void;
}

/** The icon in the tray: state, devices, last reading, and the few actions without the window. */
export class TrayIcon {
  readonly #tray: Tray;
  readonly #actions: TrayActions;
  readonly #icons: TrayIcons;
  #shown = '';
  #hasBadge = false;

  constructor(icons: TrayIcons, actions: TrayActions) {
    this.#actions = actions;
    this.#icons = icons;
    this.#tray = new Tray(nativeImage.createFromPath(icons.tray));
    // On macOS a click opens the menu, which has an item for the window.
    if (process.platform !== 'darwin') this.#tray.on('click', () => actions.open());
  }

  /** Rebuilds the menu only if its texts change: an open menu closes when it is replaced. */
  show(view: TrayView): void {
    const t = textsFor(view.language);
    const lines = linesOf(view);
    const firing = view.state === 'running' && view.firing > 0 ? t('tray.alerts', { count: view.firing }) : null;
    this.#setBadge(firing !== null);
    const shown = JSON.stringify([view.language, lines, firing, view.publicEndpoint]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const items: MenuItemConstructorOptions[] = [
      { id: 'open', label: t('tray.open'), click: () => this.#actions.open() },
      ...(firing === null ? [] : [{ id: 'alerts', label: firing, click: () => this.#actions.openAlerts() }]),
      { type: 'separator' },
      ...lines.map((label, index) => ({ id: `line-${index}`, label, enabled: false })),
      { type: 'separator' },
      this.#publicItem(view),
      { id: 'quit', label: t('tray.quit'), click: () => this.#actions.quit() },
    ];
    this.#tray.setContextMenu(Menu.buildFromTemplate(items));
    this.#tray.setToolTip(['Wellhouse', ...(firing === null ? [] : [firing]), ...lines].join('\n'));
  }

  #setBadge(hasBadge: boolean): void {
    if (hasBadge === this.#hasBadge) return;
    this.#hasBadge = hasBadge;
    this.#tray.setImage(nativeImage.createFromPath(hasBadge ? this.#icons.trayAlert : this.#icons.tray));
  }

  #publicItem({ language, publicEndpoint }: TrayView): MenuItemConstructorOptions {
    const t = textsFor(language);
    const item = (label: string, click: (() => void) | null): MenuItemConstructorOptions =>
      click === null ? { id: 'public', label, enabled: false } : { id: 'public', label, click };
    switch (publicEndpoint) {
      case 'on':
        return item(t('tray.pausePublic'), () => this.#actions.setPublic(false));
      case 'paused':
        return item(t('tray.resumePublic'), () => this.#actions.setPublic(true));
      case 'off':
        return item(t('tray.openPublic'), () => this.#actions.openSettings());
      case 'busy':
        return item(t('tray.pausePublic'), null);
      case 'pinned-on':
        return item(t('tray.pinnedOn', { variable: SETTINGS.publicEnabled.variable }), null);
      case 'pinned-off':
        return item(t('tray.pinnedOff', { variable: SETTINGS.publicEnabled.variable }), null);
    }
  }

  destroy(): void {
    this.#tray.destroy();
  }
}

/** Returns the lines with state, device count and last reading. */
function linesOf({ language, state, devices, lastReadingAt }: TrayView): string[] {
  const t = textsFor(language);
  const lines: string[] = [t(`tray.${state}`)];
  if (state !== 'running' || devices === null) return lines;
  lines.push(t('tray.devices', { count: devices }));
  lines.push(
    lastReadingAt === null ? t('tray.noReading') : t('tray.lastReading', { time: timeText(language, lastReadingAt) }),
  );
  return lines;
}

/** Returns a time to the minute, so that the menu is not rebuilt every second. */
export function timeText(language: Language, at: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

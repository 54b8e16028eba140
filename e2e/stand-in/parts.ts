import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { quit } from './app.ts';
import { offer } from './control.ts';
import { emitAs, strict } from './strict.ts';

// The parts of Electron in which the tests act as the operating system.

interface Item {
  readonly id?: string;
  readonly role?: string;
  readonly label?: string;
  readonly type?: string;
  readonly accelerator?: string;
  readonly enabled?: boolean;
  readonly visible?: boolean;
  readonly submenu?: readonly Item[];
  readonly click?: () => void;
}

interface BuiltMenu {
  readonly items: readonly Item[];
}

let applicationMenu: BuiltMenu | null = null;

export const Menu = strict('Menu', {
  buildFromTemplate: (items: readonly Item[]): BuiltMenu => ({ items }),
  setApplicationMenu(menu: BuiltMenu): void {
    applicationMenu = menu;
  },
});

/** Returns a menu in the form that a test sees. */
function seen(items: readonly Item[]): unknown[] {
  return items
    .filter(({ visible, type }) => visible !== false && type !== 'separator')
    .map(({ id, role, label, accelerator, enabled = true, submenu = [] }) => {
      return {
        id: id ?? null,
        role: role ?? null,
        label: label ?? null,
        accelerator: accelerator ?? null,
        enabled,
        items: seen(submenu),
      };
    });
}

function press(items: readonly Item[], id: string): boolean {
  return items.some((item) => {
    if (item.id === id && item.enabled !== false && item.visible !== false && item.click !== undefined) {
      item.click();
      return true;
    }
    return press(item.submenu ?? [], id);
  });
}

function pressIn(menu: BuiltMenu | null, id: string): void {
  if (menu === null || !press(menu.items, id)) throw new Error(`no such item can be pressed: ${id}`);
}

export const nativeImage = strict('NativeImage', {
  createFromPath(path: string): object {
    if (!existsSync(path)) throw new Error(`there is no icon at ${path}`);
    return { path };
  },
});

let tray: RealTray | null = null;
class RealTray extends EventEmitter {
  menu: BuiltMenu | null = null;
  toolTip = '';
  image: object;
  constructor(image: object) {
    super();
    this.image = image;
    tray = this;
  }
  setImage(image: object): void {
    this.image = image;
  }
  setContextMenu(menu: BuiltMenu): void {
    this.menu = menu;
  }
  setToolTip(text: string): void {
    this.toolTip = text;
  }
  destroy(): void {
    tray = null;
  }
}
export const Tray = new Proxy(RealTray, {
  construct: (target, [image]: [object]) => strict('Tray', new target(image)),
});

/**
 * As in Electron, the system keeps no reference to a notification: one that the app does not keep can be collected, and
 * then receives no click.
 */
const notifications: { readonly options: object; readonly held: WeakRef<RealNotification> }[] = [];
class RealNotification extends EventEmitter {
  static isSupported = (): boolean => true;
  readonly options: object;
  constructor(options: object) {
    super();
    this.options = options;
  }
  show(): void {
    notifications.push({ options: this.options, held: new WeakRef(this) });
    setImmediate(() => {
      if (NOTIFICATIONS_FAIL) emitAs('Notification', this, 'failed', {}, 'not allowed');
      else emitAs('Notification', this, 'show', {});
    });
  }
}
/** As on macOS, where an app without a signature may not show notifications. */
const NOTIFICATIONS_FAIL = process.env.STAND_IN_NOTIFICATIONS_FAIL !== undefined;
function clickOn(notification: RealNotification | undefined): boolean {
  return notification !== undefined && emitAs('Notification', notification, 'click', {});
}
export const Notification = new Proxy(RealNotification, {
  construct: (target, [options]: [object]) => strict('Notification', new target(options)),
});

const realMonitor = new EventEmitter();
export const powerMonitor = strict('PowerMonitor', realMonitor);

const realTheme = { themeSource: 'system', shouldUseDarkColors: false };
export const nativeTheme = strict('NativeTheme', realTheme);

const display = { workArea: { x: 0, y: 0, width: 1920, height: 1040 } };
export const screen = strict('Screen', {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
});

interface Asked {
  readonly options: object;
  readonly answer: (response: number) => void;
}
const asked: Asked[] = [];
const errorBoxes: object[] = [];
export const dialog = strict('Dialog', {
  showMessageBox(...values: [object] | [object, object]): Promise<{ response: number }> {
    const options = values[1] ?? values[0];
    return new Promise((resolve) => asked.push({ options, answer: (response) => resolve({ response }) }));
  },
  showErrorBox(title: string, content: string): void {
    errorBoxes.push({ title, content });
    process.stderr.write(`error box: ${title}: ${content}\n`);
  },
});

const opened: string[] = [];
export const shell = strict('Shell', {
  async openExternal(url: string): Promise<void> {
    opened.push(url);
  },
  async openPath(path: string): Promise<string> {
    opened.push(path);
    return '';
  },
});

let copied = '';
export const clipboard = strict('Clipboard', {
  writeText(text: string): void {
    copied = text;
  },
});

/**
 * A keyring that a test can remove or change. As in Electron, encrypted values start with the tag of the key. If no
 * keyring runs, Chromium encrypts nevertheless, with a key that everyone knows.
 */
const keyring = {
  backend: 'gnome_libsecret',
  isRunning: true,
  secret: 'first',
  /**
   * Whether there is a new key in addition to the one that decrypts: everything it decrypts should be encrypted again.
   */
  isRotated: false,
};
const PUBLIC_SECRET = 'peanuts';
export const safeStorage = strict('SafeStorage', {
  isAsyncEncryptionAvailable: async () => keyring.backend !== 'none',
  async encryptStringAsync(text: string): Promise<Buffer> {
    const isUsed = keyring.isRunning && keyring.backend !== 'basic_text';
    const [tag, secret] = isUsed ? ['v11', keyring.secret] : ['v10', PUBLIC_SECRET];
    return Buffer.from(`${tag}${JSON.stringify({ secret, text })}`);
  },
  async decryptStringAsync(sealed: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> {
    const tag = sealed.toString('latin1', 0, 3);
    const { secret, text } = JSON.parse(sealed.toString('utf8', 3)) as { secret: string; text: string };
    const key = tag === 'v10' ? PUBLIC_SECRET : keyring.isRunning ? keyring.secret : null;
    if (secret !== key) throw new Error('Error while decrypting the ciphertext');
    return { result: text, shouldReEncrypt: keyring.isRotated };
  },
});

offer('menu', () => seen(applicationMenu?.items ?? []));
offer('pressMenu', (id: string) => pressIn(applicationMenu, id));
offer('tray', () =>
  tray === null ? null : { toolTip: tray.toolTip, image: tray.image, items: seen(tray.menu?.items ?? []) },
);
offer('pressTray', (id: string) => pressIn(tray?.menu ?? null, id));
offer('clickTray', () => (tray === null ? false : emitAs('Tray', tray, 'click')));
offer('notifications', () => notifications.map(({ options }) => options));
/** Presses a button of a notification. */
offer('pressNotification', (index: number, actionIndex: number) => {
  const notification = notifications[index]!.held.deref();
  return {
    isHeard:
      notification !== undefined && emitAs('Notification', notification, 'action', { actionIndex, selectionIndex: -1 }),
  };
});
/** Clicks a notification. Returns whether it still existed to receive the click. */
offer('clickNotification', (index: number) => ({
  isHeard: clickOn(notifications[index]!.held.deref()),
}));
offer('collectGarbage', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // An object stays after its weak reference was read until the current task ends.
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
});
offer('power', (event: string) => emitAs('PowerMonitor', realMonitor, event));
/**
 * Shuts the machine down: the monitor announces it, then the app is asked to quit. Windows ends the app without either.
 * Returns whether the app prevented it.
 */
offer('shutDown', () => {
  if (process.platform === 'win32') {
    setImmediate(() => process.exit(0));
    return { isHeldUp: false };
  }
  emitAs('PowerMonitor', realMonitor, 'shutdown');
  return { isHeldUp: quit() };
});
/** Sleeps, and wakes after this many milliseconds of the clock. */
offer('sleep', (ms: number) => {
  emitAs('PowerMonitor', realMonitor, 'suspend');
  const now = Date.now;
  Date.now = () => now() + ms;
  emitAs('PowerMonitor', realMonitor, 'resume');
});
offer('theme', () => realTheme.themeSource);
offer('dialogs', () => asked.map(({ options }) => options));
offer('answer', (response: number) => asked.shift()!.answer(response));
offer('errorBoxes', () => errorBoxes);
offer('opened', () => opened);
offer('copied', () => copied);
offer('keyring', (change: Partial<typeof keyring>) => Object.assign(keyring, change));

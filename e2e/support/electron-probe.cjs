// Loaded into a real Electron's main process before the app (-r). It offers the tests the operations of the stand-in's
// channel, as far as that is possible from inside. It observes the objects that the app creates and answers its
// dialogs; it changes nothing else.
const electron = require('electron');

const {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  Menu,
  Notification,
  powerMonitor,
  nativeTheme,
  safeStorage,
  shell,
  Tray,
} = electron;

const seen = { tray: null, trayMenu: null, toolTip: '', notifications: [], asked: [], errorBoxes: [], opened: [] };

function watch(prototype, name, before) {
  const original = prototype[name];
  prototype[name] = function (...values) {
    before.call(this, ...values);
    return original.apply(this, values);
  };
}

watch(Tray.prototype, 'setContextMenu', function (menu) {
  seen.tray = this;
  seen.trayMenu = menu;
});
watch(Tray.prototype, 'setToolTip', (text) => {
  seen.toolTip = text;
});
watch(Tray.prototype, 'destroy', () => {
  seen.tray = null;
});
Notification.prototype.show = function () {
  seen.notifications.push(this);
};
dialog.showMessageBox = (...values) =>
  new Promise((resolve) => {
    const options = values.length === 1 ? values[0] : values[1];
    seen.asked.push({ options, answer: (response) => resolve({ response, checkboxChecked: false }) });
  });
dialog.showErrorBox = (title, content) => seen.errorBoxes.push({ title, content });
shell.openExternal = async (url) => {
  seen.opened.push(url);
};
shell.openPath = async (path) => {
  seen.opened.push(path);
  return '';
};

// A test must not set a login item for the user who runs it.
const loginItems = [];
app.setLoginItemSettings = (settings) => loginItems.push(settings);
app.getLoginItemSettings = () => ({ openAtLogin: loginItems.at(-1)?.openAtLogin ?? false });

function items(menu) {
  if (!menu) return [];
  return menu.items
    .filter(({ visible, type }) => visible && type !== 'separator')
    .map(({ id, role, label, accelerator, enabled, submenu }) => {
      const shown = { id: id ?? null, role: role ?? null, label: label ?? null, accelerator: accelerator ?? null };
      return { ...shown, enabled, items: items(submenu) };
    });
}

const window = () => BrowserWindow.getAllWindows()[0];

const operations = {
  quit: () => setImmediate(() => app.quit()),
  window: () => {
    const { webPreferences } = { webPreferences: window().webContents.getLastWebPreferences() };
    const shown = { isShown: window().isVisible(), isFront: window().isFocused(), isMaximized: window().isMaximized() };
    return { ...shown, bounds: window().getNormalBounds(), isOpen: true, count: 1, options: { webPreferences } };
  },
  closeWindow: () => setImmediate(() => window()?.close()),
  menu: () => items(Menu.getApplicationMenu()),
  pressMenu: (id) => Menu.getApplicationMenu().getMenuItemById(id).click(),
  tray: () => (seen.tray === null ? null : { toolTip: seen.toolTip, items: items(seen.trayMenu) }),
  pressTray: (id) => setImmediate(() => seen.trayMenu.getMenuItemById(id).click()),
  clickTray: () => seen.tray.emit('click'),
  notifications: () => seen.notifications.map(({ title, body }) => ({ title, body })),
  pressNotification: (index, actionIndex) => {
    const isHeard = seen.notifications[index].emit('action', { actionIndex, selectionIndex: -1 });
    return { isHeard };
  },
  clickNotification: (index) => seen.notifications[index].emit('click'),
  power: (event) => powerMonitor.emit(event),
  theme: () => nativeTheme.themeSource,
  dialogs: () => seen.asked.map(({ options }) => options),
  answer: (response) => setImmediate(seen.asked.shift().answer, response),
  errorBoxes: () => seen.errorBoxes,
  opened: () => seen.opened,
  copied: () => clipboard.readText(),
  keyStorage: () => safeStorage.getSelectedStorageBackend(),
};

globalThis.probe = (name, values) => {
  if (operations[name] === undefined) throw new Error(`a real Electron has no operation ${name}`);
  return operations[name](...values) ?? null;
};

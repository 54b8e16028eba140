import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { DesktopPayload } from '../../shared/desktop-api.ts';
import type { Texts } from './texts/texts.ts';

/** What the menu does. */
export interface MenuActions {
  goTo(page: DesktopPayload<'goTo'>['page']): void;
  lockKeys(): void;
  showDataFolder(): void;
  showAbout(): void;
  reload(): void;
  quit(): void;
}

/** Sets the application menu: the platform's roles with their own shortcuts, and our pages. */
export function setMenu({ menu: t }: Texts, actions: MenuActions, platform: NodeJS.Platform = process.platform): void {
  const isMac = platform === 'darwin';
  const about: MenuItemConstructorOptions = { id: 'about', label: t.about, click: () => actions.showAbout() };
  const settings: MenuItemConstructorOptions = {
    id: 'settings',
    label: t.settings,
    accelerator: 'CommandOrControl+,',
    click: () => actions.goTo('settings'),
  };
  const quit: MenuItemConstructorOptions = {
    id: 'quit',
    label: t.quit,
    accelerator: 'CommandOrControl+Q',
    click: () => actions.quit(),
  };
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const page = (name: 'overview' | 'connect' | 'keys', number: number): MenuItemConstructorOptions => ({
    id: name,
    label: t[name],
    accelerator: `CommandOrControl+${number}`,
    click: () => actions.goTo(name),
  });
  const front: MenuItemConstructorOptions = { role: 'front' };
  const help: MenuItemConstructorOptions = { id: 'help', label: t.help, role: 'help', submenu: [about] };
  const macMenu: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [about, separator, settings, separator, { role: 'services' }, separator, { role: 'hide' }, quit],
  };
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [macMenu] : []),
    {
      id: 'file',
      label: t.file,
      submenu: [
        { id: 'show-data-folder', label: t.showDataFolder, click: () => actions.showDataFolder() },
        { id: 'lock-keys', label: t.lockKeys, accelerator: 'CommandOrControl+L', click: () => actions.lockKeys() },
        separator,
        { role: 'close', label: t.close },
        ...(isMac ? [] : [settings, separator, quit]),
      ],
    },
    {
      id: 'edit',
      label: t.edit,
      submenu: [
        { role: 'undo', label: t.undo },
        { role: 'redo', label: t.redo },
        separator,
        { role: 'cut', label: t.cut },
        { role: 'copy', label: t.copy },
        { role: 'paste', label: t.paste },
        { role: 'selectAll', label: t.selectAll },
      ],
    },
    {
      id: 'view',
      label: t.view,
      submenu: [
        page('overview', 1),
        page('connect', 2),
        page('keys', 3),
        separator,
        { role: 'resetZoom', label: t.actualSize },
        { role: 'zoomIn', label: t.zoomIn },
        { role: 'zoomOut', label: t.zoomOut },
        separator,
        // The role would load whatever address the window shows.
        { id: 'reload', label: t.reload, accelerator: 'CommandOrControl+R', click: () => actions.reload() },
        { role: 'toggleDevTools', label: t.developerTools },
        { role: 'togglefullscreen', label: t.fullScreen },
      ],
    },
    {
      id: 'window',
      label: t.window,
      role: 'window',
      submenu: [{ role: 'minimize', label: t.minimize }, ...(isMac ? [front] : [])],
    },
    ...(isMac ? [] : [help]),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { DesktopPayload } from '../../../shared/desktop-api.ts';
import type { DesktopTexts } from '../../common/texts.ts';

export interface MenuActions {
  goTo(page: DesktopPayload<'goTo'>['page']): void;
  lockKeys(): void;
  showDataFolder(): void;
  showAbout(): void;
  reload(): void;
  quit(): void;
}

/** Sets the application menu: the platform's roles with their own shortcuts, and our pages. */
export function setMenu(t: DesktopTexts, actions: MenuActions, platform: NodeJS.Platform = process.platform): void {
  const isMac = platform === 'darwin';
  const about: MenuItemConstructorOptions = { id: 'about', label: t('menu.about'), click: () => actions.showAbout() };
  const settings: MenuItemConstructorOptions = {
    id: 'settings',
    label: t('menu.settings'),
    accelerator: 'CommandOrControl+,',
    click: () => actions.goTo('settings'),
  };
  const quit: MenuItemConstructorOptions = {
    id: 'quit',
    label: t('menu.quit'),
    accelerator: 'CommandOrControl+Q',
    click: () => actions.quit(),
  };
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const page = (name: 'overview' | 'connect' | 'keys', number: number): MenuItemConstructorOptions => ({
    id: name,
    label: t(`menu.${name}`),
    accelerator: `CommandOrControl+${number}`,
    click: () => actions.goTo(name),
  });
  const front: MenuItemConstructorOptions = { role: 'front' };
  const help: MenuItemConstructorOptions = { id: 'help', label: t('menu.help'), role: 'help', submenu: [about] };
  const macMenu: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [about, separator, settings, separator, { role: 'services' }, separator, { role: 'hide' }, quit],
  };
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [macMenu] : []),
    {
      id: 'file',
      label: t('menu.file'),
      submenu: [
        { id: 'show-data-folder', label: t('menu.showDataFolder'), click: () => actions.showDataFolder() },
        {
          id: 'lock-keys',
          label: t('menu.lockKeys'),
          accelerator: 'CommandOrControl+L',
          click: () => actions.lockKeys(),
        },
        separator,
        { role: 'close', label: t('menu.close') },
        ...(isMac ? [] : [settings, separator, quit]),
      ],
    },
    {
      id: 'edit',
      label: t('menu.edit'),
      submenu: [
        { role: 'undo', label: t('menu.undo') },
        { role: 'redo', label: t('menu.redo') },
        separator,
        { role: 'cut', label: t('menu.cut') },
        { role: 'copy', label: t('menu.copy') },
        { role: 'paste', label: t('menu.paste') },
        { role: 'selectAll', label: t('menu.selectAll') },
      ],
    },
    {
      id: 'view',
      label: t('menu.view'),
      submenu: [
        page('overview', 1),
        page('connect', 2),
        page('keys', 3),
        separator,
        { role: 'resetZoom', label: t('menu.actualSize') },
        { role: 'zoomIn', label: t('menu.zoomIn') },
        { role: 'zoomOut', label: t('menu.zoomOut') },
        separator,
        // The role would load any address that the window shows.
        { id: 'reload', label: t('menu.reload'), accelerator: 'CommandOrControl+R', click: () => actions.reload() },
        { role: 'toggleDevTools', label: t('menu.developerTools') },
        { role: 'togglefullscreen', label: t('menu.fullScreen') },
      ],
    },
    {
      id: 'window',
      label: t('menu.window'),
      role: 'window',
      submenu: [{ role: 'minimize', label: t('menu.minimize') }, ...(isMac ? [front] : [])],
    },
    ...(isMac ? [] : [help]),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

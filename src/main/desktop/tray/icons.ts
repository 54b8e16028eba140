import { join } from 'node:path';

/** The icons that the app itself shows, as files. */
export interface Icons {
  readonly tray: string;
  /** The same with a badge: an alert fires. */
  readonly trayAlert: string;
  /** The icon of the window; null if the system takes the program's icon. */
  readonly window: string | null;
}

/**
 * The icons of a system. On macOS the tray's is a template image, which the menu bar colours; the program has an icon of
 * its own there and on Windows.
 */
export function iconsIn(folder: string, platform: NodeJS.Platform = process.platform): Icons {
  return {
    tray: join(folder, 'tray', platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'),
    trayAlert: join(folder, 'tray', platform === 'darwin' ? 'trayAlertTemplate.png' : 'trayAlert.png'),
    window: platform === 'linux' ? join(folder, 'icons', '256x256.png') : null,
  };
}

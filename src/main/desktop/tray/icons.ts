import { join } from 'node:path';

/** The files of the app's icons. */
export interface Icons {
  readonly tray: string;
  /** The tray icon with a badge, for firing alerts. */
  readonly trayAlert: string;
  /** The icon of the window; null if the system takes the program's icon. */
  readonly window: string | null;
}

/**
 * Returns the icons of a system. On macOS the tray icon is a template image, which the menu bar colours. There and on
 * Windows the program has its own icon.
 */
export function iconsIn(folder: string, platform: NodeJS.Platform = process.platform): Icons {
  return {
    tray: join(folder, 'tray', platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'),
    trayAlert: join(folder, 'tray', platform === 'darwin' ? 'trayAlertTemplate.png' : 'trayAlert.png'),
    window: platform === 'linux' ? join(folder, 'icons', '256x256.png') : null,
  };
}

/**
 * The id by which Windows knows the installed app: the installer puts it on the shortcut, electron-builder.yml's
 * `appId`.
 */
export const APP_ID = 'app.wellhouse.desktop';

/** As much of Electron's `app` as this needs. */
export interface NamedApp {
  readonly isPackaged: boolean;
  setAppUserModelId(id: string): void;
}

/**
 * Tells Windows which shortcut this process belongs to: without it, notifications of the installed app are not shown. What
 * runs from a clone has no shortcut; Electron's advice is the program's own path.
 */
export function setUserModelId(app: NamedApp, platform = process.platform, program = process.execPath): void {
  if (platform === 'win32') app.setAppUserModelId(app.isPackaged ? APP_ID : program);
}

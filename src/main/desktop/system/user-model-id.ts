/**
 * The id of the installed app on Windows. The installer sets it on the shortcut; it is `appId` in electron-builder.yml.
 */
export const APP_ID = 'app.wellhouse.desktop';

/** The part of Electron's `app` that is used here. */
export interface NamedApp {
  readonly isPackaged: boolean;
  setAppUserModelId(id: string): void;
}

/**
 * Tells Windows the shortcut of this process; without it, notifications of the installed app are not shown. A clone has
 * no shortcut; then Electron recommends the program's path.
 */
export function setUserModelId(app: NamedApp, platform = process.platform, program = process.execPath): void {
  if (platform === 'win32') app.setAppUserModelId(app.isPackaged ? APP_ID : program);
}

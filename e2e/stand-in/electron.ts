// The module `electron` as the main bundle finds it under the stand-in: the calls that the app makes and no other. A name
// that is not exported fails when the bundle is linked, a member that is not there when it is used.
export { app } from './app.ts';
export {
  clipboard,
  dialog,
  Menu,
  Notification,
  nativeImage,
  nativeTheme,
  powerMonitor,
  safeStorage,
  screen,
  shell,
  Tray,
} from './parts.ts';
export { protocol, session } from './session.ts';
export { BrowserWindow, ipcMain } from './window.ts';

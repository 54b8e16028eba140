// The module `electron` of the main bundle under the stand-in, with only the calls that the app makes. A name that is
// not exported fails when the bundle is linked; a missing member fails when it is used.
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

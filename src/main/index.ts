import { join } from 'node:path';
import { app } from 'electron';
import { hasStuckThread } from './data-folder/move/move-thread.ts';
import { desktopFiles, desktopFolder } from './data-folder/own-files.ts';
import { failStart, logFaults } from './desktop/faults.ts';
import { Shell } from './desktop/shell.ts';
import { canStartAtLogin, isHiddenStart, renewStartAtLogin, setStartAtLogin } from './desktop/system/autostart.ts';
import { onShutdown } from './desktop/system/power.ts';
import { setUserModelId } from './desktop/system/user-model-id.ts';
import { iconsIn } from './desktop/tray/icons.ts';
import { registerScheme } from './desktop/window/scheme.ts';
import { createLog } from './log/log.ts';
import { RotatingLog, recentLog } from './log/rotating-log.ts';
import { NodeHost } from './node/node-host.ts';
import { type LogLevel, readLogLevel } from './settings/settings.ts';

// The entry point of the desktop app. It contains only the app's life cycle.

/** The size of the part of the log that diagnostics include. */
const RECENT_LOG_BYTES = 256 * 1024;

app.setName('Wellhouse');
setUserModelId(app);
const folder = desktopFolder(process.env, process.platform);
// This must precede the single-instance lock, which belongs to this folder.
app.setPath('userData', folder);
registerScheme();

// Not awaited: the app becomes ready only after this file has run to its end.
if (app.requestSingleInstanceLock()) void app.whenReady().then(run).catch(failStart);
else app.quit();

async function run(): Promise<void> {
  const logDir = join(folder, 'logs');
  const log = createLog(logLevel(), new RotatingLog(logDir));
  const host = new NodeHost({
    env: process.env,
    files: desktopFiles(folder),
    ownerView: 'desktop',
    log,
    recentLog: () => recentLog(logDir, RECENT_LOG_BYTES),
    lacks: canStartAtLogin() ? [] : ['startAtLogin'],
    applyOutside: async ({ startAtLogin }) => {
      if (startAtLogin !== undefined) setStartAtLogin(startAtLogin);
    },
  });
  const shell = new Shell({ host, log, logDir, folder, icons: iconsIn(join(import.meta.dirname, '../../resources')) });
  logFaults(log, () => shell.texts, logDir);

  app.on('second-instance', () => shell.show());
  if (process.platform === 'darwin') app.on('activate', () => shell.show());
  let isStopped = false;
  let isShuttingDown = false;
  onShutdown(() => {
    isShuttingDown = true;
  });
  app.on('before-quit', (event) => {
    shell.quitting();
    // On macOS, delaying a quit would cancel the shutdown. The stores are safe at any moment.
    if (isStopped || isShuttingDown) return;
    event.preventDefault();
    void host.stop().finally(() => {
      isStopped = true;
      app.quit();
    });
  });
  app.on('will-quit', () => shell.destroy());
  app.on('quit', () => {
    // A normal exit would wait for the thread. Everything is stopped and on disk.
    if (hasStuckThread()) process.kill(process.pid, 'SIGKILL');
  });

  // In parallel: the window appears while the stores still open.
  await Promise.all([host.start(), shell.start({ hidden: isHiddenStart() })]);
  renewStartAtLogin(log);
}

/** Returns the log level. The window reports an invalid one, like every other setting. */
function logLevel(): LogLevel {
  try {
    return readLogLevel(process.env);
  } catch {
    return 'info';
  }
}

import { join } from 'node:path';
import { app } from 'electron';
import { isHiddenStart, renewStartAtLogin, setStartAtLogin } from './desktop/autostart.ts';
import { failStart, logFaults } from './desktop/faults.ts';
import { iconsIn } from './desktop/icons.ts';
import { onShutdown } from './desktop/power.ts';
import { registerScheme } from './desktop/scheme.ts';
import { Shell } from './desktop/shell.ts';
import { checkForUpdates } from './desktop/updates.ts';
import { setUserModelId } from './desktop/user-model-id.ts';
import { desktopFolder, desktopHome } from './homes.ts';
import { createLog } from './log.ts';
import { hasStuckThread } from './move/move-thread.ts';
import { NodeHost } from './node-host.ts';
import { RotatingLog, recentLog } from './rotating-log.ts';
import { type LogLevel, readLogLevel } from './settings.ts';

// The desktop entry: the app's life cycle, nothing else.

/** As much of the log as a report of a fault takes along. */
const RECENT_LOG_BYTES = 256 * 1024;

app.setName('Wellhouse');
setUserModelId(app);
const folder = desktopFolder(process.env, process.platform);
// Before the lock for a single instance, which belongs to this folder.
app.setPath('userData', folder);
app.enableSandbox();
registerScheme();

// Not awaited: the app gets ready only when this file has been run to its end.
if (app.requestSingleInstanceLock()) void app.whenReady().then(run).catch(failStart);
else app.quit();

async function run(): Promise<void> {
  const logDir = join(folder, 'logs');
  const log = createLog(logLevel(), new RotatingLog(logDir));
  const host = new NodeHost({
    env: process.env,
    home: desktopHome(folder),
    ownerView: 'desktop',
    log,
    recentLog: () => recentLog(logDir, RECENT_LOG_BYTES),
    applyOutside: async ({ startAtLogin }) => {
      if (startAtLogin !== undefined) setStartAtLogin(startAtLogin);
    },
  });
  const shell = new Shell({ host, log, logDir, folder, icons: iconsIn(join(import.meta.dirname, '../../resources')) });
  logFaults(log, () => shell.texts, logDir);

  app.on('second-instance', () => shell.show());
  app.on('activate', () => shell.show());
  let isStopped = false;
  let isShuttingDown = false;
  onShutdown(() => {
    isShuttingDown = true;
  });
  app.on('before-quit', (event) => {
    shell.quitting();
    // Whoever holds up a quit on macOS calls the shutdown off. Stores are safe at any moment.
    if (isStopped || isShuttingDown) return;
    event.preventDefault();
    void host.stop().finally(() => {
      isStopped = true;
      app.quit();
    });
  });
  app.on('will-quit', () => shell.destroy());
  app.on('quit', () => {
    // Ending as usual would wait for the thread. Everything is stopped and on disk.
    if (hasStuckThread()) process.kill(process.pid, 'SIGKILL');
  });

  // Beside each other: the window is there while the stores still open.
  await Promise.all([host.start(), shell.start({ hidden: isHiddenStart() })]);
  renewStartAtLogin(host.settings.startAtLogin, log);
  void checkForUpdates(log);
}

/** A level that is none is told of by the window, like every other setting. */
function logLevel(): LogLevel {
  try {
    return readLogLevel(process.env);
  } catch {
    return 'info';
  }
}

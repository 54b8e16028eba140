import { app, dialog } from 'electron';
import type { Logger } from 'pino';
import type { DesktopTexts } from '../common/texts.ts';

/**
 * Sends errors that nothing caught to the log. An exception leaves the program in a state that nobody knows, so it ends,
 * and says so; stores are safe at any moment.
 */
export function logFaults(log: Logger, texts: () => DesktopTexts, logDir: string): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    const t = texts();
    dialog.showErrorBox(t('fault.title'), t('fault.detail', { folder: logDir }));
    app.exit(1);
  });
  process.on('unhandledRejection', (reason) => {
    log.error({ err: reason }, 'unhandled rejection');
  });
}

/** The app can't even open its window: an unusable folder of its own, or a build that lacks its page. */
export function failStart(error: unknown): void {
  dialog.showErrorBox('Wellhouse', error instanceof Error ? error.message : String(error));
  app.exit(1);
}

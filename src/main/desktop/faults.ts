import { app, dialog } from 'electron';
import type { Logger } from 'pino';
import type { DesktopTexts } from '../common/texts.ts';

/**
 * Logs uncaught errors. After an uncaught exception the program's state is unknown, so it shows a message and exits;
 * the stores are consistent at any time.
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

/**
 * Shows an error and exits if the app can't open its window: its own folder is unusable, or the build lacks the page.
 */
export function failStart(error: unknown): void {
  dialog.showErrorBox('Wellhouse', error instanceof Error ? error.message : String(error));
  app.exit(1);
}

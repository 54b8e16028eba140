import type { Logger } from 'pino';

/** Where releases are published; null until there is such a place: the app then asks nobody for anything. */
export const RELEASE_FEED: string | null = null;

/** Looks for a newer release and fetches it; it is installed when the app quits. Does nothing without a feed. */
export async function checkForUpdates(log: Logger, feed: string | null = RELEASE_FEED): Promise<void> {
  if (feed === null) return;
  const { default: updater } = await import('electron-updater');
  const { autoUpdater } = updater;
  autoUpdater.logger = null;
  autoUpdater.setFeedURL({ provider: 'generic', url: feed });
  try {
    await autoUpdater.checkForUpdatesAndNotify();
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'no update could be looked for');
  }
}

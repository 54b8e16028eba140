import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { type Deed, recordOnce } from '../audit/audit-log.ts';
import { Care, type StartNode } from '../care/care.ts';
import { type BackupHandlers, backupHandlers } from '../care/handlers.ts';
import { keptData, restoreNote } from '../care/restore/restore.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import type { OwnerHost } from '../owner/api/host.ts';
import { isPinned } from '../settings/settings.ts';

/** The part of the program around the node that the care of the data needs. */
export interface CaringHost extends OwnerHost {
  /** Tells the view that something of backups changed. */
  tellBackups(): void;
  /** Stops the node, and keeps it so until what this resolves with is called, which starts it again and says how it came up. */
  stopForRestore(): Promise<StartNode>;
}

/** Joins the care of the data with the program that holds the node. */
export function careOf(host: CaringHost, log: Logger): { readonly care: Care; readonly handlers: BackupHandlers } {
  const dataDir = () => resolve(host.settings.dataDir);
  const care = new Care({
    get dataDir() {
      return dataDir();
    },
    get settingsFile() {
      return host.settingsPath;
    },
    get settings() {
      return host.settings;
    },
    log,
    changed: () => host.tellBackups(),
    stopNode: () => host.stopForRestore(),
    record: (deed) => recordIn(host, log, deed),
  });
  const handlers = backupHandlers({
    care,
    dataDir,
    settings: () => host.settings,
    isPinned: (setting) => isPinned(host.env, setting),
    save: async (change) => {
      await host.file.save(change);
      host.tellBackups();
    },
  });
  return { care, handlers };
}

/** Adds to the audit log of the host's data folder, whether or not a node runs on it. Never rejects. */
export function recordIn(host: OwnerHost, log: Logger, deed: Deed): Promise<void> {
  return recordOnce({ path: resolve(host.settings.dataDir), log, now: () => SYSTEM_CLOCK.now() }, deed);
}

/** The hint beside a start that failed on restored data; null if none was restored, or no earlier data is kept. */
export function undoHintOf(dataDir: string): string | null {
  const note = restoreNote(dataDir);
  const kept = note === null ? null : keptData(dataDir);
  if (note === null || kept === null) return null;
  return `the data was restored from a backup of ${note.madeAt}: "wellhouse restore --undo" puts back the earlier data, from ${kept.path}`;
}

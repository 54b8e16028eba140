import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { RestoreHealth } from '../../shared/care/health.ts';
import type { NodeState } from '../../shared/node-state.ts';
import type { Answer } from '../../shared/owner-api/contract.ts';
import { type Deed, recordOnce } from '../audit/audit-log.ts';
import { Care, type CareHost } from '../care/care.ts';
import { type BackupHandlers, backupHandlers } from '../care/handlers.ts';
import { keptData, restoreNote } from '../care/restore/restore.ts';
import { HEALTH_LIMIT_MS, slow } from '../care/restore-health.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import type { OwnerHost } from '../owner/api/host.ts';
import { isPinned } from '../settings/settings.ts';

/** The parts of the program around the node that the care of the data needs. */
export interface CaringHost extends OwnerHost {
  /** Notifies the view that the state of backups changed. */
  tellBackups(): void;
  /** See CareHost. */
  whileStopped: CareHost['whileStopped'];
}

/** Connects the care of the data with the program that runs the node. */
export function careOf(host: CaringHost, log: Logger): { readonly care: Care; readonly handlers: BackupHandlers } {
  const dataDir = () => resolve(host.settings.now.dataDir);
  const care = new Care({
    get dataDir() {
      return dataDir();
    },
    get settingsFile() {
      return host.settings.path;
    },
    get settings() {
      return host.settings.now;
    },
    log,
    changed: () => host.tellBackups(),
    whileStopped: (change, onSlow) => host.whileStopped(change, onSlow),
    record: (deed) => recordIn(host, log, deed),
  });
  const handlers = backupHandlers({
    care,
    dataDir,
    settings: () => host.settings.now,
    isPinned: (setting) => isPinned(host.settings.env, setting),
    save: async (change) => {
      await host.settings.file.save(change);
      host.tellBackups();
    },
  });
  return { care, handlers };
}

/** Adds an entry to the audit log of the host's data folder, also without a running node. Never rejects. */
export function recordIn(host: OwnerHost, log: Logger, deed: Deed): Promise<void> {
  return recordOnce({ path: resolve(host.settings.now.dataDir), log, now: () => SYSTEM_CLOCK.now() }, deed);
}

/**
 * Returns a hint for a start that failed on restored data; null if nothing was restored, or if no earlier data is kept.
 */
export function undoHintOf(dataDir: string): string | null {
  const note = restoreNote(dataDir);
  const kept = note === null ? null : keptData(dataDir);
  if (note === null || kept === null) return null;
  return `the data was restored from a backup of ${note.madeAt}: "wellhouse restore --undo" puts back the earlier data, from ${kept.path}`;
}

/** A program that started its node. */
export interface StartedHost {
  readonly state: NodeState;
  call(method: 'overview' | 'ownerChoices', input: unknown): Promise<Answer<'overview' | 'ownerChoices'>>;
}

/**
 * Starts a node with new data and resolves with its health: it is healthy if it runs and answers the first page's
 * queries of both stores. `onSlow` is called if that takes too long; the start continues. Never rejects.
 */
export async function cameUp(
  host: StartedHost,
  begin: () => Promise<void>,
  onSlow: (health: RestoreHealth) => void,
): Promise<RestoreHealth> {
  const timer = setTimeout(() => onSlow(slow()), HEALTH_LIMIT_MS);
  try {
    await begin();
    const { state } = host;
    if (state.state === 'failed') return { state: 'failed', message: state.problem.message };
    for (const [method, input] of [
      ['overview', { dayStart: new Date(SYSTEM_CLOCK.now()).setHours(0, 0, 0, 0) }],
      ['ownerChoices', {}],
    ] as const) {
      const answer = await host.call(method, input);
      if (answer.ok) continue;
      return { state: 'failed', message: `it runs, but can’t read its stores (${answer.details ?? answer.error})` };
    }
    return { state: 'healthy', message: null };
  } catch (error) {
    return { state: 'failed', message: (error as Error).message };
  } finally {
    clearTimeout(timer);
  }
}

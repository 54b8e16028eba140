import { pino } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import { findingsOf } from './log-findings.ts';
import { LOG_HEADS_FILE } from './log-heads.ts';
import { witnessedOf } from './log-witnesses.ts';
import { refusedLogs } from './witness.ts';

/** A log that does not continue what was signed of it. */
export interface BrokenLog {
  /** The store; null if the log is one of another node, which this node witnesses. */
  readonly store: StoreName | null;
  readonly since: number;
}

/** The broken logs by what is written in a data folder: known also before the parts of the node have started. */
export function brokenLogs(dataDir: string): BrokenLog[] {
  const heads = openStateFile(LOG_HEADS_FILE, { path: dataDir, log: pino({ level: 'silent' }), now: () => 0 }).peek();
  const stores = ['private', 'public'] as const;
  const times: readonly (readonly [StoreName | null, number | null | undefined])[] = [
    ...stores.map((store) => [store, heads?.[store]?.brokenSince] as const),
    ...stores.flatMap((store) => witnessedOf(dataDir, store).map(({ refusedAt }) => [store, refusedAt] as const)),
    ...findingsOf(dataDir).map(({ store, at }) => [store, at] as const),
    ...refusedLogs(dataDir).map(({ refusedAt }) => [null, refusedAt] as const),
  ];
  return times.flatMap(([store, since]) => (since == null ? [] : [{ store, since }]));
}

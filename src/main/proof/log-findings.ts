import { pino } from 'pino';
import { z } from 'zod';
import { storeName, timeMs } from '../../shared/owner-data/values.ts';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import type { StateFileKind } from '../state-files/state-file.ts';
import { LOG_HEADS_FILE } from './log-heads.ts';
import { witnessedOf } from './log-witnesses.ts';
import { refusedLogs } from './witness.ts';

const finding = z.object({
  store: storeName,
  /** When it was last found. */
  at: timeMs,
  /** The number of wrong entries, signatures and checkpoints. */
  count: z.int().min(1),
});
type LogFinding = z.infer<typeof finding>;

const content = z.object({ version: z.literal(1), findings: z.array(finding) });

/**
 * The file with the findings of `wellhouse verify --store`, so that the node warns its owner. Only the command writes
 * it.
 */
export const LOG_FINDINGS_FILE: StateFileKind<typeof content> = {
  ...{ name: 'log-findings.json', schema: content, empty: { version: 1, findings: [] } },
};

const fileOf = (dataDir: string) =>
  openStateFile(LOG_FINDINGS_FILE, { path: dataDir, log: pino({ level: 'silent' }), now: () => 0 });

/** Returns the findings of the latest check. */
export function findingsOf(dataDir: string): readonly LogFinding[] {
  return fileOf(dataDir).peek()?.findings ?? [];
}

/** Records the number of findings in each checked store. Rejects like the file system. */
export async function noteFindings(dataDir: string, counts: ReadonlyMap<StoreName, number>, at: number): Promise<void> {
  const before = findingsOf(dataDir);
  const others = before.filter(({ store }) => !counts.has(store));
  const found = [...counts].filter(([, count]) => count > 0).map(([store, count]) => ({ store, at, count }));
  if (before.length === 0 && found.length === 0) return;
  await fileOf(dataDir).write(() => ({ version: 1, findings: [...others, ...found] }));
}

/** A log that does not continue its signed trees. */
export interface BrokenLog {
  /** The store; null if the log belongs to another node for which this node is a witness. */
  readonly store: StoreName | null;
  readonly since: number;
}

/**
 * Returns the broken logs according to the files of a data folder. It also works before the parts of the node have
 * started.
 */
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

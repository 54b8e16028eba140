import type { Output, OwnerApi } from '../../../../shared/owner-api/contract.ts';
import type { OpenedLines } from '../../../../shared/proof/opened.ts';
import type { ProofEnd, ProofEntry } from '../../../../shared/proof/proof-format.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';
import { countReadings, proofPage } from '../../../api/queries/readings.ts';
import type { ExportProgress, ExportSource } from './run-export.ts';

const PAGE = 500;

/** The maximum number of attempts. It is more than needed to detect every copied sealed value. */
const TRIES = 3;

/** Opens the sealed values of entries for a proof. Returns null if no key here belongs to the device's owner. */
export type OpenEntries = (entries: readonly string[], signal: AbortSignal) => Promise<OpenedLines | null>;

/** A proof file, and the number of readings that it lacks. */
export interface BuiltProof {
  /** null if the log has none of the readings, or if `opened` is null. */
  readonly blob: Blob | null;
  readonly readings: number;
  /** Readings that are missing in the node's log. */
  readonly leftOut: number;
  /**
   * The number of readings with opened values; null if there is no key to open and sign them. In that case there is no
   * file.
   */
  readonly opened: number | null;
}

/**
 * Builds a proof of readings page by page. If the device's clock is not set, a range means arrival times. With `open`,
 * the opened values are added as statements signed by the owner. If one turns out to be a copy, the file is built
 * again. Rejects with ApiError, or with the signal's reason if it is aborted.
 */
export async function buildProof(
  device: { readonly id: string; readonly clockNotSet: boolean },
  source: ExportSource,
  api: Pick<OwnerApi, 'call'>,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void = () => {},
  open: OpenEntries | null = null,
): Promise<BuiltProof> {
  for (let left = TRIES; ; left -= 1) {
    const { isOverturned, ...built } = await buildOnce(device, source, api, signal, onProgress, open);
    if (!isOverturned || left === 1) return built;
  }
}

async function buildOnce(
  { id, clockNotSet }: { readonly id: string; readonly clockNotSet: boolean },
  source: ExportSource,
  api: Pick<OwnerApi, 'call'>,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
  open: OpenEntries | null,
): Promise<BuiltProof & { readonly isOverturned: boolean }> {
  const { store, from, to, isWanted } = spanOf(source, clockNotSet);
  const total = source.kind === 'shown' ? source.readings.length : await countReadings(api, source);
  const parts: Blob[] = [];
  let [readings, corrections, registrations, leftOut, opened] = [0, 0, 0, 0, 0];
  let isOverturned = false;
  let cursor: string | null = null;
  do {
    signal.throwIfAborted();
    const page: Output<'proofPage'> = await proofPage(api, { id, store, from, to, cursor, limit: PAGE });
    signal.throwIfAborted();
    corrections += page.begin?.corrections ?? 0;
    registrations += page.begin?.registrations ?? 0;
    const wanted = page.readings.filter(isWanted);
    const lines = wanted.flatMap(({ line }) => line ?? []);
    const said = await open?.(lines.map(entryOf), signal);
    if (said === null) return { blob: null, readings: 0, leftOut: 0, opened: null, isOverturned: false };
    const statements = said?.lines ?? [];
    isOverturned ||= parts.length > 0 && (said?.overturned.length ?? 0) > 0;
    opened += statements.filter((each) => each !== null).length;
    parts.push(new Blob([page.begin?.lines ?? '', ...lines.flatMap((line, at) => [line, statements[at] ?? ''])]));
    readings += lines.length;
    leftOut += wanted.length - lines.length;
    onProgress({ done: Math.min(total, readings + leftOut), total });
    cursor = page.next;
  } while (cursor !== null);
  const end: ProofEnd = { end: true, readings, corrections, registrations, opened };
  const blob = new Blob([...parts, `${JSON.stringify(end)}\n`], { type: 'application/x-ndjson;charset=utf-8' });
  return { blob: readings === 0 ? null : blob, readings, leftOut, opened, isOverturned };
}

const entryOf = (line: string): string => (JSON.parse(line) as ProofEntry).entry;

interface ProofSpan {
  /** The store whose log proves the readings; null selects the private store if it has the device. */
  readonly store: StoreName | null;
  /** The range of device timestamps, as text; null if that end is open. */
  readonly from: string | null;
  readonly to: string | null;
  readonly isWanted: (reading: { readonly seq: string; readonly receivedAt: number }) => boolean;
}

function spanOf(source: ExportSource, clockNotSet: boolean): ProofSpan {
  if (source.kind === 'shown') {
    const times = source.readings.map(({ timestamp }) => BigInt(timestamp));
    const seqs = new Set(source.readings.map(({ seq }) => seq));
    const bound = (isBetter: (a: bigint, b: bigint) => boolean) =>
      String(times.reduce((best, each) => (isBetter(each, best) ? each : best), times[0] ?? 0n));
    const [store, ...others] = new Set(source.readings.map((reading) => reading.store));
    return {
      store: others.length === 0 ? (store ?? null) : null,
      from: bound((a, b) => a < b),
      to: bound((a, b) => a > b),
      isWanted: ({ seq }) => seqs.has(seq),
    };
  }
  const [from, to] = [source.from ?? 0, source.to ?? Number.MAX_SAFE_INTEGER];
  if (clockNotSet) {
    return { store: null, from: null, to: null, isWanted: ({ receivedAt }) => receivedAt >= from && receivedAt <= to };
  }
  return { store: null, from: String(from), to: source.to === null ? null : String(to), isWanted: () => true };
}

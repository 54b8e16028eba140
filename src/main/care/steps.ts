import type { CarePhase, CareProgress } from '../../shared/care/progress.ts';
import { CareError } from './care-error.ts';

/** The callbacks to watch and to stop long work. */
export interface Steps {
  readonly onProgress?: (progress: CareProgress) => void;
  readonly isCancelled?: () => boolean;
}

/** Begins a phase; returns a function that counts its bytes. Both throw CareError if the owner stopped the work. */
export function beginPhase(
  { onProgress, isCancelled }: Steps,
  phase: CarePhase,
  totalBytes: number,
): (bytes: number) => void {
  let doneBytes = 0;
  const count = (bytes: number) => {
    if (isCancelled?.() === true) throw new CareError('cancelled', 'stopped');
    doneBytes += bytes;
    onProgress?.({ phase, doneBytes, totalBytes });
  };
  count(0);
  return count;
}

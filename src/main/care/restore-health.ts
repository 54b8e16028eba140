import type { RestoreHealth } from '../../shared/care/health.ts';
import type { CareError } from './care-error.ts';
import { startCare } from './thread/care-thread.ts';

/**
 * The limit is generous: a small machine with a slow card takes long to open millions of readings, and slow is not
 * broken.
 */
export const HEALTH_LIMIT_MS = 5 * 60_000;

/** Checks whether the node of a folder starts, on a thread that is abandoned if it takes too long. Never rejects. */
export async function healthOf(dataDir: string, limitMs = HEALTH_LIMIT_MS): Promise<RestoreHealth> {
  const thread = startCare('open', { dataDir }, { onProgress: () => {} });
  const late = Promise.withResolvers<RestoreHealth>();
  const timer = setTimeout(() => late.resolve(slow(limitMs)), limitMs);
  try {
    return await Promise.race([
      thread.done.then(
        () => ({ state: 'healthy', message: null }) as const,
        ({ message }: CareError) => ({ state: 'failed', message }) as const,
      ),
      late.promise,
    ]);
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

/** Returns the health of a node that did not start in time. */
export function slow(limitMs = HEALTH_LIMIT_MS): RestoreHealth {
  return { state: 'slow', message: `it did not come up within ${Math.ceil(limitMs / 60_000)} minutes` };
}

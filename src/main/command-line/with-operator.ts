import type { StoreLocation } from '../store/engine.ts';
import { engineOf } from '../store/engines.ts';
import { serverLocation } from '../store/locations.ts';
import type { StoreOperator } from '../store/operator.ts';
import { isStorageFault } from '../store/storage-unavailable.ts';
import type { LogReader } from '../store/stores-view.ts';
import type { Context } from './context.ts';
import { CommandError, EXIT } from './exit-codes.ts';

/**
 * Runs a function with the store that PUBLIC_STORE_URL names. Throws CommandError if there is none or it does not
 * answer.
 */
export async function withOperator<T>(
  { settings }: Pick<Context, 'settings'>,
  run: (operator: StoreOperator) => Promise<T>,
): Promise<T> {
  if (settings.publicStoreUrl === null) {
    throw new CommandError(
      'no nodes share the public store here',
      EXIT.place,
      'name its database with PUBLIC_STORE_URL',
      'no_store',
    );
  }
  const location = serverLocation(settings.publicStoreUrl);
  const engine = engineOf(location);
  try {
    await requireStore(location);
    const operator = await engine.openOperator!(location);
    try {
      return await run(operator);
    } finally {
      await operator.close();
    }
  } catch (error) {
    if (!isStorageFault(error)) throw error;
    throw new CommandError(`${engine.describe(location)} does not answer (${error.message})`, EXIT.place);
  }
}

/** Opens the log of a shared store. Throws CommandError. */
export async function openSharedLog(url: string): Promise<LogReader> {
  const location = serverLocation(url);
  try {
    await requireStore(location);
    return await engineOf(location).openLog!(location);
  } catch (error) {
    if (!isStorageFault(error)) throw error;
    throw new CommandError(`${engineOf(location).describe(location)} does not answer (${error.message})`, EXIT.place);
  }
}

async function requireStore(location: StoreLocation): Promise<void> {
  const engine = engineOf(location);
  const { newestVersion } = engine.snapshots;
  const version = await engine.snapshots.version(location);
  if (version === newestVersion) return;
  const where = engine.describe(location);
  if (version === 0) throw new CommandError(`there is no store at ${where}`, EXIT.place);
  throw new CommandError(
    version > newestVersion
      ? `the store at ${where} was written by a newer Wellhouse: update this one`
      : `the store at ${where} is of an older version: start a node of this version once`,
    EXIT.newer,
  );
}

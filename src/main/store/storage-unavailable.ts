import type { StoreFault } from '../common/node-events.ts';

/** The store is full, read-only, damaged or locked for too long: nothing was written, and trying again later may help. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  readonly code: StoreFault;

  /** The message is the engine's own, for whoever helps. */
  constructor(code: StoreFault, message: string) {
    super(message);
    this.code = code;
  }
}

/** Whether an error of a store means that the storage, not the request, is at fault. */
export function isStorageFault(error: unknown): error is StorageUnavailable {
  return error instanceof StorageUnavailable;
}

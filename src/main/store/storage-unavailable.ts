import type { StoreFault } from '../common/node-events.ts';

/**
 * The store is full, read-only, damaged or locked for too long. Nothing was written, and a later attempt may succeed.
 */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  readonly code: StoreFault;

  /** `message` is the engine's own message, for support. */
  constructor(code: StoreFault, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns whether an error of a store means that the storage, not the request, is at fault. */
export function isStorageFault(error: unknown): error is StorageUnavailable {
  return error instanceof StorageUnavailable;
}

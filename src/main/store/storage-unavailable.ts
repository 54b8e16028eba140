/** The store is full, read-only, damaged or locked too long: nothing was written, and trying again later may help. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  /** SQLite's error code, or one of our own. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** Whether an error of a store means that the storage, not the request, is at fault. */
export function isStorageFault(error: unknown): boolean {
  if (error instanceof StorageUnavailable) return true;
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') && !code.startsWith('SQLITE_CONSTRAINT');
}
